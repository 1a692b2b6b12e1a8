//! Whether several processes find what one finds: random models, explored in the interpreter by one
//! thread and then by processes of a list, which are threads here that talk over loopback. Nothing
//! is built.

use crate::generate::Drawn;
use crate::interpreted::on_deep_stack;
use crate::opinion::{Opinion, options};
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_runtime::{Console, Interruption};
use serde_json::Value;
use std::ffi::OsString;
use std::net::TcpListener;
use std::path::{Path, PathBuf};

/// Numbers of processes and of threads of each; each with one of the ways, by turns.
const SHAPES: [(usize, usize); 7] = [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1), (3, 3), (5, 1)];

/// How visited states are kept.
const WAYS: [&[&str]; 5] =
    [&[], &["--packed"], &["--tree"], &["--compact", "--seed=1", "--memory=64M"], &["--queue=disk"]];

/// What became of one model.
#[derive(Debug)]
pub enum Outcome {
    /// The checker did not accept it.
    Refused,
    /// A plain search does not end within the bound.
    Large,
    /// States, and errors.
    Compared(u64, u64),
    /// Several processes found something else; in words.
    Wrong(String),
}

pub fn ask(drawn: &Drawn, folder: &Path) -> Outcome {
    let source = Source::new("model.m", drawn.tree.text());
    let (Some(model), _) = mcc_murphi::check(&source) else { return Outcome::Refused };
    let interpreter = Interpreter::new(model, &source);
    let alone = |way: &[&str]| {
        let mode = [&["--max-errors=0", "--threads=1"], way].concat();
        on_deep_stack(|| run(&interpreter, &options(drawn, &mode)))?
    };
    let plain = match alone(&[]) {
        Ok(plain) => plain,
        Err(why) => return Outcome::Wrong(why),
    };
    if plain["reason"].as_str().is_some_and(|reason| reason.contains("--max-states")) {
        return Outcome::Large;
    }
    for (at, (processes, threads)) in SHAPES.into_iter().enumerate() {
        let way = WAYS[(at + drawn.seed as usize) % WAYS.len()];
        let named = |what: &str| format!("{processes} processes of {threads} threads, {way:?}: {what}");
        let found = match together(drawn, &interpreter, processes, threads, way, folder) {
            Ok(found) => found,
            Err(why) => return Outcome::Wrong(named(&why)),
        };
        for part in ["verdict", "states", "rules", "depth", "rule_figures", "property_figures"] {
            if plain[part] != found[part] {
                return Outcome::Wrong(named(&format!("{part}: {}, not {}", found[part], plain[part])));
            }
        }
        if errors(&plain) != errors(&found) {
            let why = format!("errors: {:#?}, not {:#?}", errors(&found), errors(&plain));
            return Outcome::Wrong(named(&why));
        }
    }
    let errors = plain["errors"].as_array().map_or(0, Vec::len);
    Outcome::Compared(plain["states"].as_u64().unwrap_or(0), errors as u64)
}

/// What process 0 reports.
fn together(
    drawn: &Drawn,
    interpreter: &Interpreter,
    processes: usize,
    threads: usize,
    way: &[&str],
    folder: &Path,
) -> Result<Value, String> {
    let list = list(processes, folder).map_err(|error| format!("no list of processes: {error}"))?;
    let line = |process: usize| {
        let (list, threads) = (format!("--cluster={}", list.display()), format!("--threads={threads}"));
        let process = format!("--process={process}");
        options(drawn, &[&["--max-errors=0", &list, &process, &threads], way].concat())
    };
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..processes)
            .map(|process| {
                let line = line(process);
                scope.spawn(move || on_deep_stack(|| run(interpreter, &line)))
            })
            .collect();
        let reports: Vec<_> = all.into_iter().map(|process| process.join()).collect();
        let first = reports.into_iter().next().and_then(Result::ok);
        first.unwrap_or_else(|| Err("process 0 panicked".to_owned()))?
    })
}

/// Ports that nobody listened on a moment ago.
fn list(processes: usize, folder: &Path) -> std::io::Result<PathBuf> {
    let held = (0..processes).map(|_| TcpListener::bind("127.0.0.1:0"));
    let held: Vec<TcpListener> = held.collect::<std::io::Result<_>>()?;
    let lines: Vec<String> =
        held.iter().map(|one| Ok(format!("{}\n", one.local_addr()?))).collect::<std::io::Result<_>>()?;
    std::fs::create_dir_all(folder)?;
    let path = folder.join(format!("processes-{}", std::process::id()));
    std::fs::write(&path, lines.concat())?;
    Ok(path)
}

fn run(interpreter: &Interpreter, arguments: &[String]) -> Result<Value, String> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let console = Console { out: &mut out, err: &mut err, out_is_terminal: false, err_is_terminal: false };
    let arguments =
        std::iter::once(&"model".to_owned()).chain(arguments).map(OsString::from).collect::<Vec<_>>();
    let is_first = !arguments.iter().any(|argument| {
        argument.to_str().and_then(|text| text.strip_prefix("--process=")).is_some_and(|number| number != "0")
    });
    mcc_runtime::run(interpreter, arguments, console, &Interruption::none());
    if !is_first {
        // Process 0 reports for all.
        return Ok(Value::Null);
    }
    match Opinion::from_report(&out) {
        Opinion::Report(report) => Ok(report),
        Opinion::Broken(why) => Err(format!("{why}: {}", String::from_utf8_lossy(&err))),
    }
}

/// The errors of a report in some order: kind, place, message, and the length of the trace.
fn errors(report: &Value) -> Vec<String> {
    let errors = report["errors"].as_array().into_iter().flatten();
    let mut errors: Vec<String> = errors
        .map(|error| {
            let length = error["trace"].as_array().map_or(0, Vec::len);
            format!("{} {} {} {} {length}", error["kind"], error["line"], error["column"], error["message"])
        })
        .collect();
    errors.sort();
    errors
}
