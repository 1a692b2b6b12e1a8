//! Whether optimisations change nothing but time: models of the shapes that they key on, compiled
//! with all optimisations and without each, and interpreted.

use crate::compiled::{Unit, Workshop};
use crate::generate::Drawn;
use crate::harness::{Disagreement, Jury, Prepared, prepare};
use crate::interpreted;
use crate::opinion::Opinion;
use crate::shrink;
use mcc_murphi::GeneratedModel;
use mcc_murphi::analysis::{Optimisation, Optimisations};
use std::collections::BTreeMap;
use std::io;

/// How each program is run. The census compares all faults of all states; searches report one for
/// each state, and what they keep, count and trace depends on the same code.
pub const MODES: [&[&str]; 6] = [
    &["census"],
    &["census", "--strict-undefined"],
    &["--max-errors=100000", "--max-states=120"],
    &["--max-errors=100000", "--max-states=120", "--strict-undefined", "--search=dfs"],
    &["--max-states=400"],
    &["--sleep", "--max-errors=100000", "--max-states=120"],
];

/// A program of a model.
struct Variant {
    /// What it was compiled without.
    without: &'static str,
    code: GeneratedModel,
}

/// What was compared.
#[derive(Clone, Debug, Default)]
pub struct OptimisationStats {
    pub drawn: usize,
    pub refused: usize,
    pub compared: usize,
    /// Programs that were built and run: those without an optimisation that makes no difference to
    /// the code are not.
    pub programs: usize,
    /// How many models have other code without each optimisation.
    pub concerned: BTreeMap<&'static str, usize>,
    /// How many programs were built without each optimisation.
    pub built: BTreeMap<&'static str, usize>,
    pub verdicts: BTreeMap<String, usize>,
    /// Different faults, each counted once for each state and rule, and violated states.
    pub faults: usize,
    pub violations: usize,
    pub states: usize,
    /// Why the checker did not take a model.
    pub refusals: BTreeMap<String, usize>,
}

/// Builds and compares.
pub struct OptimisationHarness {
    pub workshop: Workshop,
    pub stats: OptimisationStats,
    /// Whether each model is built without each optimisation, and not without one of them alone.
    pub every: bool,
}

impl Jury for OptimisationHarness {
    fn prepare(&self, drawn: Drawn) -> Result<Prepared, String> {
        prepare(drawn)
    }

    fn disagreements(&mut self, prepared: &[Prepared]) -> io::Result<Vec<Disagreement>> {
        let stats = self.stats.clone();
        let found = self.compare(prepared);
        self.stats = stats;
        found
    }
}

impl OptimisationHarness {
    pub fn new(mut workshop: Workshop, every: bool) -> Self {
        workshop.assertions = true;
        OptimisationHarness { workshop, stats: OptimisationStats::default(), every }
    }

    /// Runs a batch, and shrinks what it disagrees on.
    pub fn batch(&mut self, drawn: Vec<Drawn>, shrink: bool) -> io::Result<Vec<Disagreement>> {
        let mut prepared = Vec::new();
        for one in drawn {
            self.stats.drawn += 1;
            match prepare(one) {
                Ok(one) => prepared.push(one),
                Err(why) => {
                    self.stats.refused += 1;
                    *self.stats.refusals.entry(why).or_default() += 1;
                }
            }
        }
        let found = self.compare(&prepared)?;
        if !shrink {
            return Ok(found);
        }
        let every = std::mem::replace(&mut self.every, true);
        let found = found.into_iter().map(|one| shrink::shrink(self, one)).collect();
        self.every = every;
        found
    }

