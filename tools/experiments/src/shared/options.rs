//! Options that several commands have: which models, how verifiers are built and run.

use super::{ExperimentError, Runs, Verifier};
use clap::Args;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

/// Which compiler builds the verifiers.
#[derive(Args, Clone, Debug)]
pub struct Compiler {
    /// The mcc that builds the verifiers [default: beside this program, or on PATH]
    #[arg(long, value_name = "PATH")]
    mcc: Option<PathBuf>,
}

impl Compiler {
    /// The command given, or else the one beside this program, or on PATH.
    pub fn find(&self) -> PathBuf {
        let program = std::env::current_exe().ok();
        let beside = program.map(|path| path.with_file_name("mcc")).filter(|path| path.is_file());
        self.mcc.clone().or(beside).unwrap_or_else(|| PathBuf::from("mcc"))
    }
}

/// Where random numbers start.
#[derive(Args, Clone, Copy, Debug)]
pub struct Seed {
    /// Where random numbers start: the same seed gives the same figures
    #[arg(long, default_value_t = 1, value_name = "N")]
    pub seed: u64,
}

/// How searches are run that are timed.
#[derive(Args, Clone, Copy, Debug)]
pub struct Timing {
    /// Run everything N times; the shortest time counts
    #[arg(long, default_value_t = 3, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
    /// Threads of a search
    #[arg(long, default_value_t = 1, value_name = "N")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    pub threads: u32,
}

impl Timing {
    /// For searches whose time does not matter.
    pub const ONCE: Timing = Timing { repeat: 1, threads: 1 };
}

/// The models, and how their verifiers are built and run.
#[derive(Args, Clone, Debug)]
pub struct Verifiers {
    /// The models
    #[arg(required = true, value_name = "MODEL.m")]
    pub models: Vec<PathBuf>,
    #[command(flatten)]
    compiler: Compiler,
    /// Memory that a search may take, such as 2G [default: that of the verifier]
    #[arg(long, value_name = "SIZE")]
    memory: Option<String>,
    /// One more argument for the verifiers, such as -nosym; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    verifier_option: Vec<OsString>,
}

impl Verifiers {
    /// Builds and measures every model. What cannot be measured is reported and left out.
    pub fn measure<F>(
        &self,
        command: &str,
        timing: Timing,
        measure: impl Fn(&Runs) -> Result<F, ExperimentError>,
    ) -> Measured<F> {
        let mcc = self.compiler.find();
        let mut models = Vec::new();
        for model in &self.models {
            let measured = Verifier::build(&mcc, model).and_then(|verifier| {
                measure(&Runs {
                    verifier: &verifier,
                    timing,
                    memory: self.memory.as_deref(),
                    extra: &self.verifier_option,
                })
            });
            match measured {
                Ok(figures) => models.push(figures),
                Err(error) => eprintln!("{command}: {error}"),
            }
        }
        Measured { all: models.len() == self.models.len(), models }
    }
}

/// The figures of the models that could be measured.
#[derive(Clone, Debug)]
pub struct Measured<F> {
    pub models: Vec<F>,
    /// Whether these are all models that were asked for.
    pub all: bool,
}

/// A part of a whole, as it comes from the command line.
pub fn parse_fraction(text: &str) -> Result<f64, String> {
    let fraction = text.parse().ok().filter(|fraction| *fraction > 0.0 && *fraction <= 10.0);
    fraction.ok_or_else(|| "a number above 0 and up to 10, such as 0.5".to_owned())
}

/// Different numbers, the largest first.
pub fn sorted_down(numbers: &[f64]) -> Vec<f64> {
    let mut numbers = numbers.to_vec();
    numbers.sort_by(|left, right| right.total_cmp(left));
    numbers.dedup();
    numbers
}

/// Success if all went well; otherwise failure, and the reason is printed if there is one.
pub fn exit_code(command: &str, ran: Result<bool, ExperimentError>) -> ExitCode {
    match ran {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{command}: {error}");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_are_read() {
        assert_eq!(parse_fraction("0.35"), Ok(0.35));
        for wrong in ["", "0", "-1", "11", "NaN", "half"] {
            assert!(parse_fraction(wrong).is_err(), "{wrong}");
        }
        assert_eq!(sorted_down(&[0.1, 1.0, 0.5, 1.0]), [1.0, 0.5, 0.1]);
    }
}
