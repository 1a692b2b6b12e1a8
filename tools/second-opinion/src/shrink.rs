//! Makes a model smaller as long as the opinions about it differ in the same way.

use crate::generate::Drawn;
use crate::harness::{Disagreement, Jury, Prepared};
use std::collections::HashSet;
use std::io;
use std::time::{Duration, Instant};

/// Candidates that are built in one crate.
const AT_ONCE: usize = 10;

/// After this long the model is small enough.
const PATIENCE: Duration = Duration::from_secs(240);

pub fn shrink(jury: &mut dyn Jury, mut found: Disagreement) -> io::Result<Disagreement> {
    let started = Instant::now();
    let mut seen = HashSet::new();
    'smaller: while started.elapsed() < PATIENCE {
        let candidates = found.drawn.tree.smaller();
        let mut prepared: Vec<Prepared> = Vec::new();
        let last = candidates.len().saturating_sub(1);
        for (at, tree) in candidates.into_iter().enumerate() {
            if tree.size() < found.drawn.tree.size() && seen.insert(tree.text()) {
                prepared.extend(jury.prepare(Drawn { tree, ..found.drawn.clone() }));
            }
            if prepared.len() == AT_ONCE || at == last && !prepared.is_empty() {
                let kept = jury.disagreements(&prepared)?.into_iter();
                let smallest =
                    kept.filter(|one| one.label == found.label).min_by_key(|one| one.drawn.tree.size());
                if let Some(smaller) = smallest {
                    found = smaller;
                    continue 'smaller;
                }
                prepared.clear();
                if started.elapsed() > PATIENCE {
                    break;
                }
            }
        }
        break;
    }
    Ok(found)
}
