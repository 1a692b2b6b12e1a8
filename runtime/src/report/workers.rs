//! What each worker of a server has done.

use crate::datum::{Datum, Section};
use crate::serve::seats::WorkerStats;
use crate::text::{grouped, plural, printable};

/// The section of a search whose states were expanded by workers.
pub(super) fn section(table: &[WorkerStats]) -> Section {
    let mut lines = Vec::new();
    let mut records = Vec::new();
    for stats in table {
        let WorkerStats { number, address, states, batches, lost, seconds, busy, silent, gone } = stats;
        let rate = *states as f64 / seconds.max(1e-3);
        let share = (busy / seconds.max(1e-3)).min(1.0);
        records.push(Datum::record([
            ("worker", (*number).into()),
            ("address", Datum::Text(address.clone().into())),
            ("states", (*states).into()),
            ("batches", (*batches).into()),
            ("batches_lost", (*lost).into()),
            ("seconds", Datum::Number(*seconds)),
            ("states_per_second", Datum::Number(rate)),
            ("busy", Datum::Number(share)),
            ("silent_seconds", Datum::Number(*silent)),
            ("gone", gone.as_ref().map_or(Datum::Absent, |why| Datum::Text(why.clone().into()))),
        ]));
        let name = match number {
            0 => "workers".to_owned(),
            number => format!("worker {number}"),
        };
        let lost = match lost {
            0 => String::new(),
            1 => ", 1 batch lost".to_owned(),
            lost => format!(", {lost} batches lost"),
        };
        let heard = match gone {
            Some(why) => why.clone(),
            None => format!("last heard of {silent:.1} s before the end"),
        };
        lines.push(format!(
            "{name} ({}): {} in {batches} batches, {} states/s, busy {:.0} % of {seconds:.1} s{lost}, {}",
            printable(address),
            plural(*states, "state"),
            grouped(rate as u64),
            100.0 * share,
            printable(&heard)
        ));
    }
    Section { key: "workers", figures: Datum::List(records), lines }
}
