//! Doubles each construct of the language until `mcc` refuses it; `docs/internals/growth.md` has
//! the last figures.

use clap::Parser;
use mcc_fuzzing::growth::constructs::{CONSTRUCTS, Construct};
use mcc_fuzzing::growth::limited::{self, Limits};
use mcc_fuzzing::growth::trial::{Bench, Trial};
use mcc_fuzzing::growth::{complaint, table};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, io};

/// Finds out how large models may grow, construct by construct.
#[derive(Parser)]
struct Options {
    /// The compiler [default: mcc beside this command]
    #[arg(long)]
    mcc: Option<PathBuf>,
    /// Where models and verifiers go [default: target/growth]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// GiB of address space that a command may have
    #[arg(long, default_value_t = 6.0)]
    memory: f64,
    /// Seconds that a command may take
    #[arg(long, default_value_t = 300.0)]
    seconds: f64,
    /// The size to begin with, instead of the construct's own
    #[arg(long)]
    first: Option<usize>,
    /// The largest size, instead of the construct's own
    #[arg(long)]
    last: Option<usize>,
    /// Prints the model of the first size, and does nothing else
    #[arg(long)]
    print: bool,
    /// Runs a command with this limit on its address space; the command starts itself so
    #[arg(long, hide = true, requires = "note")]
    limited: Option<u64>,
    #[arg(long, hide = true)]
    note: Option<PathBuf>,
    /// Constructs, by name or part of one [default: all]
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    names: Vec<OsString>,
}

fn main() -> ExitCode {
    match run(&Options::parse()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(options: &Options) -> io::Result<ExitCode> {
    if let (Some(bytes), Some(note)) = (options.limited, &options.note) {
        return limited::serve(bytes, note, &options.names).map(|()| ExitCode::SUCCESS);
    }
    let chosen: Vec<&Construct> =
        CONSTRUCTS.iter().filter(|construct| is_chosen(options, construct)).collect();
    if chosen.is_empty() {
        return Err(io::Error::other("no construct has such a name"));
    }
    if options.print {
        for construct in chosen {
            print!("{}", (construct.model)(options.first.unwrap_or(construct.first)));
        }
        return Ok(ExitCode::SUCCESS);
    }
    let program = env::current_exe()?;
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/growth");
    let bench = Bench {
        mcc: options.mcc.clone().unwrap_or_else(|| program.with_file_name("mcc")),
        program,
        folder: options.folder.clone().unwrap_or_else(default),
        limits: Limits {
            bytes: (options.memory * f64::from(1 << 30)) as u64,
            time: Duration::from_secs_f64(options.seconds),
        },
    };
    fs::create_dir_all(&bench.folder)?;
    let mut findings = 0;
    let mut lines = Vec::new();
    for construct in chosen {
        let (trials, finding) = grow(&bench, construct, options)?;
        findings += usize::from(finding);
        lines.push(table::line(construct.name, &trials));
    }
    println!("\n{}\n{}\n\n{findings} findings", table::HEADING, lines.join("\n"));
    Ok(ExitCode::from(u8::from(findings > 0)))
}

/// Doubles one construct until it is refused, is large enough, or breaks something.
fn grow(bench: &Bench, construct: &Construct, options: &Options) -> io::Result<(Vec<Trial>, bool)> {
    let mut trials: Vec<Trial> = Vec::new();
    let mut size = options.first.unwrap_or(construct.first);
    while size <= options.last.unwrap_or(construct.last) {
        let trial = bench.trial(construct, size)?;
        let peak = trial.build.as_ref().map_or(0, |build| build.peak_bytes) >> 20;
        let times = [Some(&trial.check), trial.build.as_ref(), trial.run.as_ref(), trial.interpret.as_ref()];
        let times: Vec<String> = times.into_iter().map(table::seconds).collect();
        println!("{:28} {size:6}: {} {peak} MiB", construct.name, times.join(" "));
        if let Some(refusal) = trial.refusal() {
            println!("{:28}         {refusal}", "");
        }
        let finding = complaint(&trial, trials.last());
        let refused = trial.is_refused();
        trials.push(trial);
        if let Some(finding) = finding {
            println!("finding {} of size {size}: {finding}", construct.name);
            return Ok((trials, true));
        }
        if refused {
            break;
        }
        size *= 2;
    }
    Ok((trials, false))
}

fn is_chosen(options: &Options, construct: &Construct) -> bool {
    let fits = |name: &OsString| name.to_str().is_some_and(|name| construct.name.contains(name));
    options.names.is_empty() || options.names.iter().any(fits)
}
