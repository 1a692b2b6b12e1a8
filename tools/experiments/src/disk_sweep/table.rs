//! The figures as Markdown.

use crate::disk_sweep::figures::{Cell, Figures, Mean, Report, Sweep, Way};
use std::fmt::Write;

pub fn render(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_report(&mut text, report);
    text
}

fn write_report(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(text, "| model | bits | states | rules | depth | memory | time | processor time |")?;
    writeln!(text, "|---|---:|---:|---:|---:|---:|---:|---:|")?;
    for Figures { name, bits_per_state, states, rules, depth, exact, .. } in &report.models {
        writeln!(
            text,
            "| {name} | {bits_per_state} | {states} | {rules} | {depth} | {:.0} kB | {:.3} s | {} |",
            exact.memory_bytes as f64 / 1000.0,
            exact.time.seconds,
            exact.time.processor_seconds.map_or("–".to_owned(), |seconds| format!("{seconds:.2} s"))
        )?;
    }
    let mut ways: Vec<Way> = Vec::new();
    for sweep in report.models.iter().flat_map(|figures| &figures.sweeps) {
        if !ways.contains(&sweep.way) {
            ways.push(sweep.way);
        }
    }
    for way in ways {
        write_way(text, report, way)?;
    }
    writeln!(
        text,
        "\nSlowdowns are against the exact search in memory, for tables that take 1/1, 1/2 … of its memory. Processor time is that of all threads. \
         Checks are how often the table was read, in the memory of which the table had its part. –: there is no table as small as that."
    )
}

fn write_way(text: &mut String, report: &Report, way: Way) -> std::fmt::Result {
    let columns: Vec<String> = report.factors.iter().map(ToString::to_string).collect();
    writeln!(text, "\n### `{}`\n", way.name())?;
    writeln!(text, "| model | | {} |", columns.join(" | "))?;
    writeln!(text, "|---|---|{}", "---:|".repeat(report.factors.len()))?;
    for figures in &report.models {
        for sweep in figures.sweeps.iter().filter(|sweep| sweep.way == way) {
            write_sweep(text, figures, sweep)?;
        }
    }
    let means: Vec<&Mean> = report.means.iter().filter(|mean| mean.way == way).collect();
    if means.is_empty() {
        return Ok(());
    }
    let mean = |factor: f64| means.iter().find(|mean| mean.factor == factor);
    for (name, value) in [
        ("time", (|mean: &Mean| Some(mean.time)) as fn(&Mean) -> Option<f64>),
        ("processor time", |mean| mean.processor_time),
    ] {
        write!(text, "| **geometric mean** | {name} |")?;
        for &factor in &report.factors {
            match mean(factor).and_then(|mean| value(mean)) {
                Some(value) => write!(text, " {value:.3} |")?,
                None => write!(text, " – |")?,
            }
        }
        writeln!(text)?;
    }
    Ok(())
}

/// The name of a row, and what stands in it.
type Row = (&'static str, fn(&Cell) -> Option<String>);

fn write_sweep(text: &mut String, figures: &Figures, sweep: &Sweep) -> std::fmt::Result {
    let rows: [Row; 5] = [
        ("time", |cell| Some(format!("{:.3}", cell.slowdown.time))),
        ("processor time", |cell| cell.slowdown.processor_time.map(|ratio| format!("{ratio:.3}"))),
        ("checks", |cell| Some(cell.checks.to_string())),
        ("MB read", |cell| Some(format!("{:.1}", cell.read_bytes as f64 / 1e6))),
        ("kB in memory, with the queue", |cell| Some(format!("{:.0}", cell.memory_bytes as f64 / 1e3))),
    ];
    for (at, (name, value)) in rows.into_iter().enumerate() {
        write!(text, "| {} | {name} |", if at == 0 { &figures.name } else { "" })?;
        for cell in &sweep.cells {
            let value = cell.as_ref().and_then(value).unwrap_or("–".to_owned());
            write!(text, " {value} |")?;
        }
        writeln!(text)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::disk_sweep::figures::means;
    use crate::disk_sweep::figures::tests::figures;

    #[test]
    fn all_figures_are_in_the_tables() {
        let models = vec![figures("ring", [1.0, 2.0]), figures("list", [1.21, 2.0])];
        let factors = vec![1.0, 10.0, 100.0];
        let means = means(&models, &[Way::Signatures], &factors);
        let text = render(&Report { factors, models, means });
        assert!(text.contains("| ring | 12 | 100 | 200 | 7 | 4000 kB | 2.000 s | 1.50 s |"), "{text}");
        assert!(text.contains("### `-c`\n\n| model | | 1 | 10 | 100 |"), "{text}");
        assert!(
            text.contains("| ring | time | 1.000 | 2.000 | – |\n|  | processor time | 1.000 |"),
            "{text}"
        );
        assert!(text.contains("|  | MB read | 7.0 | 7.0 | – |"), "{text}");
        assert!(text.contains("| **geometric mean** | time | 1.100 | 2.000 | – |"), "{text}");
    }
}
