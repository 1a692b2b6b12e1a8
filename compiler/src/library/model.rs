//! A model, and what can be done with it.

use std::fmt::Display;
use std::path::Path;

use mcc_runtime::embedding::{self, Options, Report};

use super::error::Error;
use super::message::{Check, Message};
use super::stack::on_large_stack;
use super::verifier::Verifier;
use crate::diagnostics::Diagnostic;
use crate::interpret::Interpreter;
use crate::source::{Definition, Source};
use crate::{compile, has_errors, input, package};

/// A Murphi model.
///
/// ```
/// use mcc_murphi::{Model, Options, Verdict};
///
/// let text = "const N: 3; var x: 0..N; startstate x := 0; end; rule x < N ==> x := x + 1; end;";
/// let model = Model::from_text("counter.m", text).define("N", 5);
/// assert!(model.check()?.is_sound());
/// let report = model.interpret(&Options::new().without_deadlocks())?;
/// assert_eq!((report.verdict, report.states), (Verdict::Verified, 6));
/// # Ok::<(), mcc_murphi::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    source: Source,
    /// What was noticed while it was read.
    noticed: Vec<Diagnostic>,
}

impl Model {
    /// Reads a model. Messages name it as it is named here.
    ///
    /// ```no_run
    /// let model = mcc_murphi::Model::from_path("models/peterson.m")?;
    /// let verifier = model.build(&mcc_murphi::Options::new())?;
    /// println!("{}", verifier.run(&mcc_murphi::Options::new().packed())?);
    /// # Ok::<(), mcc_murphi::Error>(())
    /// ```
    pub fn from_path(path: impl AsRef<Path>) -> Result<Model, Error> {
        let (source, noticed) = input::read(path.as_ref()).map_err(Error::Unreadable)?;
        Ok(Model { source, noticed })
    }

    /// A model whose text is already there; messages use the name.
    pub fn from_text(name: impl Into<String>, text: impl Into<String>) -> Model {
        Model { source: Source::new(name, text), noticed: Vec::new() }
    }

    /// Gives a constant another value than the text does. What is wrong with that is found by
    /// [`Model::check`].
    pub fn define(mut self, name: &str, value: impl Display) -> Model {
        let parsed = format!("{name}={value}").parse();
        let definition =
            parsed.unwrap_or_else(|_| Definition { name: name.to_owned(), value: value.to_string() });
        let mut definitions = std::mem::take(&mut self.source.definitions);
        definitions.retain(|one| one.name != definition.name);
        definitions.push(definition);
        Model { source: self.source.with_definitions(definitions), ..self }
    }

    /// The name by which messages call it.
    pub fn name(&self) -> &str {
        &self.source.name
    }

    /// The constants that have another value than in the text.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, &str)> {
        self.source.definitions.iter().map(|one| (one.name.as_str(), one.value.as_str()))
    }

    /// Finds what is wrong with the model, and what could be better.
    pub fn check(&self) -> Result<Check, Error> {
        let found = on_large_stack(|| crate::check_with_advice(&self.source))?;
        Ok(Check { messages: self.messages(&found) })
    }

    /// Searches the model in the interpreter, in this process: nothing is built.
    pub fn interpret(&self, options: &Options) -> Result<Report, Error> {
        self.with_interpreter(|interpreter| Ok(embedding::verify(interpreter, options)?))
    }

    /// Builds the verifier of the model in the build cache, by cargo. A second build of the same
    /// model finds it there.
    pub fn build(&self, options: &Options) -> Result<Verifier, Error> {
        self.build_observed(options, &mut Silent(options))
    }

    /// Builds the verifier, and reports the progress of that.
    pub(crate) fn build_observed(
        &self,
        options: &Options,
        observer: &mut dyn package::Observer,
    ) -> Result<Verifier, Error> {
        if options.is_cancelled() {
            return Err(Error::Cancelled);
        }
        let compilation = on_large_stack(|| compile(&self.source))?;
        let generated = match compilation.generated {
            Some(generated) if !has_errors(&compilation.diagnostics) => generated,
            _ => return Err(Error::Wrong(self.messages(&compilation.diagnostics))),
        };
        match package::build(&self.source.name, &generated.model_rs, observer) {
            Ok(built) => Ok(Verifier::new(built)),
            // It was given up, or the signal that cancelled it has ended cargo as well.
            Err(_) if options.is_cancelled() => Err(Error::Cancelled),
            Err(failure) => Err(failure.into()),
        }
    }

    /// The generated Rust, for those who put it into a crate of theirs.
    #[doc(hidden)]
    pub fn generate(&self) -> Result<(String, Check), Error> {
        let compilation = on_large_stack(|| compile(&self.source))?;
        let messages = self.messages(&compilation.diagnostics);
        match compilation.generated {
            Some(generated) => Ok((generated.model_rs, Check { messages })),
            None => Err(Error::Wrong(messages)),
        }
    }

    /// Does something with the model in the interpreter.
    #[doc(hidden)]
    pub fn with_interpreter<T: Send>(
        &self,
        work: impl Fn(&Interpreter) -> Result<T, Error> + Send + Sync,
    ) -> Result<T, Error> {
        on_large_stack(|| {
            let (model, found) = crate::check(&self.source);
            match model {
                Some(model) => work(&Interpreter::new(model, &self.source)),
                None => Err(Error::Wrong(self.messages(&found))),
            }
        })?
    }

    fn messages(&self, found: &[Diagnostic]) -> Vec<Message> {
        let all: Vec<Diagnostic> = self.noticed.iter().chain(found).cloned().collect();
        Message::all(&self.source, &all)
    }
}

