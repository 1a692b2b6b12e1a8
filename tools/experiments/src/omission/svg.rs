//! A plot like the paper's Figures 3 to 5: probabilities on a logarithmic axis over the number of
//! bits.

use crate::omission::figures::{Figures, Row};
use crate::shared::svg::{escape, grid_line, legend_entry, line, sheet};
use std::fmt::Write;

const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 360.0;
/// The smallest probability that is drawn: ten to this power.
const LOWEST: i32 = -7;

pub fn draw(figures: &Figures) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_plot(&mut text, figures);
    text
}

fn write_plot(text: &mut String, figures: &Figures) -> std::fmt::Result {
    let (from, to) = match (figures.rows.first(), figures.rows.last()) {
        (Some(first), Some(last)) => {
            (f64::from(first.bits), f64::from(last.bits).max(f64::from(first.bits) + 1.0))
        }
        _ => (8.0, 9.0),
    };
    let x = |bits: u32| LEFT + WIDTH * (f64::from(bits) - from) / (to - from);
    let y = |probability: f64| {
        let power = probability.max(1e-300).log10().clamp(f64::from(LOWEST), 0.0);
        TOP + HEIGHT * power / f64::from(LOWEST)
    };
    text.push_str(&sheet(LEFT + WIDTH + 30.0, TOP + HEIGHT + 90.0));
    writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}: n = {}, d = {}, m = {}, {} runs each</text>",
        escape(&figures.name),
        figures.states,
        figures.depth,
        figures.slots,
        figures.runs
    )?;
    for power in LOWEST..=0 {
        text.push_str(&grid_line(LEFT, LEFT + WIDTH, y(10f64.powi(power)), &format!("1e{power}")));
    }
    for row in &figures.rows {
        writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            x(row.bits),
            TOP + HEIGHT + 18.0,
            row.bits
        )?;
    }
    writeln!(
        text,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">bits of a signature</text>",
        LEFT + WIDTH / 2.0,
        TOP + HEIGHT + 38.0
    )?;
    let mut draw = |value: fn(&Row) -> f64, style: &str| {
        // What lies below the axis is not drawn, but for the first point that does.
        let rows = figures.rows.iter().filter(|row| value(row) > 0.0);
        let points: Vec<(f64, f64)> = rows.map(|row| (x(row.bits), y(value(row)))).collect();
        text.push_str(&line(&points, style));
    };
    draw(|row| row.bound, "stroke=\"#1f4e9c\" stroke-width=\"2\"");
    draw(|row| row.previous_scheme, "stroke=\"#999\" stroke-dasharray=\"8 5\"");
    draw(|row| row.rate, "stroke=\"#b03a2e\" stroke-dasharray=\"2 4\" stroke-width=\"2\"");
    for row in &figures.rows {
        let (x, low, high) = (x(row.bits), y(row.low), y(row.high));
        writeln!(
            text,
            "<line x1=\"{x:.1}\" y1=\"{low:.1}\" x2=\"{x:.1}\" y2=\"{high:.1}\" stroke=\"#b03a2e\"/>\
             <line x1=\"{:.1}\" y1=\"{high:.1}\" x2=\"{:.1}\" y2=\"{high:.1}\" stroke=\"#b03a2e\"/>",
            x - 3.0,
            x + 3.0
        )?;
        if row.missed > 0 {
            writeln!(text, "<circle cx=\"{x:.1}\" cy=\"{:.1}\" r=\"3\" fill=\"#b03a2e\"/>", y(row.rate))?;
        }
    }
    let legend = [
        ("bound on missing a state of the last level", "stroke=\"#1f4e9c\" stroke-width=\"2\""),
        (
            "last state missed, with 90 % intervals",
            "stroke=\"#b03a2e\" stroke-dasharray=\"2 4\" stroke-width=\"2\"",
        ),
        ("previous scheme: missing even one state", "stroke=\"#999\" stroke-dasharray=\"8 5\""),
    ];
    for (at, (name, style)) in legend.into_iter().enumerate() {
        let (left, height) = (LEFT + 290.0, TOP + 16.0 + 18.0 * at as f64);
        text.push_str(&legend_entry(left, height, style, name));
    }
    writeln!(text, "</svg>")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::omission::figures::Seen;

    #[test]
    fn everything_is_drawn_inside() {
        let seen = [Seen { found: false, bound: 0.1, states: 3 }; 10];
        let rows = (8..12).map(|bits| Row::new(bits, &[1, 2, 4], 11, &seen)).collect();
        let figures = Figures { name: "a<b".to_owned(), states: 7, depth: 2, slots: 11, runs: 10, rows };
        let drawn = draw(&figures);
        assert_eq!(drawn.matches("<circle").count(), 4);
        assert!(drawn.contains("a&lt;b: n = 7, d = 2, m = 11, 10 runs each") && drawn.ends_with("</svg>\n"));
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
    }
}
