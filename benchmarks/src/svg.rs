//! The report as a bar plot: states per second on a logarithmic axis, or build seconds if nothing was run.

use crate::markdown::rate;
use crate::report::{ModelReport, Report, ToolReport};
use crate::tools::ToolName;
use std::fmt::Write;

const LABELS: f64 = 190.0;
const PLOT: f64 = 560.0;
const MARGIN: f64 = 90.0;
const TOP: f64 = 60.0;
const BAR: f64 = 14.0;
const GAP: f64 = 12.0;

/// What the bars show, and how a value becomes a length.
struct Axis {
    title: &'static str,
    value: fn(&ToolReport) -> Option<f64>,
    print: fn(f64) -> String,
    from: f64,
    to: f64,
    logarithmic: bool,
}

pub fn render(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_plot(&mut text, report, &Axis::of(report));
    text
}

impl Axis {
    fn of(report: &Report) -> Axis {
        let ran = report.models.iter().flat_map(|model| &model.tools).any(|tool| tool.run.is_some());
        let value: fn(&ToolReport) -> Option<f64> =
            if ran { |tool| Some(tool.run.as_ref()?.states_per_second) } else { |tool| tool.build_seconds };
        let values: Vec<f64> =
            report.models.iter().flat_map(|model| &model.tools).filter_map(value).collect();
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(0.0, f64::max);
        if ran {
            let from = 10f64.powf(least.max(1.0).log10().floor());
            let to = 10f64.powf(most.log10().ceil()).max(from * 10.0);
            Axis { title: "States per second (logarithmic)", value, print: rate, from, to, logarithmic: true }
        } else {
            let to = most.ceil().max(1.0);
            let print = |value| format!("{value:.2} s");
            Axis {
                title: "Build seconds, model to verifier",
                value,
                print,
                from: 0.0,
                to,
                logarithmic: false,
            }
        }
    }

    /// How far along the axis a value lies, in pixels.
    fn length(&self, value: f64) -> f64 {
        let share = if self.logarithmic {
            (value / self.from).log10() / (self.to / self.from).log10()
        } else {
            (value - self.from) / (self.to - self.from)
        };
        PLOT * share.clamp(0.0, 1.0)
    }

    fn ticks(&self) -> Vec<f64> {
        if self.logarithmic {
            let decades = (self.to / self.from).log10().round() as i32;
            (0..=decades).map(|decade| self.from * 10f64.powi(decade)).collect()
        } else {
            (0..=4).map(|quarter| self.to * f64::from(quarter) / 4.0).collect()
        }
    }
}

fn write_plot(text: &mut String, report: &Report, axis: &Axis) -> std::fmt::Result {
    let group = |model: &ModelReport| BAR * model.tools.len() as f64 + GAP;
    let height: f64 = report.models.iter().map(group).sum();
    let (full_width, full_height) = (LABELS + PLOT + MARGIN, TOP + height + 30.0);
    writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{full_width}" height="{full_height}" viewBox="0 0 {full_width} {full_height}" font-family="sans-serif" font-size="12">"#
    )?;
    writeln!(text, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    writeln!(text, r#"<text x="{LABELS}" y="20" font-size="15">{}</text>"#, axis.title)?;
    write_legend(text, report)?;
    for tick in axis.ticks() {
        let (x, bottom) = (LABELS + axis.length(tick), TOP + height);
        writeln!(text, r##"<line x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{bottom}" stroke="#ddd"/>"##)?;
        let (y, label) = (bottom + 16.0, (axis.print)(tick));
        writeln!(text, r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{label}</text>"#)?;
    }
    let mut y = TOP + GAP / 2.0;
    for model in &report.models {
        let (x, middle) = (LABELS - 8.0, y + BAR * model.tools.len() as f64 / 2.0 + 4.0);
        let name = escape(&model.model);
        writeln!(text, r#"<text x="{x}" y="{middle}" text-anchor="end">{name}</text>"#)?;
        for tool in &model.tools {
            write_bar(text, axis, tool, y)?;
            y += BAR;
        }
        y += GAP;
    }
    writeln!(text, "</svg>")
}

fn write_bar(text: &mut String, axis: &Axis, tool: &ToolReport, y: f64) -> std::fmt::Result {
    let (length, label) = match (axis.value)(tool) {
        Some(value) => (axis.length(value).max(1.0), (axis.print)(value)),
        None => (0.0, "–".to_owned()),
    };
    let (fill, thickness) = (colour(tool.tool), BAR - 2.0);
    writeln!(text, r#"<rect x="{LABELS}" y="{y}" width="{length:.1}" height="{thickness}" fill="{fill}"/>"#)?;
    let (x, baseline) = (LABELS + length + 5.0, y + BAR - 4.0);
    writeln!(text, r##"<text x="{x:.1}" y="{baseline}" font-size="10" fill="#444">{label}</text>"##)
}

fn write_legend(text: &mut String, report: &Report) -> std::fmt::Result {
    let tools = report.models.first().map(|model| model.tools.as_slice()).unwrap_or_default();
    for (index, tool) in tools.iter().enumerate() {
        let x = LABELS + 90.0 * index as f64;
        let fill = colour(tool.tool);
        writeln!(text, r#"<rect x="{x}" y="33" width="12" height="12" fill="{fill}"/>"#)?;
        writeln!(text, r#"<text x="{}" y="43">{}</text>"#, x + 17.0, tool.tool.label())?;
    }
    Ok(())
}

/// Colours that remain apart for the colour-blind.
fn colour(tool: ToolName) -> &'static str {
    match tool {
        ToolName::Mcc => "#0072b2",
        ToolName::Cmurphi => "#e69f00",
        ToolName::Rumur => "#999999",
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
