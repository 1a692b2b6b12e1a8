//! The profile of locality, for people and as JSON.

use super::console::Paint;
use crate::datum::{Datum, Section};
use crate::locality::{Locality, Profile, Row};
use crate::text::{grouped, plural};
use std::io::Write;

/// Lines of the table, at most; what lies further back is summed up.
const LINES: usize = 12;

/// The profile for machines; people see it as a table, in colours ([`write_locality`]).
pub(super) fn section(locality: &Locality) -> Section {
    let figures = Datum::record([
        ("seconds", locality.seconds.into()),
        // Why there is no profile.
        ("missing", locality.profile.as_ref().err().map(ToString::to_string).into()),
        ("profile", locality.profile.as_ref().ok().map(figures).into()),
    ]);
    Section { key: "locality", figures, lines: Vec::new() }
}

fn figures(profile: &Profile) -> Datum {
    let row = |&Row { difference, mean, deviation, transitions }: &Row| {
        Datum::record([
            ("k", difference.into()),
            ("mean", mean.into()),
            ("deviation", deviation.into()),
            ("transitions", transitions.into()),
        ])
    };
    Datum::record([
        ("states", profile.states.into()),
        ("transitions", profile.transitions.into()),
        ("states_without_transitions", profile.stuck.into()),
        // The sum of the means for -1, 0 and 1.
        ("local", profile.local().into()),
        ("by_difference", Datum::List(profile.rows.iter().map(row).collect())),
    ])
}

/// The profile as a table, or why there is none.
pub fn write_locality(out: &mut dyn Write, paint: Paint, locality: &Locality) {
    let _ = match &locality.profile {
        Ok(profile) => write_profile(out, profile, locality.seconds),
        Err(error) => writeln!(out, "{} no profile of locality: {error}", paint.yellow("warning:")),
    };
}

fn write_profile(out: &mut dyn Write, profile: &Profile, seconds: f64) -> std::io::Result<()> {
    writeln!(
        out,
        "\tlocality: {:.6} of a state's transitions lead to its own level or a neighbouring one (measured in {seconds:.2}s)",
        profile.local()
    )?;
    writeln!(out, "\t{:>8}  {:>8}  {:>9}  {:>12}", "k levels", "mean", "deviation", "transitions")?;
    let lines = if profile.rows.len() > LINES { LINES - 1 } else { LINES };
    for row in profile.rows.iter().take(lines) {
        let Row { difference, mean, deviation, transitions } = row;
        writeln!(out, "\t{difference:>8}  {mean:>8.6}  {deviation:>9.6}  {:>12}", grouped(*transitions))?;
    }
    let rest = profile.rows.get(lines..).unwrap_or(&[]);
    if let (Some(first), Some(last)) = (rest.first(), rest.last()) {
        let mean: f64 = rest.iter().map(|row| row.mean).sum();
        let transitions: u64 = rest.iter().map(|row| row.transitions).sum();
        let range = format!("{} to {}", first.difference, last.difference);
        writeln!(out, "\t{range:>8}  {mean:>8.6}  {:>9}  {:>12}", "", grouped(transitions))?;
    }
    if profile.stuck > 0 {
        writeln!(
            out,
            "\t{} without transitions, counted with fractions of 0",
            plural(profile.stuck, "state")
        )?;
    }
    Ok(())
}