/// A build that nobody watches.
struct Silent<'a>(&'a Options);

impl package::Observer for Silent<'_> {
    fn building_runtime(&mut self) {}
    fn waiting(&mut self) {}
    fn downloading(&mut self) {}
    fn rebuilding(&mut self, _: &str) {}
    fn cargo_line(&mut self, _: &str) {}
    fn gives_up(&self) -> bool {
        self.0.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Severity;
    use mcc_runtime::embedding::{Cancellation, Value, Verdict};
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    const COUNTER: &str =
        "const N: 3; var x: 0..N; startstate x := 0; end; rule \"up\" x < N ==> x := x + 1; end;";

    #[test]
    fn a_trace_is_data() {
        let model = Model::from_text("dir/counter.m", format!("{COUNTER} invariant \"low\" x < 2;"));
        let report = model.interpret(&Options::new()).unwrap();
        assert_eq!(report.verdict, Verdict::Violated);
        let error = &report.errors[0];
        assert_eq!((error.kind.as_str(), error.line), ("invariant", Some(1)));
        let trace = error.trace.as_ref().unwrap();
        let values: Vec<_> = trace.iter().map(|step| step.state.as_ref().unwrap().get("x")).collect();
        assert_eq!(values, [0, 1, 2].map(Value::Number).each_ref().map(Some));
        assert_eq!(trace[1].rule, "up");
        insta::assert_snapshot!(report.verified().unwrap_err(), @r#"
        dir/counter.m: violated: 1 error found; the search stopped there
        dir/counter.m:1:87: invariant "low" is false
          0. Startstate 1
               x: 0
          1. up
               x: 1
          2. up
               x: 2
        "#);
    }

    #[test]
    fn what_is_wrong_is_data() {
        let wrong = Model::from_text("dir/a.m", "var x: nothing; startstate begin end;");
        let check = wrong.check().unwrap();
        assert!(!check.is_sound());
        let message = check.of(Severity::Error).next().unwrap();
        assert_eq!((message.file.as_str(), message.places[0].line), ("dir/a.m", 1));
        assert!(message.to_string().starts_with("dir/a.m:1:"), "{message}");
        assert!(matches!(wrong.interpret(&Options::new()), Err(Error::Wrong(_))));
        assert!(matches!(wrong.build(&Options::new()), Err(Error::Wrong(_))));
        let unknown = Model::from_text("a.m", COUNTER).define("M", 1);
        assert!(!unknown.check().unwrap().is_sound());
        let refused = Model::from_text("a.m", COUNTER).interpret(&Options::new().argument("--nonsense"));
        assert!(refused.unwrap_err().to_string().contains("--nonsense"));
        assert!(matches!(Model::from_path("no/where.m"), Err(Error::Unreadable(_))));
    }

    #[test]
    fn progress_is_reported_and_a_search_can_be_cancelled() {
        let model = Model::from_text("counter.m", COUNTER).define("N", 1_000_000_000);
        let cancellation = Cancellation::new();
        let (states, stop) = (Arc::new(AtomicU64::new(0)), cancellation.clone());
        let seen = states.clone();
        let options = Options::new().threads(1).cancelled_by(&cancellation).on_progress(move |progress| {
            seen.store(progress.states, Ordering::Relaxed);
            stop.cancel();
        });
        let report = model.interpret(&options).unwrap();
        assert_eq!(report.verdict, Verdict::Inconclusive);
        assert!(report.states >= states.load(Ordering::Relaxed) && states.load(Ordering::Relaxed) >= 100_000);
        assert!(matches!(model.build(&options), Err(Error::Cancelled)));
    }
}
