//! Rumur, where it is on PATH: `rumur`, then the C compiler with the options that its `rumur-run`
//! passes.

use super::{Outcome, Task, ThreadChoice, Tool, ToolName, compiler, interpret_summary, on_path};
use crate::process::Finished;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub struct Rumur {
    command: PathBuf,
    /// Arguments for `rumur` in addition, passed as they stand.
    extra: Vec<OsString>,
}

impl Rumur {
    pub fn find(extra: Vec<OsString>) -> Option<Rumur> {
        Some(Rumur { command: on_path("rumur")?, extra })
    }
}

impl Tool for Rumur {
    fn name(&self) -> ToolName {
        ToolName::Rumur
    }

    fn thread_choice(&self) -> ThreadChoice {
        ThreadChoice::WhenBuilt
    }

    fn build_steps(&self, task: Task, model: &Path, verifier: &Path) -> Vec<Command> {
        let source = model.with_extension("c");
        let mut translate = Command::new(&self.command);
        let symmetry = if task.symmetry { "heuristic" } else { "off" };
        translate.args(["--symmetry-reduction", symmetry, "--deadlock-detection", "off", "--threads"]);
        translate.arg(task.threads.to_string()).args(&self.extra);
        translate.arg("--output").arg(&source).arg(model);
        let mut compile = Command::new(compiler("CC", "cc"));
        compile.args(["-std=c11", "-O3", "-march=native", "-mtune=native", "-flto", "-fwhole-program"]);
        if cfg!(target_arch = "x86_64") {
            compile.arg("-mcx16");
        }
        compile.arg("-o").arg(verifier).arg(&source).arg("-lpthread");
        vec![translate, compile]
    }

    /// Everything was decided when the verifier was generated; its table grows by itself.
    fn run_arguments(&self, _: Task, _: &Path, _: Duration) -> io::Result<Result<Vec<OsString>, Outcome>> {
        Ok(Ok(Vec::new()))
    }

    fn interpret(&self, finished: &Finished) -> Outcome {
        if finished.stderr.contains("out of memory") {
            return Outcome::OutOfMemory;
        }
        interpret_summary(finished)
    }
}
