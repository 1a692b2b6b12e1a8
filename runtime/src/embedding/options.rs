//! The options of a search as a value.

use super::listening::{Listener, Progress};
use crate::interruption::Interruption;
use std::ffi::OsString;
use std::fmt;
use std::sync::Arc;

/// Between two calls of a progress callback lie ten to the power of this states.
const EVERY: &str = "5";

pub(super) type Callback = Arc<dyn Fn(Progress) + Send + Sync>;

/// How a model is searched. Without any option: breadth first, exact, with symmetry reduction, one
/// thread for each processor.
///
/// ```
/// use mcc_runtime::embedding::Options;
///
/// let options = Options::new().packed().threads(1).max_states(10_000).argument("--no-deadlock");
/// ```
#[derive(Clone, Default)]
pub struct Options {
    arguments: Vec<OsString>,
    callback: Option<Callback>,
    cancellation: Cancellation,
}

impl fmt::Debug for Options {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.debug_struct("Options").field("arguments", &self.arguments).finish_non_exhaustive()
    }
}

/// Ends a search from another thread: it stops soon, and its verdict is inconclusive unless an
/// error was found before.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<Interruption>);

impl Cancellation {
    /// Nothing is cancelled yet.
    pub fn new() -> Cancellation {
        Cancellation::default()
    }

    /// Ends every search that was given a clone of this.
    pub fn cancel(&self) {
        self.0.request();
    }

    /// Whether [`Cancellation::cancel`] was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_requested()
    }
}

impl Options {
    /// The options of a search that was asked nothing special.
    pub fn new() -> Options {
        Options::default()
    }

    /// An option of the verifier's command line, as `verifier --help` lists them.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Options {
        self.arguments.push(argument.into());
        self
    }

    /// Some options of the verifier's command line.
    pub fn with_arguments<A: Into<OsString>>(mut self, arguments: impl IntoIterator<Item = A>) -> Options {
        self.arguments.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// Stores states packed to the bit.
    pub fn packed(self) -> Options {
        self.argument("--packed")
    }

    /// Keeps signatures instead of states (hash compaction): less memory, a verdict with a bound.
    pub fn compact(self) -> Options {
        self.argument("--compact")
    }

    /// Searches depth first.
    pub fn depth_first(self) -> Options {
        self.argument("--search").argument("dfs")
    }

    /// Searches without symmetry reduction.
    pub fn without_symmetry(self) -> Options {
        self.argument("--symmetry").argument("off")
    }

    /// The number of threads that search together.
    pub fn threads(self, threads: usize) -> Options {
        self.argument("--threads").argument(threads.to_string())
    }

    /// The most memory that the search may use, in bytes.
    pub fn memory(self, bytes: u64) -> Options {
        self.argument("--memory").argument(format!("{bytes}B"))
    }

    /// Gives up after this number of states.
    pub fn max_states(self, states: u64) -> Options {
        self.argument("--max-states").argument(states.to_string())
    }

    /// Gives up at this depth.
    pub fn max_depth(self, depth: u32) -> Options {
        self.argument("--max-depth").argument(depth.to_string())
    }

    /// Stops after this number of errors; without it, after the first.
    pub fn max_errors(self, errors: u64) -> Options {
        self.argument("--max-errors").argument(errors.to_string())
    }

    /// Does not take a state without successors for an error.
    pub fn without_deadlocks(self) -> Options {
        self.argument("--no-deadlock")
    }

    /// Calls back while the search goes on, about every 100,000 states.
    pub fn on_progress(self, callback: impl Fn(Progress) + Send + Sync + 'static) -> Options {
        Options { callback: Some(Arc::new(callback)), ..self }
    }

    /// Lets another thread end the search.
    pub fn cancelled_by(self, cancellation: &Cancellation) -> Options {
        Options { cancellation: cancellation.clone(), ..self }
    }

    /// Whether the search is to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancellation.is_cancelled()
    }

    /// The command line: what was asked for, and the report on standard output.
    pub fn arguments(&self) -> impl Iterator<Item = OsString> + '_ {
        let every = match self.callback {
            Some(_) => EVERY,
            None => "off",
        };
        let fixed = ["--json", "-", "--progress", every, "--color", "never"].map(OsString::from);
        self.arguments.iter().cloned().chain(fixed)
    }

    /// What hears the verifier's standard error.
    pub fn listener(&self) -> Listener {
        Listener::new(self.callback.clone())
    }

    pub(super) fn interruption(&self) -> &Interruption {
        &self.cancellation.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The command line of each method, with the program's name that every parser expects.
    fn parsed(options: &Options) -> Result<crate::cli::Options, crate::cli::CommandLineError> {
        crate::cli::parse(std::iter::once(OsString::from("verifier")).chain(options.arguments()))
    }

    #[test]
    fn the_verifier_understands_every_method() {
        let new = Options::new;
        let all = [
            new().packed(),
            new().compact(),
            new().depth_first(),
            new().without_symmetry(),
            new().threads(3),
            new().memory(200 << 20),
            new().max_states(10_000),
            new().max_depth(7),
            new().max_errors(0),
            new().without_deadlocks(),
            new().on_progress(|_| ()),
        ];
        for options in all {
            assert!(parsed(&options).is_ok(), "{options:?}");
        }
        assert!(parsed(&new().argument("--nonsense")).is_err());
    }
}
