//! One input through the front end, measured: decode, check, draw the diagnostics, and if asked,
//! generate code.

use std::panic::{self, AssertUnwindSafe};
use std::sync::Mutex;

use mcc_murphi::diagnostics::Diagnostic;
use mcc_murphi::diagnostics::render::{Style, render};
use mcc_murphi::input;
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_murphi::syntax;
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

use crate::features;

/// Of larger inputs, no features are taken: they are too slow to build upon.
const LARGEST_WITH_FEATURES: usize = 20_000;

/// A part of the work, which has a limit of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Phase {
    /// Reading, parsing and checking.
    Check,
    /// Drawing all diagnostics.
    Render,
    /// Generating code and formatting it.
    Compile,
    /// Preparing the model for the interpreter.
    Interpret,
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Examination {
    /// The model has no errors.
    pub accepted: bool,
    /// What a panic said, and where.
    pub panic: Option<(Phase, String)>,
    /// Microseconds of processor time.
    pub times: Vec<(Phase, u64)>,
    pub features: Vec<u32>,
}

/// What the last panic said; the hook leaves it here.
static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// Has panics noted instead of printed.
pub fn note_panics() {
    panic::set_hook(Box::new(|information| {
        if let Ok(mut last) = LAST_PANIC.lock() {
            *last = information.to_string();
        }
    }));
}

/// Examines an input; `deeply` means that code is generated as well, if the model is accepted.
pub fn examine(bytes: &[u8], deeply: bool) -> Examination {
    let mut examination = Examination::default();
    let Some(decoded) = examination.phase(Phase::Check, || input::decoded("model.m".into(), bytes)) else {
        return examination;
    };
    let Ok((source, warnings)) = decoded else {
        examination.features.push(features::hash("not text"));
        return examination;
    };
    let Some((model, found)) = examination.phase(Phase::Check, || mcc_murphi::check(&source)) else {
        return examination;
    };
    examination.accepted = model.is_some();
    let diagnostics: Vec<Diagnostic> = warnings.into_iter().chain(found).collect();
    examination.expect_sense(Phase::Check, &source, &diagnostics);
    examination.phase(Phase::Render, || {
        // Colours change nothing but the colours, so one of the two will do for large texts.
        let color = bytes.len().is_multiple_of(2);
        render(&source, &diagnostics, Style { color, ..Style::default() })
    });
    if bytes.len() <= LARGEST_WITH_FEATURES {
        examination.take_features(&source, &diagnostics);
        if let Some(model) = &model {
            features::of_tree(model, &mut examination.features);
        }
        examination.features.sort_unstable();
        examination.features.dedup();
    }
    if let Some(model) = model.filter(|_| deeply) {
        if let Some(compilation) = examination.phase(Phase::Compile, || mcc_murphi::compile(&source)) {
            examination.expect_sense(Phase::Compile, &source, &compilation.diagnostics);
        }
        examination.phase(Phase::Interpret, || drop(Interpreter::new(model, &source)));
    }
    examination
}

impl Examination {
    /// Does a part of the work; there is no result if it panicked.
    fn phase<T>(&mut self, phase: Phase, work: impl FnOnce() -> T) -> Option<T> {
        let began = processor_time();
        let result = panic::catch_unwind(AssertUnwindSafe(work));
        self.times.push((phase, processor_time().saturating_sub(began)));
        if result.is_err() {
            let message = LAST_PANIC.lock().map(|last| last.clone()).unwrap_or_default();
            self.panic = Some((phase, message));
        }
        result.ok()
    }

    /// Every place lies in the text and cuts no character in two, and nothing is the compiler's own
    /// mistake.
    fn expect_sense(&mut self, phase: Phase, source: &Source, diagnostics: &[Diagnostic]) {
        for diagnostic in diagnostics {
            let mut labels = std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary);
            let inside = labels
                .all(|label| source.text.get(label.span.start as usize..label.span.end as usize).is_some());
            if diagnostic.code.starts_with("internal") || !inside {
                self.panic = Some((phase, format!("{diagnostic:?}")));
            }
        }
    }

    fn take_features(&mut self, source: &Source, diagnostics: &[Diagnostic]) {
        diagnostics.iter().for_each(|one| features::of_diagnostic(one, &mut self.features));
        if let (Some(program), _) = syntax::parse(source) {
            features::of_tree(&program, &mut self.features);
        }
    }

    /// The time that a phase took in all.
    pub fn time(&self, phase: Phase) -> u64 {
        self.times.iter().filter(|(other, _)| *other == phase).map(|(_, time)| time).sum()
    }
}

/// Microseconds that this thread has had a processor for. Waiting for one does not count.
fn processor_time() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000 + time.tv_nsec as u64 / 1_000
}
