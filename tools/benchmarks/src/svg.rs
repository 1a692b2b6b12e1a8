//! The report as bar plots, one below the other: states per second and bytes per state on
//! logarithmic axes, build seconds, and where a model was measured in several sizes, the time per
//! state.

use crate::markdown::rate;
use crate::report::{ModelReport, Report, ToolReport};
use crate::tools::ToolName;
use mcc_experiments::shared::svg::escape;
use std::fmt::Write;

const LABELS: f64 = 190.0;
const PLOT: f64 = 560.0;
const MARGIN: f64 = 90.0;
const LEGEND: f64 = 40.0;
const TITLE: f64 = 30.0;
const TICKS: f64 = 40.0;
const BAR: f64 = 14.0;
const GAP: f64 = 12.0;

/// One plot: groups of bars under a title.
struct Panel {
    title: &'static str,
    groups: Vec<Group>,
    axis: Axis,
}

struct Group {
    label: String,
    bars: Vec<Bar>,
}

struct Bar {
    tool: ToolName,
    /// More threads than the fewest: in a paler colour.
    pale: bool,
    value: Option<f64>,
}

/// How a value becomes a length and a label.
struct Axis {
    print: fn(f64) -> String,
    from: f64,
    to: f64,
    logarithmic: bool,
}

pub fn render(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_plots(&mut text, report, &panels(report));
    text
}

fn panels(report: &Report) -> Vec<Panel> {
    let of_models = |value: fn(&ToolReport) -> Option<f64>| {
        let group = |model: &ModelReport| Group {
            label: model.model.clone(),
            bars: model.tools.iter().map(|tool| bar(report, tool.tool, tool.threads, value(tool))).collect(),
        };
        report.models.iter().map(group).collect::<Vec<Group>>()
    };
    let speed = of_models(|tool| Some(tool.run.as_ref()?.states_per_second));
    let memory = of_models(|tool| Some(tool.run.as_ref()?.bytes_per_state));
    let mut builds = of_models(|tool| tool.build_seconds);
    for group in &mut builds {
        // Who builds once for all numbers of threads has one bar.
        group.bars.retain(|bar| !bar.pale || bar.value.is_some());
    }
    let growth = report.growth.iter().flat_map(|growth| {
        growth.sizes.iter().map(|size| Group {
            label: format!("{} ({})", growth.model, size.size),
            bars: vec![bar(report, growth.tool, growth.threads, Some(size.nanoseconds_per_state))],
        })
    });
    let panels = [
        Panel::new("States per second (logarithmic)", speed, rate, true),
        Panel::new("Bytes of peak memory per state (logarithmic)", memory, rate, true),
        Panel::new("Nanoseconds per state, by size", growth.collect(), rate, false),
        Panel::new("Build seconds, model to verifier", builds, |value| format!("{value:.2} s"), false),
    ];
    panels.into_iter().flatten().collect()
}

fn bar(report: &Report, tool: ToolName, threads: u32, value: Option<f64>) -> Bar {
    let fewest = report.threads.first().copied().unwrap_or(1);
    Bar { tool, pale: threads > fewest, value }
}

impl Panel {
    /// Nothing if there is nothing to show.
    fn new(
        title: &'static str,
        groups: Vec<Group>,
        print: fn(f64) -> String,
        logarithmic: bool,
    ) -> Option<Panel> {
        let values = || groups.iter().flat_map(|group| &group.bars).filter_map(|bar| bar.value);
        let least = values().fold(f64::INFINITY, f64::min);
        let most = values().fold(0.0, f64::max);
        values().next()?;
        let axis = if logarithmic {
            let from = 10f64.powf(least.max(1.0).log10().floor());
            let to = 10f64.powf(most.log10().ceil()).max(from * 10.0);
            Axis { print, from, to, logarithmic }
        } else {
            Axis { print, from: 0.0, to: most.ceil().max(1.0), logarithmic }
        };
        Some(Panel { title, groups, axis })
    }

