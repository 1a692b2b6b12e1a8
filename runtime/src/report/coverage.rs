//! What ran of the model's text: `--coverage`.

use crate::contract::coverage::{Part, PartKind};
use crate::contract::model::{Description, Model, Position};
use crate::datum::{Datum, Section};
use crate::search::Outcome;
use crate::text::{grouped, plural};

/// Lines that are named.
const NAMED: usize = 20;

/// How often parts of the model's text were evaluated, as the search or the model has counted.
pub(crate) fn counted(model: &dyn Model, outcome: &Outcome) -> Vec<Part> {
    let Description { parts, .. } = model.description();
    if parts.is_empty() {
        return model.coverage();
    }
    let before = model.description().counters() - parts.len();
    let counts = outcome.covered.iter().skip(before);
    let part = |(&(position, kind), &count): (&(Position, PartKind), &u64)| Part { position, kind, count };
    parts.iter().zip(counts).map(part).collect()
}

/// The parts for machines, and a line for people.
pub(super) fn section(parts: &[Part]) -> Section {
    let figure = |part: &Part| {
        Datum::record([
            ("line", u64::from(part.position.line).into()),
            ("column", u64::from(part.position.column).into()),
            ("kind", part.kind.word().into()),
            ("count", part.count.into()),
        ])
    };
    Section {
        key: "coverage",
        figures: Datum::List(parts.iter().map(figure).collect()),
        lines: vec![line(parts)],
    }
}

fn line(parts: &[Part]) -> String {
    let statements: Vec<&Part> = parts.iter().filter(|part| part.kind == PartKind::Statement).collect();
    let ran = statements.iter().filter(|part| part.count > 0).count() as u64;
    let text = format!("{} of {} executed", grouped(ran), plural(statements.len() as u64, "statement"));
    let mut lines: Vec<u32> =
        statements.iter().filter(|part| part.count == 0).map(|part| part.position.line).collect();
    lines.dedup();
    if lines.is_empty() {
        return text;
    }
    let names: Vec<String> = ranges(&lines).into_iter().take(NAMED).collect();
    let more = if ranges(&lines).len() > NAMED { " and others" } else { "" };
    format!("{text}; never: line {}{more}", names.join(", "))
}

/// Lines that follow each other as `3-7`.
fn ranges(lines: &[u32]) -> Vec<String> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &line in lines {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 >= line => *last = line,
            _ => ranges.push((line, line)),
        }
    }
    let text =
        |(first, last): (u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    ranges.into_iter().map(text).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_never_ran_are_named() {
        let part =
            |line, count| Part { position: Position { line, column: 1 }, kind: PartKind::Statement, count };
        let parts = [part(3, 5), part(4, 0), part(5, 0), part(9, 0)];
        assert_eq!(line(&parts), "1 of 4 statements executed; never: line 4-5, 9");
        assert_eq!(line(&parts[..1]), "1 of 1 statement executed");
    }
}
