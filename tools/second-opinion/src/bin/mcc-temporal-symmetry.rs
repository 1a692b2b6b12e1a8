//! `cargo run --release -p mcc-second-opinion --bin mcc-temporal-symmetry -- --models 2000`

use clap::Parser;
use mcc_second_opinion::temporal::orbits::{Tally, compare, draw};
use std::process::ExitCode;
use std::time::Instant;

/// Draws small models with scalarsets and properties of their runs, and compares what is found on
/// states reduced by symmetry with what is found on all states.
#[derive(Debug, Parser)]
struct Options {
    /// How many models to draw
    #[arg(long, default_value_t = 1000)]
    models: u64,
    /// The number of the first; each model has one of its own
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print the models, and compare nothing
    #[arg(long)]
    print: bool,
}

fn main() -> ExitCode {
    let options = Options::parse();
    let started = Instant::now();
    let (mut tally, mut wrong) = (Tally::default(), 0);
    for seed in options.seed..options.seed + options.models {
        let text = draw(seed);
        if options.print {
            println!("{text}");
            continue;
        }
        match compare(&text) {
            Ok(found) => tally.add(found),
            Err(why) => {
                wrong += 1;
                println!("seed {seed}: {why}");
            }
        }
    }
    let Tally { models, left_out, reduced, apart, violated, replayed } = tally;
    println!(
        "{models} models, {left_out} left out; {reduced} reduced, {apart} of them with elements kept apart; \
         {violated} violated, {replayed} counterexamples replayed; {wrong} wrong, {} s",
        started.elapsed().as_secs()
    );
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) }
}
