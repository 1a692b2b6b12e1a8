//! The interpreter's opinion.

use crate::census;
use crate::generate::Drawn;
use crate::opinion::{CENSUS, Opinion, options};
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::semantics::model::Model;
use mcc_murphi::source::Source;
use mcc_runtime::Console;
use mcc_runtime::Interruption;
use std::ffi::OsString;

/// Models recurse a thousand calls deep, and the interpreter with them.
const STACK: usize = 1 << 30;

/// Runs a model in every mode.
pub fn ask(drawn: &Drawn, model: &Model, source: &Source, modes: &[&[&str]]) -> Vec<Opinion> {
    on_deep_stack(|| {
        let interpreter = Interpreter::new(model.clone(), source);
        modes.iter().map(|mode| one(&interpreter, drawn, mode)).collect()
    })
    .unwrap_or_else(|why| vec![Opinion::Broken(why); modes.len()])
}

/// Runs the interpreter where it has room for a model's recursion; or says why it could not.
pub fn on_deep_stack<T: Send>(run: impl FnOnce() -> T + Send) -> Result<T, String> {
    let answer = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.map(|thread| thread.join())
    });
    match answer {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(_)) => Err("the interpreter panicked".into()),
        Err(error) => Err(format!("no thread: {error}")),
    }
}

fn one(interpreter: &Interpreter, drawn: &Drawn, mode: &[&str]) -> Opinion {
    if mode.contains(&CENSUS) {
        let strict = mode.contains(&"--strict-undefined");
        return Opinion::from_report(census::report(interpreter, strict).as_bytes());
    }
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let console = Console { out: &mut out, err: &mut err, out_is_terminal: false, err_is_terminal: false };
    let arguments = std::iter::once("model".to_owned()).chain(options(drawn, mode)).map(OsString::from);
    mcc_runtime::run(interpreter, arguments, console, &Interruption::none());
    Opinion::from_report(&out)
}
