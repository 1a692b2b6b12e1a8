//! From measurements to figures: medians, agreement between tools, and ratios where there is agreement.
//!
//! These types are also the JSON file, field by field.

use crate::measure::{Contender, Plan, Setback};
use crate::tools::{ToolName, Verdict};
use serde::Serialize;
use std::fs;

#[derive(Serialize)]
pub struct Report {
    pub schema: u32,
    pub machine: Machine,
    pub repeat: u32,
    pub limit_seconds: f64,
    pub threads: u32,
    pub models: Vec<ModelReport>,
    pub means: Vec<Mean>,
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
    /// `mcc` comes first.
    pub tools: Vec<ToolReport>,
}

#[derive(Serialize)]
pub struct ToolReport {
    pub tool: ToolName,
    /// The median; nothing if the tool does not build the model.
    pub build_seconds: Option<f64>,
    pub build_samples: Vec<f64>,
    pub run: Option<RunReport>,
    /// Why there is no run, in words.
    pub setback: Option<String>,
    /// For peers: how `mcc` compares.
    pub comparison: Option<Comparison>,
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
    pub states_per_second: f64,
    pub rules_per_second: f64,
    pub samples: Vec<f64>,
    /// Every repetition gave the same verdict and counts.
    pub reproducible: bool,
}

impl RunReport {
    /// The run waited for the processor so long that its time says more of the machine than of the tool.
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

/// Over the models whose runs take a peer long enough to be measured.
#[derive(Serialize)]
pub struct Mean {
    pub peer: ToolName,
    pub floor_seconds: f64,
    pub models: usize,
    pub geometric_mean_speed: f64,
    pub least_speed: f64,
    pub geometric_mean_memory: f64,
}

impl Report {
    pub fn new(
        plan: &Plan,
        threads: u32,
        floor: f64,
        names: Vec<String>,
        measured: Vec<Vec<Contender>>,
    ) -> Report {
        let models: Vec<ModelReport> = names
            .into_iter()
            .zip(measured)
            .map(|(name, contenders)| model_report(name, contenders))
            .collect();
        let peers = ToolName::ALL.into_iter().filter(|&tool| tool != ToolName::Mcc);
        let means = peers.filter_map(|peer| mean(peer, floor, &models)).collect();
        Report {
            schema: 1,
            machine: Machine::here(),
            repeat: plan.repeat,
            limit_seconds: plan.limit.as_secs_f64(),
            threads,
            models,
            means,
        }
    }

    /// What makes this benchmark worthless as evidence, in words.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for model in &self.models {
            for tool in &model.tools {
                let what = |fault: &str| format!("{}: {} {fault}", model.model, tool.tool.label());
                if tool.comparison.as_ref().is_some_and(|it| matches!(it.run, RunComparison::Differs)) {
                    faults.push(what("differs from mcc in verdict or counts"));
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

fn model_report(model: String, contenders: Vec<Contender>) -> ModelReport {
    let mut tools: Vec<ToolReport> = contenders.into_iter().map(tool_report).collect();
    if let Some((ours, peers)) = tools.split_first_mut() {
        for peer in peers {
            let run = compare_runs(ours.run.as_ref(), peer.run.as_ref());
            let build = peer.build_seconds.zip(ours.build_seconds).map(|(peer, ours)| peer / ours);
            peer.comparison = Some(Comparison { build, run });
        }
    }
    ModelReport { model, tools }
}

fn tool_report(contender: Contender) -> ToolReport {
    ToolReport {
        tool: contender.tool,
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
    }
}

fn run_report(contender: &Contender) -> Option<RunReport> {
    let answer = contender.runs.first()?.answer;
    let samples: Vec<f64> = contender.runs.iter().map(|run| run.seconds).collect();
    let processor: Vec<f64> = contender.runs.iter().map(|run| run.processor_seconds).collect();
    let memory: Vec<f64> = contender.runs.iter().map(|run| run.peak_memory_bytes as f64).collect();
    let seconds = median(&samples)?;
    Some(RunReport {
        arguments: contender.arguments.iter().map(|argument| argument.display().to_string()).collect(),
        verdict: answer.verdict,
        states: answer.states,
        rules: answer.rules,
        seconds,
        processor_seconds: median(&processor)?,
        peak_memory_bytes: median(&memory)? as u64,
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

fn mean(peer: ToolName, floor: f64, models: &[ModelReport]) -> Option<Mean> {
    let reports = models.iter().flat_map(|model| &model.tools).filter(|report| report.tool == peer);
    let ratios: Vec<(f64, f64)> = reports
        .filter(|report| report.run.as_ref().is_some_and(|run| run.seconds >= floor))
        .filter_map(|report| match report.comparison.as_ref()?.run {
            RunComparison::Ratio { speed, memory } => Some((speed, memory)),
            RunComparison::Differs | RunComparison::Missing => None,
        })
        .collect();
    let geometric = |values: &mut dyn Iterator<Item = f64>| {
        (values.map(f64::ln).sum::<f64>() / ratios.len() as f64).exp()
    };
    (!ratios.is_empty()).then(|| Mean {
        peer,
        floor_seconds: floor,
        models: ratios.len(),
        geometric_mean_speed: geometric(&mut ratios.iter().map(|ratio| ratio.0)),
        least_speed: ratios.iter().map(|ratio| ratio.0).fold(f64::INFINITY, f64::min),
        geometric_mean_memory: geometric(&mut ratios.iter().map(|ratio| ratio.1)),
    })
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
