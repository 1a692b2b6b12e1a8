//! Spin, where it is on PATH, on the models of ours that have a Promela half: `spin -a`, then the C
//! compiler.
//!
//! The search is Spin's fastest exhaustive one: depth first, for safety alone. Partial-order
//! reduction and the optimisations that leave states out are off, so that both halves of a pair
//! have the same states.

use super::{
    Answer, Language, Outcome, Task, ThreadChoice, Tool, ToolName, Verdict, compiler, on_path, run,
    spare_megabytes,
};
use crate::process::Finished;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

/// Depths of the search stack to try.
const DEPTHS: [u64; 4] = [1_000_000, 10_000_000, 100_000_000, 1_000_000_000];
/// Larger counts are printed with their last digits rounded away.
const EXACT_COUNTS: f64 = 99_999_999.0;

pub struct Spin {
    command: PathBuf,
    /// Arguments for the C compiler in addition, passed as they stand.
    extra: Vec<OsString>,
}

impl Spin {
    pub fn find(extra: Vec<OsString>) -> Option<Spin> {
        Some(Spin { command: on_path("spin")?, extra })
    }
}

impl Tool for Spin {
    fn name(&self) -> ToolName {
        ToolName::Spin
    }

    fn language(&self) -> Language {
        Language::Promela
    }

    fn thread_choice(&self) -> ThreadChoice {
        ThreadChoice::Never
    }

    fn reduces_symmetry(&self) -> bool {
        false
    }

    fn build_steps(&self, _: Task, model: &Path, verifier: &Path) -> Vec<Command> {
        let folder = model.parent().unwrap_or(Path::new("."));
        let mut translate = Command::new(&self.command);
        // No resetting of dead variables, no hiding of write-only ones, no merging of steps.
        translate.current_dir(folder).args(["-o1", "-o2", "-o3", "-a"]);
        translate.arg(model.file_name().unwrap_or_default());
        let mut compile = Command::new(compiler("CC", "cc"));
        compile.current_dir(folder).args(["-O3", "-march=native", "-w", "-DSAFETY", "-DNOREDUCE"]);
        compile.arg(format!("-DMEMLIM={}", spare_megabytes())).args(&self.extra);
        compile.arg("-o").arg(verifier).arg("pan.c");
        vec![translate, compile]
    }

    /// Finds how deep the stack has to be, and of two sizes of the hash table that suit the number
    /// of states the faster.
    fn run_arguments(
        &self,
        _: Task,
        verifier: &Path,
        limit: Duration,
    ) -> io::Result<Result<Vec<OsString>, Outcome>> {
        let mut deepest = None;
        for depth in DEPTHS {
            let (outcome, finished) = run(self, verifier, &arguments(depth, 24), limit)?;
            if too_deep(&finished) {
                continue;
            }
            let Outcome::Answered(answer) = outcome else { return Ok(Err(outcome)) };
            let reached = number_after(&finished.stdout, "depth reached ").unwrap_or(depth);
            deepest = Some((reached, answer.states));
            break;
        }
        let Some((reached, states)) = deepest else { return Ok(Err(Outcome::OutOfMemory)) };
        let one_slot_each = states.max(1024).next_power_of_two().ilog2();
        let mut best: Option<(f64, Vec<OsString>)> = None;
        for slots in [one_slot_each, one_slot_each + 2] {
            let arguments = arguments(reached + 10, slots);
            let (outcome, finished) = run(self, verifier, &arguments, limit)?;
            let Outcome::Answered(_) = outcome else { return Ok(Err(outcome)) };
            if best.as_ref().is_none_or(|(seconds, _)| finished.seconds < *seconds) {
                best = Some((finished.seconds, arguments));
            }
        }
        Ok(best.map(|(_, arguments)| arguments).ok_or(Outcome::OutOfMemory))
    }

    fn interpret(&self, finished: &Finished) -> Outcome {
        let output = &finished.stdout;
        let complaints = [output.as_str(), &finished.stderr];
        if ["-DMEMLIM bound", "out of memory"]
            .iter()
            .any(|it| complaints.iter().any(|text| text.contains(it)))
        {
            return Outcome::OutOfMemory;
        }
        if too_deep(finished) {
            return Outcome::Failed("its stack is too small".to_owned());
        }
        let counts = (
            number_before(output, " states, stored"),
            number_before(output, " transitions (= "),
            number_after(output, "errors: "),
        );
        let (Some(states), Some(transitions), Some(errors)) = counts else {
            return Outcome::Failed(finished.complaint());
        };
        if states > EXACT_COUNTS || transitions > EXACT_COUNTS {
            return Outcome::Failed("its counts are too large to be printed exactly".to_owned());
        }
        let verdict = if errors == 0 { Verdict::Verified } else { Verdict::Violated };
        // Among its transitions is the step into the start state, which no rule takes.
        let rules = (transitions as u64).saturating_sub(1);
        Outcome::Answered(Answer { verdict, states: states as u64, rules })
    }
}

/// No deadlock check, no listing of statements that were not reached, a stack and a table of these
/// sizes.
fn arguments(depth: u64, slots: u32) -> Vec<OsString> {
    ["-E".into(), "-n".into(), format!("-m{depth}").into(), format!("-w{slots}").into()].into()
}

/// What lies below the depth of the stack was left out.
fn too_deep(finished: &Finished) -> bool {
    finished.stdout.contains("max search depth too small")
        || finished.stderr.contains("max search depth too small")
}

/// The number at the end of what stands before `words` on a line. Spin prints large ones with an
/// exponent.
fn number_before(output: &str, words: &str) -> Option<f64> {
    let (before, _) = output.lines().find_map(|line| line.split_once(words))?;
    before.split_whitespace().last()?.parse().ok()
}

fn number_after(output: &str, words: &str) -> Option<u64> {
    let (_, after) = output.lines().find_map(|line| line.split_once(words))?;
    after.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}
