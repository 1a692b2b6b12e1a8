//! From measurements to figures: medians, agreement between tools, and ratios where there is
//! agreement.
//!
//! These types are also the JSON file, field by field.

use crate::measure::{Contender, Plan, Setback};
use crate::models::Model;
use crate::tools::{ToolName, Verdict};
use serde::Serialize;
use std::fs;

/// Models with fewer states do not count when speed-ups are summed up: starting threads takes its
/// time too.
const MANY_STATES: u64 = 1_000_000;

#[derive(Serialize)]
pub struct Report {
    pub schema: u32,
    pub machine: Machine,
    pub repeat: u32,
    pub limit_seconds: f64,
    pub threads: Vec<u32>,
    pub models: Vec<ModelReport>,
    pub means: Vec<Mean>,
    pub speed_ups: Vec<SpeedUp>,
    pub growth: Vec<Growth>,
}

#[derive(Serialize)]
pub struct Machine {
    pub processor: String,
    pub cores: usize,
    pub system: String,
}

#[derive(Serialize)]
pub struct ModelReport {
    pub model: String,
    /// The name that all its sizes share.
    pub family: String,
    /// What was defined for this one.
    pub size: Option<String>,
    pub symmetry: bool,
    /// `mcc` comes first, and of each tool the fewest threads.
    pub tools: Vec<ToolReport>,
}

#[derive(Serialize)]
pub struct ToolReport {
    pub tool: ToolName,
    pub threads: u32,
    /// The median; nothing if the tool does not build the model, or has built it for fewer threads.
    pub build_seconds: Option<f64>,
    pub build_samples: Vec<f64>,
    pub run: Option<RunReport>,
    /// Why there is no run, in words.
    pub setback: Option<String>,
    /// For peers: how `mcc` compares.
    pub comparison: Option<Comparison>,
    /// With more threads than the fewest: those of the fewest divided by these.
    pub speed_up: Option<RunComparison>,
}

impl ToolReport {
    /// The tool's name, and its threads if they are several.
    pub fn label(&self) -> String {
        match self.threads {
            1 => self.tool.label().to_owned(),
            threads => format!("{}, {threads} threads", self.tool.label()),
        }
    }
}

#[derive(Serialize)]
pub struct RunReport {
    pub arguments: Vec<String>,
    pub verdict: Verdict,
    pub states: u64,
    pub rules: u64,
    /// The medians.
    pub seconds: f64,
    pub processor_seconds: f64,
    pub peak_memory_bytes: u64,
    /// Of the peak memory, the program's own included.
    pub bytes_per_state: f64,
    pub states_per_second: f64,
    pub rules_per_second: f64,
    pub samples: Vec<f64>,
    /// Every repetition gave the same verdict and counts.
    pub reproducible: bool,
}

impl RunReport {
    /// The run waited for the processor for such a time that its time says more of the machine than
    /// of the tool.
    pub fn disturbed(&self) -> bool {
        self.seconds > 0.1 && self.processor_seconds < 0.9 * self.seconds
    }
}

/// Each ratio is the peer's figure divided by that of `mcc`: above one, `mcc` is ahead.
#[derive(Serialize)]
pub struct Comparison {
    pub build: Option<f64>,
    pub run: RunComparison,
}

#[derive(Clone, Copy, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RunComparison {
    Ratio {
        speed: f64,
        memory: f64,
    },
    /// Verdict or counts are not the same, so the times mean nothing.
    Differs,
    /// One of the two gave no answer.
    Missing,
}

impl RunComparison {
    /// Of speed and of memory.
    fn ratios(self) -> Option<(f64, f64)> {
        match self {
            RunComparison::Ratio { speed, memory } => Some((speed, memory)),
            RunComparison::Differs | RunComparison::Missing => None,
        }
    }
}

/// Over the models whose runs take a peer long enough to be measured.
#[derive(Serialize)]
pub struct Mean {
    pub peer: ToolName,
    pub threads: u32,
    pub floor_seconds: f64,
    pub models: usize,
    pub geometric_mean_speed: f64,
    pub least_speed: f64,
    pub geometric_mean_memory: f64,
}

/// What threads bring a tool, over the models with many states.
#[derive(Serialize)]
pub struct SpeedUp {
    pub tool: ToolName,
    pub threads: u32,
    /// The number of threads that the speed-up is relative to.
    pub fewest_threads: u32,
    pub least_states: u64,
    pub models: usize,
    pub geometric_mean: f64,
    pub least: f64,
}

/// How the costs of one model grow with its size, for one tool on one number of threads.
#[derive(Serialize)]
pub struct Growth {
    pub model: String,
    pub tool: ToolName,
    pub threads: u32,
    /// By number of states.
    pub sizes: Vec<SizeReport>,
}

#[derive(Serialize)]
pub struct SizeReport {
    pub size: String,
    pub states: u64,
    pub seconds: f64,
    pub nanoseconds_per_state: f64,
    pub rules_per_second: f64,
    pub bytes_per_state: f64,
    /// The time per state divided by that of the smallest size.
    pub growth: f64,
}

