//! The sections of a report that only some searches have, in the order in which people read them.

use super::checkpoints;
use super::coverage;
use super::locality;
use super::path;
use crate::contract::coverage::Part;
use crate::datum::{Datum, Section};
use crate::locality::Locality;
use crate::search::Outcome;
use crate::search::outcome::Checked;
use crate::search::walking::WalkStats;
use crate::settings::Settings;
use crate::settings::watch::Watched;
use crate::spool::SpillStats;
use crate::text::{bytes, grouped, plural};
use std::cmp::Ordering;

/// Sections in the order of their lines. What a visited set reports under a key of its own stands
/// where caches and tables on disk do.
const LINES: &[&str] = &[
    "rules_left_out",
    "walked",
    "compaction",
    "disk_queue",
    OWN_KEY,
    "checkpoints",
    "cluster",
    "workers",
    "path",
    "coverage",
];
const OWN_KEY: &str = "";

/// All that there is to say about this search in particular.
pub(super) fn sections(
    outcome: &Outcome,
    settings: &Settings,
    profile: Option<&Locality>,
    parts: &[Part],
) -> Vec<Section> {
    let set = outcome.set.as_ref().map(|set| set.sections(&outcome.facts(settings)));
    let (of_path, of_set): (Vec<_>, Vec<_>) =
        set.unwrap_or_default().into_iter().partition(|section| section.key == "path.cache");
    let of_path = of_path.into_iter().next();
    let mut sections: Vec<Section> = of_set;
    sections.extend(outcome.slept.map(left_out));
    sections.extend(outcome.walked.map(|of| walked(of, outcome.counts.states)));
    sections.extend(outcome.spilled.map(queue));
    sections.extend(outcome.checkpointed.as_ref().map(checkpoints::section));
    sections.extend(outcome.cluster.as_ref().map(super::cluster::section));
    sections.extend(outcome.workers.as_deref().map(super::workers::section));
    sections.extend(outcome.descended.map(|stats| path::section(stats, outcome.counts.rules, of_path)));
    sections.extend(outcome.watched.as_ref().map(watched));
    sections.extend(outcome.temporal.as_ref().map(runs));
    sections.extend(profile.map(locality::section));
    sections.extend((!parts.is_empty()).then(|| coverage::section(parts)));
    sections.sort_by(in_order);
    sections
}

fn in_order(left: &Section, right: &Section) -> Ordering {
    let place = |section: &Section| {
        let found = LINES.iter().position(|key| *key == section.key);
        found.or_else(|| LINES.iter().position(|key| *key == OWN_KEY))
    };
    place(left).cmp(&place(right))
}

/// What deciding the properties about runs took.
fn runs(checked: &Checked) -> Section {
    let apart = checked.apart.iter().map(|&(scalarset, elements)| {
        Datum::record([("scalarset", scalarset.into()), ("elements", elements.into())])
    });
    let figures = Datum::record([
        ("edges", checked.edges.into()),
        ("noted", checked.by_noted.into()),
        ("product", checked.product.into()),
        ("kept_apart", Datum::List(apart.collect())),
        ("seconds", checked.seconds.into()),
    ]);
    Section { key: "runs", figures, lines: Vec::new() }
}

fn left_out(slept: u64) -> Section {
    let line = format!("sleep sets: {} left out", plural(slept, "enabled rule"));
    Section { key: "rules_left_out", figures: slept.into(), lines: vec![line] }
}

fn walked(WalkStats { states, longest, circles }: WalkStats, stored: u64) -> Section {
    let figures =
        Datum::record([("states", states.into()), ("longest", longest.into()), ("circles", circles.into())]);
    let line = format!(
        "path compression: {} stored, {} walked through, each time counted; the longest walk {}",
        plural(stored, "state"),
        grouped(states),
        grouped(longest)
    );
    Section { key: "walked", figures, lines: vec![line] }
}

fn queue(spilled: SpillStats) -> Section {
    let SpillStats { entry_bytes, written_bytes, peak_bytes } = spilled;
    let packed = (written_bytes > 0).then(|| spilled.packed());
    let figures = Datum::record([
        ("entry_bytes", entry_bytes.into()),
        ("written_bytes", written_bytes.into()),
        ("peak_bytes", peak_bytes.into()),
        ("packed", packed.into()),
    ]);
    let line = |packed| {
        format!(
            "queue on disk: {} written, {} at most in the files, packed to {:.0} %",
            bytes(written_bytes),
            bytes(peak_bytes),
            100.0 * packed
        )
    };
    Section { key: "disk_queue", figures, lines: packed.map(line).into_iter().collect() }
}

fn watched(watched: &Watched) -> Section {
    let mut figures = vec![
        ("state", watched.text().into()),
        ("found", watched.found.into()),
        ("distinct", watched.distinct.len().into()),
        // Of the set of all different states, in hexadecimal.
        ("digest", format!("{:032x}", watched.digest()).into()),
    ];
    if watched.listed {
        figures.push(("states", watched.states().into()));
    }
    Section { key: "watched", figures: Datum::Record(figures), lines: Vec::new() }
}
