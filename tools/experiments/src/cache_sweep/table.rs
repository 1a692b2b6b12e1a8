//! The figures as Markdown, in the shape of the paper's Figures 4 to 6.

use crate::cache_sweep::figures::{Cell, Figures, Mean, Report, STORES, Sweep, WAYS};
use std::fmt::Write;

/// The name of a row, and what stands in it.
type Line<T, Value> = (&'static str, fn(&T) -> Value);

pub fn render(report: &Report) -> String {
    let mut text = String::new();
    // Writing to a String cannot fail.
    let _ = write_report(&mut text, report);
    text
}

fn write_report(text: &mut String, report: &Report) -> std::fmt::Result {
    write_models(text, report)?;
    for store in STORES {
        for replace in WAYS {
            writeln!(text, "\n### `{}`, `--replace {}`\n", store.name(), replace.name())?;
            write_head(text, &report.fractions)?;
            for figures in &report.models {
                let sweeps = figures.sweeps.iter();
                for sweep in sweeps.filter(|sweep| sweep.store == store && sweep.replace == replace) {
                    write_sweep(text, figures, sweep)?;
                }
            }
            let ours = |mean: &&Mean| mean.store == store && mean.replace == replace;
            let means: Vec<&Mean> = report.means.iter().filter(ours).collect();
            if !means.is_empty() {
                write_means(text, &means)?;
            }
        }
    }
    writeln!(
        text,
        "\nRatios are to the search that keeps all states. No mark: it ended by itself. \\*: it was stopped, and had visited all states. \
         ∞: it was stopped, and had not. –: there is no cache as small as that."
    )?;
    write_smallest(text, report)
}

/// What the models are, and what the searches take that keep all states.
fn write_models(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        text,
        "| model | bits | states | rules | depth | `-b` memory | `-b` time | `-b -c` memory | `-b -c` time |"
    )?;
    writeln!(text, "|---|---:|---:|---:|---:|---:|---:|---:|---:|")?;
    for Figures { name, bits_per_state, states, rules, depth, sweeps } in &report.models {
        write!(text, "| {name} | {bits_per_state} | {states} | {rules} | {depth} |")?;
        for store in STORES {
            let exact = sweeps.iter().find(|sweep| sweep.store == store).map(|sweep| sweep.exact);
            match exact {
                Some(exact) => {
                    write!(text, " {:.0} kB | {:.3} s |", exact.memory_bytes as f64 / 1000.0, exact.seconds)?;
                }
                None => write!(text, " – | – |")?,
            }
        }
        writeln!(text)?;
    }
    Ok(())
}

fn write_head(text: &mut String, fractions: &[f64]) -> std::fmt::Result {
    let columns: Vec<String> = fractions.iter().map(ToString::to_string).collect();
    writeln!(text, "| model | | {} |", columns.join(" | "))?;
    writeln!(text, "|---|---|{}", "---:|".repeat(fractions.len()))
}

fn write_sweep(text: &mut String, figures: &Figures, sweep: &Sweep) -> std::fmt::Result {
    let rows: [Line<Cell, f64>; 4] = [
        ("states", |cell| cell.ratios.states),
        ("rules", |cell| cell.ratios.rules),
        ("time", |cell| cell.ratios.time),
        ("coll", |cell| cell.collision_rate),
    ];
    for (at, (name, value)) in rows.into_iter().enumerate() {
        write!(text, "| {} | {name} |", if at == 0 { &figures.name } else { "" })?;
        for cell in &sweep.cells {
            match cell {
                Some(cell) => write!(text, " {:.3}{} |", value(cell), cell.end.mark().replace('*', "\\*"))?,
                None => write!(text, " – |")?,
            }
        }
        writeln!(text)?;
    }
    Ok(())
}

fn write_means(text: &mut String, means: &[&Mean]) -> std::fmt::Result {
    write!(text, "| ended | |")?;
    for mean in means {
        write!(text, " {} of {} |", mean.ended, mean.models)?;
    }
    let rows: [Line<Mean, Option<f64>>; 2] = [("states", |mean| mean.states), ("time", |mean| mean.time)];
    for (name, value) in rows {
        write!(text, "\n| geometric mean of those | {name} |")?;
        for mean in means {
            match value(mean) {
                Some(value) => write!(text, " {value:.3} |")?,
                None => write!(text, " – |")?,
            }
        }
    }
    writeln!(text)
}

/// How little is enough.
fn write_smallest(text: &mut String, report: &Report) -> std::fmt::Result {
    writeln!(
        text,
        "\nThe smallest fraction with which the search ends by itself, and with all larger ones:\n"
    )?;
    writeln!(
        text,
        "| model | `-b` direct | `-b` oldest | `-b -c` direct | `-b -c` oldest |\n|---|---:|---:|---:|---:|"
    )?;
    for figures in &report.models {
        let sweep = |sweep: &Sweep| sweep.smallest.map_or("–".to_owned(), |smallest| smallest.to_string());
        let columns: Vec<String> = figures.sweeps.iter().map(sweep).collect();
        writeln!(text, "| {} | {} |", figures.name, columns.join(" | "))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache_sweep::figures::means;
    use crate::cache_sweep::figures::tests::figures;

    #[test]
    fn all_figures_are_in_the_tables() {
        let models = vec![figures("ring", [1.25, 2.0]), figures("list", [1.25, 2.0])];
        let fractions = vec![1.0, 0.5, 0.1];
        let means = means(&models, &fractions);
        let text = render(&Report { fractions, models, means });
        assert!(text.contains("| ring | states | 1.500 | 1.500∞ | – |\n|  | rules |"), "{text}");
        assert!(text.contains("|  | time | 1.250 | 2.000∞ | – |"), "{text}");
        assert!(text.contains("| ended | | 2 of 2 | 0 of 2 | 0 of 0 |"), "{text}");
        assert!(text.contains("| geometric mean of those | time | 1.250 | – | – |"), "{text}");
        assert!(text.contains("| ring | 12 | 100 | 200 | 7 | 4 kB | 1.000 s | – | – |"), "{text}");
        assert!(text.contains("| list | 1 |"), "{text}");
    }
}
