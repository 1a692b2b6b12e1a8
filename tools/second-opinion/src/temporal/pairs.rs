//! Random pairs of model and formula: the search in several ways, and Spin.

use super::drawing::{self, Table};
use super::formula::{self, Formula};
use super::promela::Positions;
use super::{lasso, murphi, spin};
use crate::interpreted::on_deep_stack;
use crate::random::Random;
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_runtime::{Console, Interruption};
use serde_json::Value;
use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Ways to search: the first one's loop is checked, all must say the same.
const WAYS: [&str; 4] = ["-j1", "-j3 --threads-from 1", "-b -vdfs", "-b -j2 --threads-from 1"];

/// A model with its formulas.
#[derive(Clone, Debug)]
pub struct Pairs {
    pub seed: u64,
    pub table: Table,
    pub formulas: Vec<Formula>,
}

/// What was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub pairs: usize,
    /// Those in which the model has a fair rule.
    pub fair: usize,
    pub violated: usize,
    /// Those about which Spin said nothing.
    pub silent: usize,
    /// Loops that were checked.
    pub loops: usize,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.pairs += other.pairs;
        self.fair += other.fair;
        self.violated += other.violated;
        self.silent += other.silent;
        self.loops += other.loops;
    }
}

pub fn draw(seed: u64, formulas: usize) -> Pairs {
    let mut random = Random::new(seed);
    let table = drawing::draw(&mut random);
    let formulas = (0..formulas).map(|_| formula::draw(&mut random, &table)).collect();
    Pairs { seed, table, formulas }
}

impl Pairs {
    /// The model with one of the formulas.
    pub fn murphi(&self, formula: &Formula) -> String {
        format!("{}ltl \"f\" {};\n", murphi::text(&self.table), formula.murphi(&self.table))
    }

    /// Asks everyone. `Err`: what they do not agree on.
    pub fn compare(&self, folder: &Path) -> io::Result<Result<Tally, String>> {
        let mut tally = Tally::default();
        let Some(positions) = Positions::new(&self.table) else { return Ok(Ok(tally)) };
        let (promela, properties) = positions.model(&self.table, &self.formulas);
        let decided = spin::ask(&promela, &properties, folder)?;
        for (formula, theirs) in self.formulas.iter().zip(decided) {
            let text = self.murphi(formula);
            let mut first = None;
            for way in WAYS {
                let report = match search(&text, way) {
                    Ok(report) => report,
                    Err(why) => return Ok(Err(format!("{way}: {why}\n{text}"))),
                };
                let ours = match report["verdict"].as_str() {
                    Some("verified") => true,
                    Some("violated") => false,
                    _ => return Ok(Err(format!("{way}: it is not decided\n{text}"))),
                };
                if !ours && let Err(why) = lasso::check(&self.table, formula, &report) {
                    return Ok(Err(format!("{way}: {why}\n{text}")));
                }
                tally.loops += usize::from(!ours);
                if ours != *first.get_or_insert(ours) {
                    return Ok(Err(format!("{way} says {ours}, others say otherwise\n{text}")));
                }
            }
            let ours = first == Some(true);
            if theirs.is_some_and(|theirs| theirs != ours) {
                return Ok(Err(format!("holds: {ours}, and Spin says {theirs:?}\n{text}\n{promela}")));
            }
            tally.pairs += usize::from(theirs.is_some());
            tally.silent += usize::from(theirs.is_none());
            tally.fair += usize::from(theirs.is_some() && !self.table.fair().is_empty());
            tally.violated += usize::from(theirs.is_some() && !ours);
        }
        Ok(Ok(tally))
    }
}

/// The report of a search in the interpreter.
fn search(text: &str, way: &str) -> Result<Value, String> {
    let source = Source::new("runs.m", text.to_owned());
    let (model, diagnostics) = mcc_murphi::check(&source);
    let model = model.ok_or_else(|| {
        diagnostics.first().map_or("no reason".to_owned(), |one| format!("{}: {}", one.code, one.message))
    })?;
    on_deep_stack(|| {
        let interpreter = Interpreter::new(model, &source);
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let console =
            Console { out: &mut out, err: &mut err, out_is_terminal: false, err_is_terminal: false };
        let fixed = ["model", "--quiet", "--json=-", "--no-deadlock"];
        let arguments = fixed.into_iter().chain(way.split_whitespace()).map(OsString::from);
        mcc_runtime::run(&interpreter, arguments, console, &Interruption::none());
        serde_json::from_slice(&out)
            .map_err(|error| format!("no report: {error}: {}", String::from_utf8_lossy(&err)))
    })?
}
