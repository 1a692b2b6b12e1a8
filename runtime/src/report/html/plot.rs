//! A plot as SVG: a line or bars, with the ends of its axes in words. Colours come from the page's
//! style.

use super::escape::escape;
use std::io::{self, Write};

const WIDTH: f64 = 400.0;
const HEIGHT: f64 = 180.0;
const LEFT: f64 = 96.0;
const TOP: f64 = 12.0;
const BELOW: f64 = 28.0;

pub(super) enum Shape {
    Line,
    Bars,
}

pub(super) struct Plot<'a> {
    pub title: &'a str,
    /// From left to right.
    pub points: Vec<(f64, f64)>,
    pub shape: Shape,
    /// A value of the horizontal axis in words.
    pub across: &'a dyn Fn(f64) -> String,
    /// A value of the vertical axis in words.
    pub up: &'a dyn Fn(f64) -> String,
}

impl Plot<'_> {
    /// Whether there was something to draw.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<bool> {
        let Plot { title, points, shape, across, up } = self;
        let (Some(first), Some(last)) = (points.first(), points.last()) else { return Ok(false) };
        let top = points.iter().map(|point| point.1).fold(0.0, f64::max);
        let span = last.0 - first.0;
        if points.len() < 3 || span <= 0.0 || top <= 0.0 {
            return Ok(false);
        }
        // Bars are as wide as half the distance to their neighbours, so half of one is added.
        let margin = match shape {
            Shape::Line => 0.0,
            Shape::Bars => WIDTH / (points.len() as f64 * 2.0),
        };
        let x = |value: f64| LEFT + margin + (value - first.0) / span * (WIDTH - 2.0 * margin);
        let y = |value: f64| TOP + (1.0 - value / top) * HEIGHT;
        let (end, bottom) = (LEFT + WIDTH, TOP + HEIGHT);
        let drawn = match shape {
            Shape::Line => {
                let points = points.iter().map(|point| format!("{:.1},{:.1}", x(point.0), y(point.1)));
                format!("<polyline points=\"{}\"/>", points.collect::<Vec<_>>().join(" "))
            }
            Shape::Bars => {
                let width = (1.6 * margin).max(0.5);
                let bars = points.iter().map(|point| {
                    format!(
                        "<rect class=\"column\" x=\"{:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{:.1}\">\
                         <title>{}: {}</title></rect>",
                        x(point.0) - width / 2.0,
                        y(point.1),
                        bottom - y(point.1),
                        escape(&across(point.0)),
                        escape(&up(point.1))
                    )
                });
                bars.collect()
            }
        };
        writeln!(
            out,
            "<figure><figcaption>{title}</figcaption>\
             <svg class=\"plot\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{title}, at most {}\">\
             <path class=\"axis\" d=\"M{LEFT} {TOP} V{bottom} H{end}\"/>\
             <text class=\"end\" x=\"{left}\" y=\"{}\">{}</text><text class=\"end\" x=\"{left}\" y=\"{bottom}\">0</text>\
             <text class=\"begin\" x=\"{LEFT}\" y=\"{under}\">{}</text>\
             <text class=\"end\" x=\"{end}\" y=\"{under}\">{}</text>{drawn}</svg></figure>",
            end + 12.0,
            bottom + BELOW,
            escape(&up(top)),
            TOP + 9.0,
            escape(&up(top)),
            escape(&across(first.0)),
            escape(&across(last.0)),
            left = LEFT - 8.0,
            under = bottom + 18.0,
        )?;
        Ok(true)
    }
}
