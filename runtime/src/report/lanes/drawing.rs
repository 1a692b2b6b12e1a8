//! A chart as SVG: lanes from left to right, steps from top to bottom, messages as arrows from the
//! step that sends them to the step that receives them.

use super::Chart;
use crate::report::html::escape::escape;
use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Write;

/// Lanes are as wide as fits beside each other, within limits.
const PAGE: usize = 1400;
const NARROWEST: usize = 230;
const WIDEST: usize = 400;
const ROW: usize = 34;
const TOP: usize = 44;
/// Units that a character of a title takes, about. Longer titles are cut; the whole one is shown
/// when the mouse rests there.
const CHARACTER: f64 = 6.7;

/// The chart as an element of a page. Colours come from the page's style.
pub fn draw(chart: &Chart) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_chart(&mut text, chart);
    text
}

/// Where an arrow begins and ends: at the edge of a box, so that its tip can be seen, or at the
/// line of a lane in which the step has no box. `half` of a box lies on each side of its lane.
fn ends((from, from_half): (usize, usize), (to, to_half): (usize, usize)) -> (usize, usize) {
    match from.cmp(&to) {
        Ordering::Less => (from + from_half, to - to_half),
        Ordering::Greater => (from - from_half, to + to_half),
        Ordering::Equal => (from + from_half, to + to_half),
    }
}

fn write_chart(text: &mut String, chart: &Chart) -> std::fmt::Result {
    let wide = (PAGE / chart.lanes.len().max(1)).clamp(NARROWEST, WIDEST);
    let x = |lane: usize| wide / 2 + lane * wide;
    let (width, height) = (wide * chart.lanes.len(), TOP + ROW * (chart.actions.len() + 1));
    let rows: HashMap<usize, usize> =
        chart.actions.iter().enumerate().map(|(row, action)| (action.step, row)).collect();
    let y = |step: usize| TOP + ROW / 2 + rows.get(&step).unwrap_or(&chart.actions.len()) * ROW;
    writeln!(
        text,
        "<svg class=\"chart\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         role=\"img\" aria-label=\"Message sequence chart\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" \
         refX=\"7\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\">\
         <path d=\"M0 0 L8 4 L0 8 z\"/></marker></defs>"
    )?;
    for (lane, name) in chart.lanes.iter().enumerate() {
        let at = x(lane);
        writeln!(
            text,
            "<line class=\"lane\" x1=\"{at}\" y1=\"30\" x2=\"{at}\" y2=\"{height}\"/>\
             <text class=\"lane-name\" x=\"{at}\" y=\"20\">{}</text>",
            escape(name)
        )?;
    }
    // Labels come last, so that no box covers them.
    let mut labels = String::new();
    for message in &chart.messages {
        let half = |step: Option<usize>, lane: usize| {
            let row = step.and_then(|step| chart.actions.get(*rows.get(&step)?));
            if row.is_some_and(|action| action.lane == lane) { (wide - 16) / 2 } else { 0 }
        };
        let (from, to) = ends(
            (x(message.from), half(Some(message.sent), message.from)),
            (x(message.to), half(message.received, message.to)),
        );
        let (sent, end) = (y(message.sent), message.received.map_or(height - 6, y));
        let lost = if message.received.is_none() { " lost" } else { "" };
        let label = escape(&message.label);
        let is_loop = message.from == message.to;
        let path = if is_loop {
            format!("M{from} {sent} C{0} {sent} {0} {end} {to} {end}", from + 20)
        } else {
            format!("M{from} {sent} L{to} {end}")
        };
        // Near the sender, where arrows that end in one box lie apart.
        let near = |from: usize, to: usize| (2 * from + to) / 3;
        let (middle, height) = (near(from, to) + if is_loop { 50 } else { 0 }, near(sent, end));
        let until = match message.received {
            Some(step) => format!("received in step {step}"),
            None => "not received".to_owned(),
        };
        writeln!(
            text,
            "<g class=\"message{lost}\"><title>{label}: sent in step {}, {until}</title>\
             <path d=\"{path}\" marker-end=\"url(#tip)\"/></g>",
            message.sent
        )?;
        writeln!(
            labels,
            "<text class=\"label{lost}\" x=\"{middle}\" y=\"{}\">{label}</text>",
            height.saturating_sub(3)
        )?;
    }
    for action in &chart.actions {
        let (at, row) = (x(action.lane), y(action.step));
        let shown =
            cut(&format!("{}. {}", action.step, action.title), ((wide - 24) as f64 / CHARACTER) as usize);
        let failing = if chart.failing == Some(action.step) { " failing" } else { "" };
        writeln!(
            text,
            "<g class=\"action{failing}\" data-step=\"{}\"><title>{}. {}</title>\
             <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"22\" rx=\"4\"/>\
             <text x=\"{at}\" y=\"{}\">{}</text></g>",
            action.step,
            action.step,
            escape(&action.title),
            at - (wide - 16) / 2,
            row - 11,
            wide - 16,
            row + 4,
            escape(&shown)
        )?;
    }
    text.push_str(&labels);
    text.push_str("</svg>\n");
    Ok(())
}

fn cut(text: &str, longest: usize) -> String {
    if text.chars().count() > longest {
        text.chars().take(longest.saturating_sub(1)).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}
