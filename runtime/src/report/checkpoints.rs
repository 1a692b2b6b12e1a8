//! What is told of checkpoints.

use crate::search::saving::Checkpointed;
use crate::text::{bytes, plural};
use serde::Serialize;

/// Lines of the summary.
pub fn summary(checkpointed: &Checkpointed) -> Vec<String> {
    let Checkpointed { written, failed, bytes: length, seconds, resumed, .. } = checkpointed;
    let mut lines = Vec::new();
    if let Some((last, before)) = resumed.split_last() {
        let levels: Vec<String> = before.iter().map(u32::to_string).collect();
        let levels = match levels.is_empty() {
            true => format!("from level {last}"),
            false => format!("from levels {} and {last}", levels.join(", ")),
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

/// The same for the JSON report.
#[derive(Debug, Serialize)]
pub struct CheckpointFigures {
    written: u64,
    failed: u64,
    last_level: Option<u32>,
    last_bytes: Option<u64>,
    seconds: f64,
    resumed_from_levels: Vec<u32>,
}

impl CheckpointFigures {
    pub fn new(checkpointed: &Checkpointed) -> Self {
        let Checkpointed { written, failed, level, bytes, seconds, resumed } = checkpointed.clone();
        CheckpointFigures {
            written,
            failed,
            last_level: level,
            last_bytes: (bytes > 0).then_some(bytes),
            seconds,
            resumed_from_levels: resumed,
        }
    }
}
