//! `mcc explain`: what a diagnostic means, and what to do about it.

use std::process::ExitCode;

use clap::{Arg, ArgMatches, Parser};

use super::super::Stop;
use super::super::print::print;
use super::Subcommand;
use crate::diagnostics::explain::{codes, explain};
use crate::suggestions::nearest;

/// Explains the code of a diagnostic, such as `unknown-name`: cause, remedy, example
#[derive(Clone, Debug, Parser)]
#[command(name = "explain")]
pub struct Explain {
    /// The code, as in `error[CODE]`; without it, all codes are listed
    #[arg(value_name = "CODE")]
    code: Option<String>,
}

impl Subcommand for Explain {
    fn run(self) -> Result<ExitCode, Stop> {
        match self.code {
            Some(code) => print_explanation(&code),
            None => {
                print(&codes().map(|code| format!("{code}\n")).collect::<String>())?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

/// The option `--explain CODE`, which other compilers have.
pub fn option() -> Arg {
    Arg::new("explain")
        .long("explain")
        .value_name("CODE")
        .exclusive(true)
        .help("Explain the code of a diagnostic, as `mcc explain CODE` does")
}

/// Answers `--explain`, if it was given.
pub fn by_option(matches: &ArgMatches) -> Option<Result<ExitCode, Stop>> {
    matches.get_one::<String>("explain").map(|code| print_explanation(code))
}

fn print_explanation(typed: &str) -> Result<ExitCode, Stop> {
    // What stands in the message may be copied as a whole.
    let code = typed.rsplit_once('[').map_or(typed, |(_, rest)| rest).trim_end_matches([']', ':']);
    let Some(text) = explain(code) else {
        let message = match nearest(code, codes()) {
            Some(near) => format!("there is no diagnostic `{code}`; is `{near}` meant?"),
            None => format!("there is no diagnostic `{code}`"),
        };
        return Err(Stop::Message { message, help: Some("`mcc explain` lists all codes") });
    };
    print(&format!("{code}\n\n{}", for_terminal(text)))?;
    Ok(ExitCode::SUCCESS)
}

/// Markdown as plain text: examples are indented instead of fenced.
fn for_terminal(text: &str) -> String {
    let mut plain = String::new();
    let mut example = false;
    for line in text.lines() {
        if line.starts_with("```") {
            example = !example;
        } else {
            plain += &format!("{}{line}", if example { "    " } else { "" });
            plain.push('\n');
        }
    }
    plain
}