impl Report {
    pub fn new(plan: &Plan, floor: f64, models: &[Model], measured: Vec<Vec<Contender>>) -> Report {
        let models: Vec<ModelReport> =
            models.iter().zip(measured).map(|(model, contenders)| model_report(model, contenders)).collect();
        let entrants = entrants(&models);
        let peers = entrants.iter().filter(|entrant| entrant.0 != ToolName::Mcc);
        Report {
            schema: 2,
            machine: Machine::here(),
            repeat: plan.repeat,
            limit_seconds: plan.limit.as_secs_f64(),
            threads: plan.threads.clone(),
            means: peers.filter_map(|&peer| mean(peer, floor, &models)).collect(),
            speed_ups: entrants.iter().filter_map(|&entrant| speed_up(entrant, plan, &models)).collect(),
            growth: entrants.iter().flat_map(|&entrant| growth(entrant, &models)).collect(),
            models,
        }
    }

    /// What makes this benchmark worthless as evidence, in words.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for model in &self.models {
            for tool in &model.tools {
                let what = |fault: &str| format!("{}: {} {fault}", model.model, tool.label());
                if tool.comparison.as_ref().is_some_and(|it| matches!(it.run, RunComparison::Differs)) {
                    faults.push(what("differs from mcc in verdict or counts"));
                }
                if matches!(tool.speed_up, Some(RunComparison::Differs)) {
                    faults.push(what("differs from the same with fewer threads"));
                }
                if tool.run.as_ref().is_some_and(|run| !run.reproducible) {
                    faults.push(what("gave different answers to the same question"));
                }
                if let (ToolName::Mcc, Some(why)) = (tool.tool, &tool.setback) {
                    faults.push(what(&format!("gave no answer: {why}")));
                }
            }
        }
        faults
    }
}