    fn compare(&mut self, prepared: &[Prepared]) -> io::Result<Vec<Disagreement>> {
        let mut units = Vec::new();
        let mut names = Vec::new();
        for (at, one) in prepared.iter().enumerate() {
            for Variant { without, code } in self.variants(one) {
                units.push(Unit { drawn: &one.drawn, code });
                names.push((at, without));
            }
        }
        self.stats.programs += units.len();
        let (compiled, interpreted) = std::thread::scope(|scope| {
            let compiled = scope.spawn(|| self.workshop.ask(&units, &MODES));
            let interpreted: Vec<Vec<Opinion>> = prepared
                .iter()
                .map(|one| interpreted::ask(&one.drawn, &one.model, &one.source, &MODES))
                .collect();
            (compiled.join(), interpreted)
        });
        let compiled = compiled.map_err(|_| io::Error::other("the builder panicked"))??;
        interpreted.iter().for_each(|opinions| self.count(opinions));
        let mut found: Vec<Disagreement> = Vec::new();
        let mut last = None;
        for ((at, without), opinions) in names.into_iter().zip(&compiled) {
            let Some((label, details)) = difference(&interpreted[at], opinions, without) else { continue };
            // One for each model is enough.
            if last.replace(at) != Some(at) {
                found.push(Disagreement { drawn: prepared[at].drawn.clone(), label, details });
            }
        }
        Ok(found)
    }

    /// The programs of a model: with all optimisations, without any, and without one that makes a
    /// difference, or each of them.
    fn variants(&mut self, one: &Prepared) -> Vec<Variant> {
        let mut variants = vec![Variant { without: "nothing", code: one.code.clone() }];
        let all = Optimisations::without(Optimisation::ALL);
        let each = Optimisation::ALL.map(|left_out| (left_out.name(), Optimisations::without([left_out])));
        for (without, optimisations) in [("all", all)].into_iter().chain(each) {
            let generated = mcc_murphi::generate(&one.model, &one.source, &optimisations);
            let Ok(code) = generated else { continue };
            if code.model_rs != one.code.model_rs {
                *self.stats.concerned.entry(without).or_default() += 1;
            }
            if variants.iter().all(|other| other.code.model_rs != code.model_rs) {
                variants.push(Variant { without, code });
            }
        }
        if !self.every && variants.len() > 3 {
            let chosen = 2 + (one.drawn.seed % (variants.len() as u64 - 2)) as usize;
            variants.swap(2, chosen);
            variants.truncate(3);
        }
        variants.iter().for_each(|built| *self.stats.built.entry(built.without).or_default() += 1);
        variants
    }

    fn count(&mut self, interpreted: &[Opinion]) {
        self.stats.compared += 1;
        let Some(Opinion::Report(census)) = interpreted.first() else { return };
        let lines = census["lines"].as_array().into_iter().flatten().filter_map(|line| line.as_str());
        for line in lines {
            self.stats.faults += usize::from(line.starts_with(" family"));
            self.stats.states += usize::from(line.starts_with("state"));
            let violated = line.starts_with("state") && !line.ends_with("holds");
            self.stats.violations += usize::from(violated);
        }
        let verdict = interpreted.get(4).map_or("none", Opinion::verdict);
        *self.stats.verdicts.entry(verdict.to_owned()).or_default() += 1;
    }
}

/// In what a program and the interpreter differ.
fn difference(interpreted: &[Opinion], compiled: &[Opinion], without: &str) -> Option<(String, String)> {
    let mut pairs = MODES.iter().zip(interpreted.iter().zip(compiled));
    pairs.find_map(|(mode, (left, right))| {
        let part = left.difference(right)?;
        let details = format!(
            "compiled without {without}, options {mode:?}\n  interpreter: {left}\n  compiled: {right}\n{}",
            differing_lines(left, right, &part)
        );
        Some((format!("{part} without {without}"), details))
    })
}

/// The first lines in which two censuses differ, or the parts of two reports.
fn differing_lines(left: &Opinion, right: &Opinion, part: &str) -> String {
    let (Opinion::Report(left), Opinion::Report(right)) = (left, right) else { return String::new() };
    let (Some(left_lines), Some(right_lines)) = (left[part].as_array(), right[part].as_array()) else {
        return format!("  {}\n  {}", left[part], right[part]);
    };
    let place = left_lines.iter().zip(right_lines).position(|(left, right)| left != right);
    let place = place.unwrap_or(left_lines.len().min(right_lines.len()));
    let cut = |lines: &[serde_json::Value]| {
        let first = place.saturating_sub(3);
        let lines = lines.iter().skip(first).take(8).map(|line| line.to_string());
        lines.map(|line| format!("    {}\n", line.chars().take(400).collect::<String>())).collect::<String>()
    };
    format!("  interpreter, from line {place}:\n{}  compiled:\n{}", cut(left_lines), cut(right_lines))
}
