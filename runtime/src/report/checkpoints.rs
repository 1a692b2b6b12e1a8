//! What is reported of checkpoints.

use crate::datum::{Datum, Section};
use crate::search::saving::CheckpointStats;
use crate::text::{bytes, plural};

/// Checkpoints that were written, and from which the search was resumed.
pub(super) fn section(checkpointed: &CheckpointStats) -> Section {
    let CheckpointStats { written, failed, level, bytes, seconds, resumed } = checkpointed;
    let figures = Datum::record([
        ("written", (*written).into()),
        ("failed", (*failed).into()),
        ("last_level", (*level).into()),
        ("last_bytes", (*bytes > 0).then_some(*bytes).into()),
        ("seconds", (*seconds).into()),
        ("resumed_from_levels", resumed.clone().into()),
    ]);
    Section { key: "checkpoints", figures, lines: summary(checkpointed) }
}

/// Lines of the summary.
fn summary(checkpointed: &CheckpointStats) -> Vec<String> {
    let CheckpointStats { written, failed, bytes: length, seconds, resumed, .. } = checkpointed;
    let mut lines = Vec::new();
    if let Some((last, before)) = resumed.split_last() {
        let levels: Vec<String> = before.iter().map(u32::to_string).collect();
        let levels = if levels.is_empty() {
            format!("from level {last}")
        } else {
            format!("from levels {} and {last}", levels.join(", "))
        };
        lines.push(format!("resumed {}, {levels}", plural(resumed.len() as u64, "time")));
    }
    if *written + *failed > 0 {
        let failed = match failed {
            0 => String::new(),
            failed => format!(", {failed} more could not be written"),
        };
        let last = match length {
            0 => String::new(),
            length => format!(", the last one {}; writing took {seconds:.2}s", bytes(*length)),
        };
        lines.push(format!("{} written{failed}{last}", plural(*written, "checkpoint")));
    }
    lines
}
