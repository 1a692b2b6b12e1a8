//! What each process of a search has done.

use crate::datum::{Datum, Section};
use crate::search::across::ClusterStats;
use crate::text::{bytes, grouped, plural, printable};

/// The section of a search of several processes.
pub(super) fn section(stats: &ClusterStats) -> Section {
    let mut lines = Vec::new();
    let mut records = Vec::new();
    let (mut states_sent, mut repeated, mut bytes_sent) = (0, 0, 0);
    for (number, (place, done)) in stats.processes.iter().enumerate() {
        let mut record = vec![
            ("process", number.into()),
            ("address", Datum::Text(place.address.clone().into())),
            ("threads", place.threads.into()),
            ("share", place.share.into()),
        ];
        let head = format!(
            "process {number} ({}), {}",
            printable(&place.address),
            plural(place.threads as u64, "thread")
        );
        match done {
            Some(done) => {
                states_sent += done.states_sent;
                repeated += done.states_repeated;
                bytes_sent += done.bytes_sent;
                record.extend([
                    ("states", done.states.into()),
                    ("rules_fired", done.rules.into()),
                    ("memory_bytes", done.memory.into()),
                    ("states_sent", done.states_sent.into()),
                    ("states_repeated", done.states_repeated.into()),
                    ("bytes_sent", done.bytes_sent.into()),
                ]);
                lines.push(format!(
                    "{head}: {}, {} fired, {} of memory, {} sent",
                    plural(done.states, "state"),
                    plural(done.rules, "rule"),
                    bytes(done.memory),
                    plural(done.states_sent, "state")
                ));
            }
            None => lines.push(format!("{head}: nothing is known of what it did")),
        }
        records.push(Datum::Record(record));
    }
    let each = (states_sent > 0).then(|| bytes_sent as f64 / states_sent as f64);
    if let Some(each) = each {
        lines.push(format!(
            "cluster: {} states sent between processes, {each:.1} bytes for each; {} were sent lately, and not again",
            grouped(states_sent),
            grouped(repeated)
        ));
    }
    let figures = Datum::record([
        ("processes", Datum::List(records)),
        ("states_sent", states_sent.into()),
        ("states_repeated", repeated.into()),
        ("bytes_sent", bytes_sent.into()),
        ("bytes_per_state_sent", each.map_or(Datum::Absent, Datum::Number)),
        ("encrypted", stats.encrypted.into()),
    ]);
    Section { key: "cluster", figures, lines }
}
