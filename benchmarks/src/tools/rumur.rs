//! Rumur, where it is on PATH: `rumur`, then the C compiler with the options that its `rumur-run` passes.

use super::{Outcome, Tool, ToolName, compiler, interpret_summary, on_path};
use crate::process::Finished;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub struct Rumur {
    command: PathBuf,
    threads: u32,
}

impl Rumur {
    pub fn find(threads: u32) -> Option<Rumur> {
        Some(Rumur { command: on_path("rumur")?, threads })
    }
}

impl Tool for Rumur {
    fn name(&self) -> ToolName {
        ToolName::Rumur
    }

    fn build_steps(&self, model: &Path, verifier: &Path) -> Vec<Command> {
        let source = model.with_extension("c");
        let mut translate = Command::new(&self.command);
        translate.args(["--symmetry-reduction", "off", "--deadlock-detection", "off", "--threads"]);
        translate.arg(self.threads.to_string()).arg("--output").arg(&source).arg(model);
        let mut compile = Command::new(compiler("CC", "cc"));
        compile.args(["-std=c11", "-O3", "-march=native", "-mtune=native", "-flto", "-fwhole-program"]);
        if cfg!(target_arch = "x86_64") {
            compile.arg("-mcx16");
        }
        compile.arg("-o").arg(verifier).arg(&source).arg("-lpthread");
        vec![translate, compile]
    }

    /// Everything was decided when the verifier was generated; its table grows by itself.
    fn run_arguments(&self, _: &Path, _: Duration) -> io::Result<Result<Vec<OsString>, Outcome>> {
        Ok(Ok(Vec::new()))
    }

    fn interpret(&self, finished: &Finished) -> Outcome {
        if finished.stderr.contains("out of memory") {
            return Outcome::OutOfMemory;
        }
        interpret_summary(finished)
    }
}