    fn bars_height(&self) -> f64 {
        self.groups.iter().map(|group| BAR * group.bars.len() as f64 + GAP).sum()
    }

    fn height(&self) -> f64 {
        TITLE + self.bars_height() + TICKS
    }
}

impl Axis {
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

fn write_plots(text: &mut String, report: &Report, panels: &[Panel]) -> std::fmt::Result {
    let (width, height) = (LABELS + PLOT + MARGIN, LEGEND + panels.iter().map(Panel::height).sum::<f64>());
    writeln!(
        text,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">"#
    )?;
    writeln!(text, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    write_legend(text, report)?;
    let mut top = LEGEND;
    for panel in panels {
        write_panel(text, panel, top)?;
        top += panel.height();
    }
    writeln!(text, "</svg>")
}

fn write_panel(text: &mut String, panel: &Panel, top: f64) -> std::fmt::Result {
    writeln!(text, r#"<text x="{LABELS}" y="{}" font-size="15">{}</text>"#, top + 18.0, panel.title)?;
    let (from, to) = (top + TITLE, top + TITLE + panel.bars_height());
    for tick in panel.axis.ticks() {
        let x = LABELS + panel.axis.length(tick);
        writeln!(text, r##"<line x1="{x:.1}" y1="{from}" x2="{x:.1}" y2="{to}" stroke="#ddd"/>"##)?;
        let (y, label) = (to + 16.0, (panel.axis.print)(tick));
        writeln!(text, r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{label}</text>"#)?;
    }
    let mut y = from + GAP / 2.0;
    for group in &panel.groups {
        let (x, middle) = (LABELS - 8.0, y + BAR * group.bars.len() as f64 / 2.0 + 4.0);
        writeln!(text, r#"<text x="{x}" y="{middle}" text-anchor="end">{}</text>"#, escape(&group.label))?;
        for bar in &group.bars {
            write_bar(text, &panel.axis, bar, y)?;
            y += BAR;
        }
        y += GAP;
    }
    Ok(())
}

fn write_bar(text: &mut String, axis: &Axis, bar: &Bar, y: f64) -> std::fmt::Result {
    let (length, label) = match bar.value {
        Some(value) => (axis.length(value).max(1.0), (axis.print)(value)),
        None => (0.0, "–".to_owned()),
    };
    let (fill, thickness) = (fill(bar.tool, bar.pale), BAR - 2.0);
    writeln!(text, r#"<rect x="{LABELS}" y="{y}" width="{length:.1}" height="{thickness}" {fill}/>"#)?;
    let (x, baseline) = (LABELS + length + 5.0, y + BAR - 4.0);
    writeln!(text, r##"<text x="{x:.1}" y="{baseline}" font-size="10" fill="#444">{label}</text>"##)
}

/// Every tool, with every number of threads, once.
fn write_legend(text: &mut String, report: &Report) -> std::fmt::Result {
    let mut entries: Vec<(ToolName, u32, String)> = report
        .models
        .iter()
        .flat_map(|model| &model.tools)
        .map(|tool| (tool.tool, tool.threads, tool.label()))
        .collect();
    entries.sort();
    entries.dedup();
    let mut x = LABELS;
    for (tool, threads, label) in entries {
        let fill = fill(tool, bar(report, tool, threads, None).pale);
        writeln!(text, r#"<rect x="{x}" y="13" width="12" height="12" {fill}/>"#)?;
        writeln!(text, r#"<text x="{}" y="23">{label}</text>"#, x + 17.0)?;
        x += 40.0 + 7.0 * label.len() as f64;
    }
    Ok(())
}

/// Colours that remain apart for the colour-blind.
fn fill(tool: ToolName, pale: bool) -> String {
    let colour = match tool {
        ToolName::Mcc => "#0072b2",
        ToolName::Cmurphi => "#e69f00",
        ToolName::Rumur => "#999999",
        ToolName::Spin => "#009e73",
    };
    let opacity = if pale { r#" fill-opacity="0.55""# } else { "" };
    format!(r#"fill="{colour}"{opacity}"#)
}
