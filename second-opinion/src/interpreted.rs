//! The interpreter's opinion.

use crate::generate::Drawn;
use crate::opinion::{MODES, Opinion, options};
use mcc::interpret::Interpreter;
use mcc::semantics::model::Model;
use mcc::syntax::span::Source;
use mcc_runtime::report::console::Console;
use std::ffi::OsString;
use std::sync::atomic::AtomicBool;

/// Models recurse a thousand calls deep, and the interpreter with them.
const STACK: usize = 1 << 30;

/// Runs a model in every mode.
pub fn ask(drawn: &Drawn, model: &Model, source: &Source) -> Vec<Opinion> {
    let run = || {
        let interpreter = Interpreter::new(model.clone(), source);
        (0..MODES.len()).map(|mode| one(&interpreter, drawn, mode)).collect::<Vec<_>>()
    };
    let answer = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
        thread.map(|thread| thread.join())
    });
    match answer {
        Ok(Ok(opinions)) => opinions,
        Ok(Err(_)) => vec![Opinion::Broken("the interpreter panicked".into()); MODES.len()],
        Err(error) => vec![Opinion::Broken(format!("no thread: {error}")); MODES.len()],
    }
}

fn one(interpreter: &Interpreter, drawn: &Drawn, mode: usize) -> Opinion {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let console = Console { out: &mut out, err: &mut err, out_is_terminal: false, err_is_terminal: false };
    let arguments = std::iter::once("model".to_owned()).chain(options(drawn, mode)).map(OsString::from);
    mcc_runtime::run(interpreter, arguments, console, &AtomicBool::new(false));
    Opinion::from_report(&out)
}
