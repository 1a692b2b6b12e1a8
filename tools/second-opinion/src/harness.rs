//! Models in, disagreements out.

use crate::compiled::{Unit, Workshop};
use crate::generate::{Dialect, Drawn};
use crate::layout::indented;
use crate::opinion::{MODES, Opinion, STRICT};
use crate::rumur::{self, Verdict};
use crate::survey::Survey;
use crate::{interpreted, shrink};
use mcc_murphi::GeneratedModel;
use mcc_murphi::analysis::Optimisations;
use mcc_murphi::semantics::model::Model;
use mcc_murphi::source::Source;
use std::collections::BTreeMap;
use std::io;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A model that the checker accepts, in all its forms.
pub struct Prepared {
    pub drawn: Drawn,
    pub source: Source,
    pub model: Model,
    pub code: GeneratedModel,
}

/// What was found on one model.
#[derive(Clone, Debug)]
pub struct Disagreement {
    pub drawn: Drawn,
    /// In what the opinions differ: a smaller model must differ in the same.
    pub label: String,
    pub details: String,
}

/// Counts over all batches.
#[derive(Debug, Default)]
pub struct Tally {
    pub drawn: usize,
    pub refused: usize,
    pub compared: usize,
    pub rumur_compared: usize,
    pub rumur_silent: usize,
    /// How many models had each verdict.
    pub outcomes: BTreeMap<String, usize>,
    pub survey: Survey,
    /// Why the checker, or Rumur, did not take a model.
    pub refusals: BTreeMap<String, usize>,
}

/// Parses, checks and compiles a model; or says why the checker does not want it.
pub fn prepare(drawn: Drawn) -> Result<Prepared, String> {
    let source = Source::new("model.m", indented(&drawn.tree.text()));
    let (model, diagnostics) = mcc_murphi::check(&source);
    let Some(model) = model else {
        let first = diagnostics.iter().find(|one| one.severity == mcc_murphi::diagnostics::Severity::Error);
        return Err(first.map_or("no reason".into(), |one| format!("{}: {}", one.code, one.message)));
    };
    match mcc_murphi::generate(&model, &source, &Optimisations::default()) {
        Ok(code) => Ok(Prepared { drawn, source, model, code }),
        Err(diagnostic) => Err(diagnostic.message.clone()),
    }
}

/// Who compares: what a model is made smaller for.
pub trait Jury {
    /// Whether a model is worth comparing, and all its forms if so.
    fn prepare(&self, drawn: Drawn) -> Result<Prepared, String>;

    /// Where opinions about some models differ; counts nothing.
    fn disagreements(&mut self, prepared: &[Prepared]) -> io::Result<Vec<Disagreement>>;
}

impl Jury for Harness {
    fn prepare(&self, drawn: Drawn) -> Result<Prepared, String> {
        prepare(drawn)
    }

    fn disagreements(&mut self, prepared: &[Prepared]) -> io::Result<Vec<Disagreement>> {
        let tally = std::mem::take(&mut self.tally);
        let found = self.compare(prepared);
        self.tally = tally;
        found
    }
}

pub struct Harness {
    pub workshop: Workshop,
    pub rumur: bool,
    pub tally: Tally,
}

impl Harness {
    /// Runs a batch, and shrinks what it disagrees on.
    pub fn batch(&mut self, drawn: Vec<Drawn>, shrink: bool) -> io::Result<Vec<Disagreement>> {
        let mut prepared = Vec::new();
        for one in drawn {
            self.tally.drawn += 1;
            match prepare(one) {
                Ok(one) => prepared.push(one),
                Err(why) => self.refuse(why),
            }
        }
        let found = self.compare(&prepared)?;
        if !shrink {
            return Ok(found);
        }
        found.into_iter().map(|one| shrink::shrink(self, one)).collect()
    }

    /// Asks the interpreter alone, to see what is drawn.
    pub fn look(&mut self, drawn: Vec<Drawn>) {
        for one in drawn {
            self.tally.drawn += 1;
            match prepare(one) {
                Ok(one) => {
                    let opinions = interpreted::ask(&one.drawn, &one.model, &one.source, &MODES);
                    self.count(&one, &opinions, None);
                }
                Err(why) => self.refuse(why),
            }
        }
    }

    fn refuse(&mut self, why: String) {
        self.tally.refused += 1;
        *self.tally.refusals.entry(why).or_default() += 1;
    }

