//! Pieces of plots.

/// Text as it stands in an SVG file.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The first lines of a white sheet of this size.
pub fn sheet(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    )
}

/// A horizontal line of the grid, with what it stands for at its left end.
pub fn grid_line(left: f64, right: f64, height: f64, label: &str) -> String {
    format!(
        "<line x1=\"{left}\" y1=\"{height:.1}\" x2=\"{right}\" y2=\"{height:.1}\" stroke=\"#ddd\"/>\
         <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>\n",
        left - 6.0,
        height + 4.0
    )
}

/// An entry of a legend: a line as it is drawn, and its name.
pub fn legend_entry(left: f64, height: f64, style: &str, name: &str) -> String {
    format!(
        "<line x1=\"{left}\" y1=\"{height}\" x2=\"{}\" y2=\"{height}\" {style}/><text x=\"{}\" y=\"{}\">{name}</text>\n",
        left + 30.0,
        left + 36.0,
        height + 4.0
    )
}

/// A line through these points.
pub fn line(points: &[(f64, f64)], style: &str) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    format!("<polyline points=\"{}\" fill=\"none\" {style}/>\n", points.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_cannot_break_the_file() {
        assert_eq!(escape("a<b>&c"), "a&lt;b&gt;&amp;c");
    }

    #[test]
    fn points_are_joined() {
        assert!(line(&[(1.0, 2.0), (3.25, 4.0)], "").contains("1.0,2.0 3.2,4.0"));
    }
}
