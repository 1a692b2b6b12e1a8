//! How much longer a search takes with less memory: a line for each way of keeping and replacing.

use crate::cache_sweep::figures::{Cell, End, Figures, Replace, Store, Sweep};
use crate::shared::svg::{escape, grid_line, legend_entry, line, sheet};
use std::fmt::Write;

const LEFT: f64 = 60.0;
const TOP: f64 = 50.0;
const WIDTH: f64 = 600.0;
const HEIGHT: f64 = 340.0;
/// Times from half to eight times that of the exact search, on a logarithmic axis.
const TICKS: [f64; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];

pub fn draw(figures: &Figures) -> String {
    let mut text = sheet(LEFT + WIDTH + 30.0, TOP + HEIGHT + 60.0);
    // Writing to a String cannot fail.
    let _ = write_plot(&mut text, figures);
    text
}

/// With all memory at the left, with none at the right.
fn x(fraction: f64) -> f64 {
    LEFT + WIDTH * (1.0 - fraction.clamp(0.0, 1.0))
}

fn y(ratio: f64) -> f64 {
    let [low, .., high] = TICKS;
    TOP + HEIGHT * (high / ratio.clamp(low, high)).ln() / (high / low).ln()
}

fn write_plot(text: &mut String, figures: &Figures) -> std::fmt::Result {
    writeln!(
        text,
        "<text x=\"{LEFT}\" y=\"24\" font-size=\"15\">{}, {} states: time with a cache, relative to the exact search</text>",
        escape(&figures.name),
        figures.states
    )?;
    for tick in TICKS {
        text.push_str(&grid_line(LEFT, LEFT + WIDTH, y(tick), &tick.to_string()));
    }
    for tenth in 0..=10 {
        let fraction = f64::from(tenth) / 10.0;
        let height = TOP + HEIGHT + 18.0;
        writeln!(
            text,
            "<text x=\"{:.1}\" y=\"{height}\" text-anchor=\"middle\">{fraction}</text>",
            x(fraction)
        )?;
    }
    let (middle, below) = (LEFT + WIDTH / 2.0, TOP + HEIGHT + 38.0);
    writeln!(
        text,
        "<text x=\"{middle}\" y=\"{below}\" text-anchor=\"middle\">fraction of the memory; filled: ended by itself, hollow: stopped</text>"
    )?;
    for (at, sweep) in figures.sweeps.iter().enumerate() {
        write_sweep(text, sweep, TOP + 16.0 + 18.0 * at as f64)?;
    }
    writeln!(text, "</svg>")
}

/// The line of a sweep as far as it ends by itself, and a point for each run.
fn write_sweep(text: &mut String, sweep: &Sweep, height: f64) -> std::fmt::Result {
    let colour = match sweep.replace {
        Replace::Direct => "#e69f00",
        Replace::Oldest => "#0072b2",
    };
    let dashes = match sweep.store {
        Store::Packed => "",
        Store::Compact => " stroke-dasharray=\"6 4\"",
    };
    let style = format!("stroke=\"{colour}\" stroke-width=\"2\"{dashes}");
    let cells: Vec<&Cell> = sweep.cells.iter().flatten().collect();
    let ended = cells.iter().filter(|cell| cell.end == End::Itself);
    let points: Vec<(f64, f64)> = ended.map(|cell| (x(cell.fraction), y(cell.ratios.time))).collect();
    text.push_str(&line(&points, &style));
    for cell in cells {
        let fill = if cell.end == End::Itself { colour } else { "white" };
        let (x, y) = (x(cell.fraction), y(cell.ratios.time));
        writeln!(
            text,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"{fill}\" stroke=\"{colour}\"/>"
        )?;
    }
    let name = format!("{} {}", sweep.store.name(), sweep.replace.name());
    text.push_str(&legend_entry(LEFT + 16.0, height, &style, &name));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache_sweep::figures::tests::figures;

    #[test]
    fn runs_are_points_and_only_those_that_end_are_joined() {
        let drawn = draw(&figures("a<b", [1.0, 100.0]));
        assert_eq!(drawn.matches("<circle").count(), 2);
        assert_eq!(drawn.matches("fill=\"white\" stroke").count(), 1);
        assert!(drawn.contains("a&lt;b, 100 states") && drawn.ends_with("</svg>\n"));
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
    }
}
