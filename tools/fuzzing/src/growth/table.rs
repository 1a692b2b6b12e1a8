//! The table of a campaign, as the documentation has it.

use super::limited::Outcome;
use super::trial::Trial;

/// The heading of the table.
pub const HEADING: &str = "\
| construct | size | text | check | build | memory | refused at |
|---|---|---|---|---|---|---|";

/// One line: the largest size that was verified, what it took, and what was refused.
pub fn line(name: &str, trials: &[Trial]) -> String {
    let refused = trials.iter().find_map(|trial| Some((trial.size, trial.refusal()?)));
    let refused = refused.map_or("-".to_owned(), |(size, why)| {
        let code = why.trim_start_matches("error[").split(']').next().unwrap_or(why);
        format!("{size} (`{code}`)")
    });
    let Some(largest) = trials.iter().rev().find(|trial| trial.is_verified()) else {
        return format!("| {name} | - | - | - | - | - | {refused} |");
    };
    let peak = largest.build.as_ref().map_or(0, |build| build.peak_bytes);
    format!(
        "| {name} | {} | {} kB | {} | {} | {} MiB | {refused} |",
        largest.size,
        largest.text_bytes.div_ceil(1000),
        seconds(Some(&largest.check)),
        seconds(largest.build.as_ref()),
        peak >> 20,
    )
}

/// Processor time.
pub fn seconds(outcome: Option<&Outcome>) -> String {
    outcome.map_or("-".to_owned(), |outcome| format!("{:.1} s", outcome.processor.as_secs_f64()))
}
