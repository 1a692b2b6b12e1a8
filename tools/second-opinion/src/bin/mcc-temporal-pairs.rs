//! `cargo run --release -p mcc-second-opinion --bin mcc-temporal-pairs -- --models 350`

use clap::Parser;
use mcc_second_opinion::temporal::pairs::{Tally, draw};
use mcc_second_opinion::temporal::spin;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

/// Draws small models with formulas, and compares what the search says about each pair with what
/// Spin says.
#[derive(Debug, Parser)]
struct Options {
    /// How many models to draw
    #[arg(long, default_value_t = 350)]
    models: u64,
    /// The number of the first; each model has one of its own
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Formulas for each model
    #[arg(long, default_value_t = 6)]
    formulas: usize,
    /// Where Spin works
    #[arg(long, default_value = "target/temporal-pairs")]
    folder: PathBuf,
}

fn main() -> ExitCode {
    let options = Options::parse();
    if !spin::is_installed() {
        eprintln!("error: spin is not on the path");
        return ExitCode::from(2);
    }
    let started = Instant::now();
    let (mut tally, mut wrong) = (Tally::default(), 0);
    for seed in options.seed..options.seed + options.models {
        match draw(seed, options.formulas).compare(&options.folder) {
            Ok(Ok(found)) => tally.add(found),
            Ok(Err(why)) => {
                wrong += 1;
                println!("seed {seed}: {why}");
            }
            Err(error) => {
                eprintln!("error: {}: {error}", options.folder.display());
                return ExitCode::from(2);
            }
        }
        if (seed + 1 - options.seed).is_multiple_of(50) {
            println!("up to seed {seed}: {tally:?}, {wrong} wrong, {} s", started.elapsed().as_secs());
        }
    }
    let Tally { pairs, fair, violated, silent, loops } = tally;
    println!(
        "{pairs} pairs compared with Spin, {fair} of them with fairness, {violated} violated; {silent} on which \
         Spin is silent; {loops} loops checked; {wrong} wrong, {} s",
        started.elapsed().as_secs()
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