    /// Asks everyone about every model.
    pub fn compare(&mut self, prepared: &[Prepared]) -> io::Result<Vec<Disagreement>> {
        let units: Vec<Unit> =
            prepared.iter().map(|one| Unit { drawn: &one.drawn, code: one.code.clone() }).collect();
        let (compiled, interpreted) = std::thread::scope(|scope| {
            let compiled = scope.spawn(|| self.workshop.ask(&units, &MODES));
            let interpreted: Vec<Vec<Opinion>> = prepared
                .iter()
                .map(|one| interpreted::ask(&one.drawn, &one.model, &one.source, &MODES))
                .collect();
            (compiled.join(), interpreted)
        });
        let compiled = compiled.map_err(|_| io::Error::other("the builder panicked"))??;
        let rumur = if self.rumur { self.ask_rumur(prepared, &interpreted)? } else { Vec::new() };

        let mut found = Vec::new();
        for (at, one) in prepared.iter().enumerate() {
            let theirs = rumur.get(at).and_then(Option::as_ref);
            self.count(one, &interpreted[at], theirs);
            let judged = judge(&interpreted[at], &compiled[at], theirs);
            found.extend(judged.map(|(label, details)| Disagreement {
                drawn: one.drawn.clone(),
                label,
                details,
            }));
        }
        Ok(found)
    }

    fn count(&mut self, one: &Prepared, interpreted: &[Opinion], rumur: Option<&Verdict>) {
        self.tally.compared += 1;
        *self.tally.outcomes.entry(interpreted[0].verdict().to_owned()).or_default() += 1;
        self.tally.survey.add(&one.drawn, &one.model, interpreted);
        match rumur {
            Some(Verdict::None(why)) => {
                self.tally.rumur_silent += 1;
                *self.tally.refusals.entry(why.clone()).or_default() += 1;
            }
            Some(Verdict::Verified { .. } | Verdict::Violated(_)) => self.tally.rumur_compared += 1,
            None => {}
        }
    }

    /// Asks Rumur about the models whose search ends, two at a time.
    fn ask_rumur(
        &self,
        prepared: &[Prepared],
        interpreted: &[Vec<Opinion>],
    ) -> io::Result<Vec<Option<Verdict>>> {
        let folder = self.workshop.folder.join("rumur");
        let (next, answers) = (AtomicUsize::new(0), Mutex::new(vec![None; prepared.len()]));
        let work = || -> io::Result<()> {
            loop {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(one) = prepared.get(at) else { return Ok(()) };
                let decided = matches!(interpreted[at][STRICT].verdict(), "verified" | "violated");
                if one.drawn.dialect == Dialect::Rumur && decided {
                    let verdict = rumur::ask(&one.drawn, at, &one.source.text, &folder)?;
                    if let Ok(mut answers) = answers.lock() {
                        answers[at] = Some(verdict);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            let other = scope.spawn(work);
            work()?;
            other.join().map_err(|_| io::Error::other("a worker panicked"))?
        })?;
        Ok(answers.into_inner().unwrap_or_default())
    }
}

/// In what the opinions about a model differ, and what they are.
fn judge(interpreted: &[Opinion], compiled: &[Opinion], rumur: Option<&Verdict>) -> Option<(String, String)> {
    for mode in 0..MODES.len() {
        if let Some(part) = interpreted[mode].difference(&compiled[mode]) {
            let (left, right) = (&interpreted[mode], &compiled[mode]);
            let details = format!(
                "options {:?}\n  interpreter: {left}\n  compiled: {right}\n{}",
                MODES[mode],
                parts(left, right, &part)
            );
            return Some((part, details));
        }
    }
    if let Some(part) = interpreted[0].difference(&interpreted[1]) {
        let details = format!("aligned: {}\npacked: {}", interpreted[0], interpreted[1]);
        return Some((format!("packed: {part}"), details));
    }
    let (breadth, depth) = (&interpreted[0], &interpreted[2]);
    let decided = |one: &Opinion| matches!(one.verdict(), "verified" | "violated");
    if decided(breadth) && decided(depth) && breadth.verdict() != depth.verdict() {
        return Some(("orders".into(), format!("breadth first: {breadth}\ndepth first: {depth}")));
    }
    let theirs = rumur?;
    let part = rumur::difference(&interpreted[STRICT], theirs)?;
    Some((part, format!("interpreter: {}\nrumur: {theirs:?}", interpreted[STRICT])))
}

/// The part of two reports in which they differ.
fn parts(left: &Opinion, right: &Opinion, part: &str) -> String {
    match (left, right) {
        (Opinion::Report(left), Opinion::Report(right)) => {
            let cut = |text: String| text.chars().take(1500).collect::<String>();
            format!("  {}\n  {}", cut(left[part].to_string()), cut(right[part].to_string()))
        }
        _ => String::new(),
    }
}
