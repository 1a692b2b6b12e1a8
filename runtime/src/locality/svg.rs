//! The profile as a histogram: a bar for each k, as high as the mean, with the deviation to both
//! sides of it.

use super::{Difference, Profile, Row};
use std::fmt::Write;

const LEFT: f64 = 60.0;
const TOP: f64 = 66.0;
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 320.0;
const BELOW: f64 = 60.0;
/// Bars, at most. What lies further back is the last one.
const BARS: usize = 16;
const BLUE: &str = "#0072b2";
const GREY: &str = "#999999";

struct Bar {
    label: String,
    mean: f64,
    /// Not known of several k together.
    deviation: Option<f64>,
    local: bool,
}

pub fn draw(profile: &Profile, model: &str) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_histogram(&mut text, profile, model);
    text
}

/// A bar for each k from 1 down, also where there are no transitions, so that distances can be
/// seen.
fn bars(rows: &[Row]) -> Vec<Bar> {
    let lowest = rows.last().map_or(-1, |row| row.difference).min(-1);
    let further = lowest < 2 - BARS as Difference;
    let last = if further { 3 - BARS as Difference } else { lowest };
    let mut bars: Vec<Bar> = (last..=1)
        .rev()
        .map(|difference| {
            let row = rows.iter().find(|row| row.difference == difference);
            Bar {
                label: difference.to_string(),
                mean: row.map_or(0.0, |row| row.mean),
                deviation: row.map(|row| row.deviation),
                local: difference >= -1,
            }
        })
        .collect();
    if further {
        let mean = rows.iter().filter(|row| row.difference < last).map(|row| row.mean).sum();
        bars.push(Bar { label: format!("{} … {lowest}", last - 1), mean, deviation: None, local: false });
    }
    bars
}

fn write_histogram(text: &mut String, profile: &Profile, model: &str) -> std::fmt::Result {
    let bars = bars(&profile.rows);
    let (right, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
    let (width, height) = (right + 40.0, bottom + BELOW);
    writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">"#
    )?;
    writeln!(text, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    writeln!(
        text,
        r#"<text x="{LEFT}" y="24" font-size="15">{}: how far transitions lead</text>"#,
        escape(model)
    )?;
    writeln!(
        text,
        r##"<text x="{LEFT}" y="44" fill="#444">{} states, {} transitions; k from −1 to 1: {:.6} of a state's transitions</text>"##,
        profile.states,
        profile.transitions,
        profile.local()
    )?;
    let y = |share: f64| bottom - HEIGHT * share.clamp(0.0, 1.0);
    for tenth in [0.0, 0.2, 0.4, 0.6, 0.8, 1.0] {
        let line = y(tenth);
        writeln!(
            text,
            r##"<line x1="{LEFT}" y1="{line:.1}" x2="{right}" y2="{line:.1}" stroke="#ddd"/><text x="{}" y="{:.1}" text-anchor="end">{tenth:.1}</text>"##,
            LEFT - 6.0,
            line + 4.0
        )?;
    }
    let step = WIDTH / bars.len() as f64;
    for (at, bar) in bars.iter().enumerate() {
        write_bar(text, bar, LEFT + step * (at as f64 + 0.5), step, y)?;
    }
    writeln!(
        text,
        r#"<text x="{}" y="{}" text-anchor="middle">k: levels that a transition leads on; backward where negative</text>"#,
        LEFT + WIDTH / 2.0,
        bottom + 38.0
    )?;
    let middle = TOP + HEIGHT / 2.0;
    writeln!(
        text,
        r#"<text x="16" y="{middle}" text-anchor="middle" transform="rotate(-90 16 {middle})">mean fraction of a state's transitions, ± deviation</text>"#
    )?;
    writeln!(text, "</svg>")
}

fn write_bar(text: &mut String, bar: &Bar, x: f64, step: f64, y: impl Fn(f64) -> f64) -> std::fmt::Result {
    let (bottom, top, half) = (y(0.0), y(bar.mean), step.min(80.0) * 0.35);
    let colour = if bar.local { BLUE } else { GREY };
    writeln!(
        text,
        r#"<rect x="{:.1}" y="{top:.1}" width="{:.1}" height="{:.1}" fill="{colour}"/>"#,
        x - half,
        2.0 * half,
        bottom - top
    )?;
    if let Some(deviation) = bar.deviation.filter(|deviation| *deviation > 0.0) {
        let (low, high) = (y(bar.mean - deviation), y(bar.mean + deviation));
        writeln!(text, r##"<line x1="{x:.1}" y1="{low:.1}" x2="{x:.1}" y2="{high:.1}" stroke="#222"/>"##)?;
        for end in [low, high] {
            let (from, to) = (x - 4.0, x + 4.0);
            writeln!(
                text,
                r##"<line x1="{from:.1}" y1="{end:.1}" x2="{to:.1}" y2="{end:.1}" stroke="#222"/>"##
            )?;
        }
    }
    writeln!(
        text,
        r##"<text x="{:.1}" y="{:.1}" font-size="10" fill="#222">{}</text>"##,
        x + 5.0,
        (top - 5.0).min(bottom - 5.0),
        share(bar.mean)
    )?;
    writeln!(text, r#"<text x="{x:.1}" y="{:.1}" text-anchor="middle">{}</text>"#, bottom + 18.0, bar.label)
}

/// Short enough to stand over a bar.
fn share(mean: f64) -> String {
    match mean {
        0.0 => "0".to_owned(),
        mean if mean < 0.0005 => "<.001".to_owned(),
        mean => format!("{mean:.3}"),
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(differences: &[Difference]) -> Profile {
        let row = |&difference: &Difference| Row { difference, mean: 0.25, deviation: 0.5, transitions: 1 };
        Profile { states: 3, transitions: 4, stuck: 0, rows: differences.iter().map(row).collect() }
    }

    #[test]
    fn every_k_has_its_bar() {
        let drawn = draw(&profile(&[1, 0, -1, -4]), "a<b");
        // Six bars, and the background.
        assert_eq!(drawn.matches("<rect").count(), 7);
        assert!(drawn.contains("a&lt;b: how far") && drawn.contains(">-3</text>"));
        assert!(!drawn.contains("NaN") && !drawn.contains("inf"));
    }

    #[test]
    fn what_lies_far_back_is_one_bar() {
        let drawn = draw(&profile(&[1, 0, -1, -13, -14, -50, -60]), "deep");
        assert_eq!(drawn.matches("<rect").count(), 1 + BARS);
        assert!(drawn.contains(">-14 … -60</text>") && drawn.contains(">0.750</text>"), "{drawn}");
        // One that just fits is not cut.
        let lowest = 2 - BARS as Difference;
        assert!(!draw(&profile(&[1, 0, -1, lowest]), "fits").contains('…'));
    }
}
