//! `cluster-speed`: how fast are several processes, beside one?
//!
//! Exit codes: 0 measured · 1 a model could not be measured · 2 the command line is wrong.

use clap::Parser;
use mcc_experiments::cluster::scale::{Costs, Machines};
use mcc_experiments::cluster::speed::{HEAD, Measured, measure};
use mcc_experiments::shared::{Compiler, ExperimentError, Verifier, exit_code};
use std::path::PathBuf;
use std::process::ExitCode;

/// Searches a model with several numbers of processes of one thread each, by turns, and writes a
/// table in Markdown: the shortest times, memory, and what is sent
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Options {
    /// The models
    #[arg(required = true, value_name = "MODEL.m")]
    models: Vec<PathBuf>,
    #[command(flatten)]
    compiler: Compiler,
    /// Give a constant of the models another value; may be repeated
    #[arg(short = 'D', value_name = "NAME=VALUE")]
    define: Vec<String>,
    /// Numbers of processes; 0 is a search without --cluster
    #[arg(long, value_delimiter = ',', value_name = "N,…", default_value = "0,1,2")]
    processes: Vec<u32>,
    /// Run everything N times; the shortest time counts
    #[arg(long, default_value_t = 3, value_name = "N")]
    repeat: u32,
    /// One more argument for all searches, such as --symmetry=off; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    option: Vec<String>,
    /// Compute from the searches of one process and of two what the others should take, with what
    /// all of them sent, and what 8, 32 and 128 machines would (docs/internals/scale.md)
    #[arg(long)]
    predict: bool,
    /// Processors of this machine
    #[arg(long, default_value_t = 2.0, value_name = "N")]
    processors: f64,
    /// The bandwidth of the loopback device, in bits a second, where it is shaped
    #[arg(long, default_value_t = 1e12, value_name = "N")]
    shaped: f64,
    /// Seconds for the end of a level, with all processes on this machine
    #[arg(long, default_value_t = 0.0002, value_name = "N")]
    agreement: f64,
}

/// Machines for which the formula is evaluated: processors of each, bits in a second, and seconds
/// in which they agree.
const ELSEWHERE: (f64, f64, f64) = (16.0, 10e9, 0.001);

/// How many times the states each level has in a larger model.
const WIDER: f64 = 100.0;

fn main() -> ExitCode {
    exit_code("cluster-speed", run(&Options::parse()))
}

/// Whether all models were measured.
fn run(options: &Options) -> Result<bool, ExperimentError> {
    println!("{HEAD}");
    for model in &options.models {
        let verifier = Verifier::build_with(&options.compiler.find(), model, &options.define)?;
        let measured = measure(&verifier, &options.processes, &options.option, options.repeat)?;
        let Some(first) = measured.first() else { return Ok(false) };
        measured.iter().for_each(|one| println!("{}", one.row(&verifier.name, first)));
        if options.predict {
            predict(options, &verifier.name, &measured)?;
        }
    }
    Ok(true)
}

fn predict(options: &Options, name: &str, measured: &[Measured]) -> Result<(), ExperimentError> {
    let of = |processes: u32| measured.iter().find(|one| one.processes == processes);
    let several: Vec<&Measured> = measured.iter().filter(|one| one.processes > 1).collect();
    let Options { processors, shaped, agreement, .. } = *options;
    let costs = of(1).and_then(|one| Costs::of(one, &several, processors, agreement));
    let Some(costs) = costs else {
        return Err("--predict needs --processes with 1 and 2".into());
    };
    println!(
        "\n{name}: a rule {:.0} ns, {:.2} rules a state, {:.2} of them lead elsewhere, of P processes' \
         {:.2}/P of these are not sent again; {:.0} ns for each sent, {:.1} bytes and {:.1} more with each \
         doubling, up to {:.0}; {:.0} levels of {:.0} states\n",
        costs.rule * 1e9,
        costs.rules / costs.states,
        costs.elsewhere,
        costs.repeated,
        costs.send * 1e9,
        costs.bytes,
        costs.doubling,
        costs.most_bytes,
        costs.levels,
        costs.states / costs.levels
    );
    println!("| {name} | computed | measured | of it links | ends of levels |\n|---|---|---|---|---|");
    for found in measured.iter().filter(|found| found.processes > 0) {
        let local = costs.predict_local(f64::from(found.processes), processors, shaped / 8.0, agreement);
        let (links, ends) = (local.links, local.ends);
        let (processes, seconds) = (found.processes, found.seconds);
        println!(
            "| {processes} here | {:.2} s | {seconds:.2} s | {links:.2} s | {ends:.2} s |",
            local.seconds
        );
    }
    let (processors, bits, agreement) = ELSEWHERE;
    let on = |count: f64| Machines { count, processors, bandwidth: bits / 8.0, agreement };
    let one = costs.predict(on(1.0)).seconds;
    let wide = Costs { states: costs.states * WIDER, rules: costs.rules * WIDER, ..costs };
    let one_wide = wide.predict(on(1.0)).seconds;
    println!(
        "| one machine | {one:.2} s, {one_wide:.2} s with {WIDER} times the states in each level | | | |"
    );
    for count in [8.0, 32.0, 128.0] {
        let there = costs.predict(on(count));
        let wider = wide.predict(on(count));
        println!(
            "| {count} machines, {WIDER} times the states | {:.3} s, {:.1} times one | | {:.3} s | {:.3} s |",
            wider.seconds,
            one_wide / wider.seconds,
            wider.links,
            wider.ends
        );
        println!(
            "| {count} machines | {:.3} s, {:.1} times one | | {:.3} s | {:.3} s |",
            there.seconds,
            one / there.seconds,
            there.links,
            there.ends
        );
    }
    Ok(())
}
