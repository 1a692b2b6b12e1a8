//! The command: a run of some minutes, the examination of single files, or the child that does the
//! work.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, fs, io};

use clap::Parser;
use mcc_fuzzing::campaign::{self, End, Settings};
use mcc_fuzzing::service;
use mcc_fuzzing::subject::{Subject, judge};

/// Fuzzes the front end of mcc.
#[derive(Parser)]
struct Options {
    /// How long to run
    #[arg(long, default_value_t = 5.0)]
    minutes: f64,
    /// Where the random numbers start
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Where findings and the corpus go [default: target/fuzzing]
    #[arg(long)]
    folder: Option<PathBuf>,
    /// Answers requests on standard input; the command starts itself so
    #[arg(long, hide = true)]
    serve: bool,
    /// Examines these files instead
    files: Vec<PathBuf>,
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
    if options.serve {
        return service::serve().map(|()| ExitCode::SUCCESS);
    }
    let program = env::current_exe()?;
    if !options.files.is_empty() {
        return examine_files(&program, &options.files);
    }
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/fuzzing");
    let summary = campaign::run(Settings {
        program,
        seed: options.seed,
        end: End::After(Duration::from_secs_f64(options.minutes * 60.0)),
        folder: Some(options.folder.clone().unwrap_or_else(default)),
    })?;
    for finding in &summary.findings {
        println!("{} ({} bytes): {}", finding.trouble.kind(), finding.input.len(), finding.trouble);
    }
    Ok(ExitCode::from(u8::from(!summary.findings.is_empty())))
}

fn examine_files(program: &Path, files: &[PathBuf]) -> io::Result<ExitCode> {
    let mut subject = Subject::new(program);
    let mut in_trouble = false;
    for file in files {
        let input = fs::read(file)?;
        let examined = subject.examine(&input, true)?;
        let (times, trouble) = match examined {
            Ok(examination) => (format!("{:?}", examination.times), judge(&examination, input.len())),
            Err(trouble) => (String::new(), Some(trouble)),
        };
        in_trouble |= trouble.is_some();
        let verdict = trouble.map_or("fine".to_string(), |trouble| trouble.to_string());
        println!("{}: {verdict} {times}", file.display());
    }
    Ok(ExitCode::from(u8::from(in_trouble)))
}
