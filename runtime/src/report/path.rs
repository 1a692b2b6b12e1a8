//! What is reported of a search along a path: what slept, and what was evicted.

use crate::datum::{Datum, Section};
use crate::search::descent::{DescentStats, SleepStats};
use crate::text::{grouped, plural};

/// The section of a search that fired this many rules, with that of its cache, if it has one.
pub(super) fn section(stats: DescentStats, rules: u64, cache: Option<Section>) -> Section {
    let DescentStats { matched, slept, longest } = stats;
    let share = 100.0 * matched as f64 / rules.max(1) as f64;
    let mut lines = vec![format!(
        "{} on the path at most; {} fired led to known states ({share:.1} %)",
        plural(longest, "state"),
        plural(matched, "rule")
    )];
    if let Some(SleepStats { rules, woken, revisits }) = slept {
        lines.push(format!(
            "sleep sets: {} left out; {} more were at first, and fired in {} to known states",
            plural(rules - woken, "enabled rule"),
            grouped(woken),
            plural(revisits, "visit")
        ));
    }
    let sleep = slept.map(|SleepStats { rules, woken, revisits }| {
        Datum::record([
            ("left_out", (rules - woken).into()),
            ("woken", woken.into()),
            ("revisits", revisits.into()),
        ])
    });
    let (beside, more) = cache.map(|cache| (cache.figures, cache.lines)).unzip();
    lines.extend(more.unwrap_or_default());
    let figures = Datum::record([
        ("matched", matched.into()),
        ("longest_path", longest.into()),
        ("sleep", sleep.into()),
        ("cache", beside.into()),
    ]);
    Section { key: "path", figures, lines }
}