impl Machine {
    fn here() -> Machine {
        let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let named = info.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
        Machine {
            processor: named.map_or(std::env::consts::ARCH, |(_, name)| name.trim()).to_owned(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            system: std::env::consts::OS.to_owned(),
        }
    }
}

fn model_report(model: &Model, contenders: Vec<Contender>) -> ModelReport {
    let mut tools: Vec<ToolReport> = contenders.into_iter().map(tool_report).collect();
    for index in 0..tools.len() {
        let this = &tools[index];
        let (tool, run) = (this.tool, this.run.as_ref());
        let fewest =
            tools.iter().find(|other| other.tool == tool).filter(|other| other.threads < this.threads);
        let speed_up = fewest.map(|fewest| compare_runs(run, fewest.run.as_ref()));
        // A peer is compared with as many threads as it has itself, or with the fewest there are.
        let ours = || tools.iter().filter(|other| other.tool == ToolName::Mcc);
        let alike = ours().find(|other| other.threads == this.threads).or_else(|| ours().next());
        let comparison = alike.filter(|_| tool != ToolName::Mcc).map(|ours_alike| {
            let built = ours().find_map(|ours| ours.build_seconds);
            let build = this.build_seconds.zip(built).map(|(peer, ours)| peer / ours);
            Comparison { build, run: compare_runs(ours_alike.run.as_ref(), run) }
        });
        (tools[index].speed_up, tools[index].comparison) = (speed_up, comparison);
    }
    ModelReport {
        model: model.name(),
        family: model.family(),
        size: model.size(),
        symmetry: model.symmetry,
        tools,
    }
}

/// Every tool with every number of threads that took part, in the order of the tables.
fn entrants(models: &[ModelReport]) -> Vec<(ToolName, u32)> {
    let reports = models.iter().flat_map(|model| &model.tools);
    let mut entrants: Vec<(ToolName, u32)> = reports.map(|report| (report.tool, report.threads)).collect();
    entrants.sort_unstable();
    entrants.dedup();
    entrants
}

fn tool_report(contender: Contender) -> ToolReport {
    ToolReport {
        tool: contender.tool,
        threads: contender.task.threads,
        build_seconds: median(&contender.build_seconds),
        run: run_report(&contender),
        build_samples: contender.build_seconds,
        setback: contender.setback.map(|setback| match setback {
            Setback::Rejected(why) => format!("does not build: {why}"),
            Setback::ReachedLimit => "time limit".to_owned(),
            Setback::OutOfMemory => "out of memory".to_owned(),
            Setback::Failed(why) => format!("failed: {why}"),
        }),
        comparison: None,
        speed_up: None,
    }
}

fn run_report(contender: &Contender) -> Option<RunReport> {
    let answer = contender.runs.first()?.answer;
    let samples: Vec<f64> = contender.runs.iter().map(|run| run.seconds).collect();
    let processor: Vec<f64> = contender.runs.iter().map(|run| run.processor_seconds).collect();
    let memory: Vec<f64> = contender.runs.iter().map(|run| run.peak_memory_bytes as f64).collect();
    let (seconds, peak_memory) = (median(&samples)?, median(&memory)?);
    Some(RunReport {
        arguments: contender.arguments.iter().map(|argument| argument.display().to_string()).collect(),
        verdict: answer.verdict,
        states: answer.states,
        rules: answer.rules,
        seconds,
        processor_seconds: median(&processor)?,
        peak_memory_bytes: peak_memory as u64,
        bytes_per_state: peak_memory / answer.states as f64,
        states_per_second: answer.states as f64 / seconds,
        rules_per_second: answer.rules as f64 / seconds,
        reproducible: contender.runs.iter().all(|run| run.answer == answer),
        samples,
    })
}

fn compare_runs(ours: Option<&RunReport>, peer: Option<&RunReport>) -> RunComparison {
    let (Some(ours), Some(peer)) = (ours, peer) else { return RunComparison::Missing };
    let answer = |run: &RunReport| (run.verdict, run.states, run.rules);
    if answer(ours) != answer(peer) || !ours.reproducible || !peer.reproducible {
        return RunComparison::Differs;
    }
    RunComparison::Ratio {
        speed: peer.seconds / ours.seconds,
        memory: peer.peak_memory_bytes as f64 / ours.peak_memory_bytes as f64,
    }
}

/// The reports of one tool on one number of threads, with their models.
fn reports_of(
    (tool, threads): (ToolName, u32),
    models: &[ModelReport],
) -> impl Iterator<Item = (&ModelReport, &ToolReport)> {
    models
        .iter()
        .flat_map(|model| model.tools.iter().map(move |report| (model, report)))
        .filter(move |(_, report)| (report.tool, report.threads) == (tool, threads))
}

fn mean(peer: (ToolName, u32), floor: f64, models: &[ModelReport]) -> Option<Mean> {
    let ratios: Vec<(f64, f64)> = reports_of(peer, models)
        .filter(|(_, report)| report.run.as_ref().is_some_and(|run| run.seconds >= floor))
        .filter_map(|(_, report)| report.comparison.as_ref()?.run.ratios())
        .collect();
    let (speeds, memories): (Vec<f64>, Vec<f64>) = ratios.into_iter().unzip();
    Some(Mean {
        peer: peer.0,
        threads: peer.1,
        floor_seconds: floor,
        models: speeds.len(),
        geometric_mean_speed: geometric_mean(&speeds)?,
        least_speed: least(&speeds),
        geometric_mean_memory: geometric_mean(&memories)?,
    })
}

fn speed_up(entrant: (ToolName, u32), plan: &Plan, models: &[ModelReport]) -> Option<SpeedUp> {
    let ratios: Vec<f64> = reports_of(entrant, models)
        .filter(|(_, report)| report.run.as_ref().is_some_and(|run| run.states >= MANY_STATES))
        .filter_map(|(_, report)| Some(report.speed_up?.ratios()?.0))
        .collect();
    Some(SpeedUp {
        tool: entrant.0,
        threads: entrant.1,
        fewest_threads: plan.threads.first().copied()?,
        least_states: MANY_STATES,
        models: ratios.len(),
        geometric_mean: geometric_mean(&ratios)?,
        least: least(&ratios),
    })
}

/// One entry for each model that has answers in several sizes.
fn growth(entrant: (ToolName, u32), models: &[ModelReport]) -> Vec<Growth> {
    let mut families: Vec<&str> = models.iter().map(|model| model.family.as_str()).collect();
    families.dedup();
    let of = |family: &str| {
        let reports = reports_of(entrant, models).filter(|(model, _)| model.family == family);
        let mut sizes: Vec<SizeReport> = reports
            .filter_map(|(model, report)| {
                let run = report.run.as_ref()?;
                Some(SizeReport {
                    size: model.size.clone()?,
                    states: run.states,
                    seconds: run.seconds,
                    nanoseconds_per_state: run.seconds * 1e9 / run.states as f64,
                    rules_per_second: run.rules_per_second,
                    bytes_per_state: run.bytes_per_state,
                    growth: 1.0,
                })
            })
            .collect();
        sizes.sort_by_key(|size| size.states);
        let smallest = sizes.first()?.nanoseconds_per_state;
        for size in &mut sizes {
            size.growth = size.nanoseconds_per_state / smallest;
        }
        (sizes.len() > 1).then(|| Growth {
            model: family.to_owned(),
            tool: entrant.0,
            threads: entrant.1,
            sizes,
        })
    };
    families.into_iter().filter_map(of).collect()
}

fn geometric_mean(values: &[f64]) -> Option<f64> {
    let logarithms: f64 = values.iter().map(|value| value.ln()).sum();
    (!values.is_empty()).then(|| (logarithms / values.len() as f64).exp())
}

fn least(values: &[f64]) -> f64 {
    values.iter().copied().fold(f64::INFINITY, f64::min)
}

fn median(samples: &[f64]) -> Option<f64> {
    let mut sorted = samples.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => None,
        length if length % 2 == 1 => Some(sorted[middle]),
        _ => Some((sorted[middle - 1] + sorted[middle]) / 2.0),
    }
}
