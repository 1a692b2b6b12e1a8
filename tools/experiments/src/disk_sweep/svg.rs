//! How much slower a search is with less memory, in the shape of the paper's Figures 3 and 4: a
//! colour for each model, a style for each way.

use crate::disk_sweep::figures::{Figures, Report, Sweep, Way};
use crate::shared::svg::{escape, grid_line, legend_entry, line, sheet};
use std::fmt::Write;

const LEFT: f64 = 60.0;
const TOP: f64 = 50.0;
const WIDTH: f64 = 560.0;
const HEIGHT: f64 = 340.0;
const LEGEND: f64 = 230.0;
const COLOURS: [&str; 6] = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"];
/// Slowdowns that have a line, as far as they are needed.
const TICKS: [f64; 9] = [0.5, 0.8, 1.0, 1.25, 1.5, 2.0, 4.0, 8.0, 16.0];

pub fn draw(report: &Report) -> String {
    let mut text = sheet(LEFT + WIDTH + LEGEND, TOP + HEIGHT + 60.0);
    // Writing to a String cannot fail.
    let _ = write_plot(&mut text, report);
    text
}

/// Both axes are logarithmic.
struct Axes {
    last: f64,
    low: f64,
    high: f64,
}

impl Axes {
    fn new(report: &Report) -> Self {
        let last = report.factors.iter().copied().fold(2.0, f64::max);
        let sweeps = report.models.iter().flat_map(|figures| &figures.sweeps);
        let times = sweeps.flat_map(|sweep| sweep.cells.iter().flatten().map(|cell| cell.slowdown.time));
        let (low, high) =
            times.fold((1.0, 1.25), |(low, high): (f64, f64), time| (low.min(time), high.max(time)));
        let below = TICKS.iter().rev().copied().find(|tick| *tick <= low).unwrap_or(TICKS[0]);
        let above = TICKS.iter().copied().find(|tick| *tick >= high).unwrap_or(TICKS[TICKS.len() - 1]);
        Axes { last, low: below, high: above }
    }

    fn x(&self, factor: f64) -> f64 {
        LEFT + WIDTH * factor.clamp(1.0, self.last).ln() / self.last.ln()
    }

    fn y(&self, slowdown: f64) -> f64 {
        TOP + HEIGHT * (self.high / slowdown.clamp(self.low, self.high)).ln() / (self.high / self.low).ln()
    }
}

fn write_plot(text: &mut String, report: &Report) -> std::fmt::Result {
    let axes = Axes::new(report);
    writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">Visited states on disk: time, relative to the exact search in memory</text>"
    )?;
    for tick in TICKS.iter().filter(|tick| (axes.low..=axes.high).contains(*tick)) {
        text.push_str(&grid_line(LEFT, LEFT + WIDTH, axes.y(*tick), &tick.to_string()));
    }
    for factor in &report.factors {
        let (x, height) = (axes.x(*factor), TOP + HEIGHT + 18.0);
        writeln!(text, "<text x=\"{x:.1}\" y=\"{height}\" text-anchor=\"middle\">{factor}</text>")?;
    }
    let (middle, below) = (LEFT + WIDTH / 2.0, TOP + HEIGHT + 38.0);
    writeln!(text, "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">memory savings factor</text>")?;
    let mut height = TOP + 10.0;
    for (figures, colour) in report.models.iter().zip(COLOURS.iter().cycle()) {
        for sweep in &figures.sweeps {
            write_sweep(text, &axes, figures, sweep, colour, height);
            height += 16.0;
        }
    }
    writeln!(text, "</svg>")
}

fn write_sweep(text: &mut String, axes: &Axes, figures: &Figures, sweep: &Sweep, colour: &str, height: f64) {
    let dashes = match sweep.way {
        Way::Signatures => "",
        Way::SignaturesPlain => " stroke-dasharray=\"6 4\"",
        Way::States => " stroke-dasharray=\"1 3\"",
        Way::StatesPlain => " stroke-dasharray=\"8 3 1 3\"",
    };
    let style = format!("stroke=\"{colour}\" stroke-width=\"2\"{dashes}");
    let cells = sweep.cells.iter().flatten();
    let points: Vec<(f64, f64)> =
        cells.map(|cell| (axes.x(cell.factor), axes.y(cell.slowdown.time))).collect();
    text.push_str(&line(&points, &style));
    let name = format!("{} {}", escape(&figures.name), sweep.way.name());
    text.push_str(&legend_entry(LEFT + WIDTH + 14.0, height, &style, &name));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk_sweep::figures::tests::figures;

    #[test]
    fn every_model_has_its_line() {
        let models = vec![figures("a<b", [1.0, 1.3]), figures("list", [0.9, 40.0])];
        let report = Report { factors: vec![1.0, 10.0, 100.0], models, means: Vec::new() };
        let drawn = draw(&report);
        assert_eq!(drawn.matches("<polyline").count(), 2);
        assert!(drawn.contains("a&lt;b -c") && drawn.ends_with("</svg>\n"));
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
    }
}
