//! Rules fired, or time, against the states kept: a line for each rule of eviction, with and
//! without sleep sets.

use crate::shared::svg::{escape, grid_line, legend_entry, line, sheet};
use crate::sleep_study::curve::{Curve, Figures, Point};
use std::fmt::Write;

const LEFT: f64 = 70.0;
const TOP: f64 = 50.0;
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 340.0;
/// Relative to the search that keeps all states, on a logarithmic axis.
const TICKS: [f64; 7] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0];
/// Parts of all states, on a logarithmic axis.
const PARTS: [f64; 4] = [1.0, 0.1, 0.01, 0.001];
const COLOURS: [&str; 4] = ["#1f5fa8", "#c0392b", "#2e8b57", "#8e5ea2"];

/// What is drawn upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    Rules,
    Time,
}

pub fn draw(figures: &Figures, axis: Axis) -> String {
    let mut text = sheet(LEFT + WIDTH + 30.0, TOP + HEIGHT + 60.0);
    // Writing to a String cannot fail.
    let _ = write_plot(&mut text, figures, axis);
    text
}

/// All states at the left, few at the right.
fn x(part: f64) -> f64 {
    let [all, .., few] = PARTS;
    LEFT + WIDTH * (all / part.clamp(few, all)).ln() / (all / few).ln()
}

fn y(ratio: f64) -> f64 {
    let [low, .., high] = TICKS;
    TOP + HEIGHT * (high / ratio.clamp(low, high)).ln() / (high / low).ln()
}

fn write_plot(text: &mut String, figures: &Figures, axis: Axis) -> std::fmt::Result {
    let what = match axis {
        Axis::Rules => "rules fired",
        Axis::Time => "time",
    };
    writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}, {} states: {what}, relative to a search that keeps all states</text>",
        escape(&figures.name),
        figures.states
    )?;
    for tick in TICKS {
        text.push_str(&grid_line(LEFT, LEFT + WIDTH, y(tick), &tick.to_string()));
    }
    for part in PARTS {
        let height = TOP + HEIGHT + 18.0;
        writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{height}\" text-anchor=\"middle\">{} %</text>",
            x(part),
            100.0 * part
        )?;
    }
    let (middle, below) = (LEFT + WIDTH / 2.0, TOP + HEIGHT + 38.0);
    writeln!(
        text,
        "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">states in memory; hollow: stopped</text>"
    )?;
    let half = figures.curves.len().div_ceil(2).max(1);
    for (at, curve) in figures.curves.iter().enumerate() {
        write_curve(text, figures, curve, axis, at, COLOURS[(at % half) % COLOURS.len()])?;
    }
    writeln!(text, "</svg>")
}

fn write_curve(
    text: &mut String,
    figures: &Figures,
    curve: &Curve,
    axis: Axis,
    at: usize,
    colour: &str,
) -> std::fmt::Result {
    let place = |point: &Point| {
        let ratio = match axis {
            Axis::Rules => point.transitions as f64 / figures.transitions.max(1) as f64,
            Axis::Time => point.seconds / figures.seconds.max(f64::MIN_POSITIVE),
        };
        (x(point.kept as f64 / figures.states.max(1) as f64), y(ratio))
    };
    let dashes = if curve.sleep { "" } else { " stroke-dasharray=\"5 4\"" };
    let style = format!("stroke=\"{colour}\" stroke-width=\"2\"{dashes}");
    let points: Vec<(f64, f64)> = curve.points.iter().map(place).collect();
    text.push_str(&line(&points, &style));
    for point in &curve.points {
        let (x, y) = place(point);
        let fill = if point.ended { colour } else { "white" };
        writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{fill}\" stroke=\"{colour}\" stroke-width=\"1.5\"/>"
        )?;
    }
    text.push_str(&legend_entry(LEFT + 14.0, TOP + 16.0 + 18.0 * at as f64, &style, &escape(&curve.name())));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sleep_study::curve::tests::figures;

    #[test]
    fn every_run_has_a_point_inside() {
        let drawn = draw(&figures(), Axis::Rules);
        assert_eq!(drawn.matches("<circle").count(), 4);
        assert_eq!(drawn.matches("fill=\"white\" stroke").count(), 1);
        assert_eq!(drawn.matches("<polyline").count(), 2);
        for ratio in [0.0, 0.3, 5.0, 1e9] {
            assert!((TOP..=TOP + HEIGHT).contains(&y(ratio)), "{ratio}");
        }
        assert_eq!((x(1.0), x(0.0)), (LEFT, LEFT + WIDTH));
    }
}
