//! Takes the measurements: every model with every tool, interleaved and repeated.
//!
//! A machine's speed drifts. So one repetition goes through all models and tools before the next begins, and
//! the tool that goes first changes from one repetition to the next.

use crate::tools::{self, Answer, Outcome, Tool, ToolName};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Built once by every tool before the first timed build, so that caches are warm.
const WARM_UP: &str = "var x: 0..1;\nstartstate begin x := 0; end;\nrule \"flip\" begin x := 1 - x; end;\n";

pub struct Plan {
    pub repeat: u32,
    pub limit: Duration,
    pub build_only: bool,
}

/// A model as given by the user.
pub struct Model {
    /// How tables call it.
    pub name: String,
    pub file_name: OsString,
    /// Bytes, for the comments of old models are not always UTF-8.
    pub text: Vec<u8>,
}

/// All that one tool did with one model.
pub struct Contender {
    pub tool: ToolName,
    pub build_seconds: Vec<f64>,
    pub runs: Vec<Run>,
    /// The arguments that the timed runs were given.
    pub arguments: Vec<OsString>,
    /// Why there is no answer, where there is none. The tool then sits out the rest on this model.
    pub setback: Option<Setback>,
}

pub struct Run {
    pub answer: Answer,
    pub seconds: f64,
    pub processor_seconds: f64,
    pub peak_memory_bytes: u64,
}

#[derive(Clone, Debug)]
pub enum Setback {
    Rejected(String),
    ReachedLimit,
    OutOfMemory,
    Failed(String),
}

/// Measures all, in the order models × tools as given. `folder` holds the builds.
pub fn measure(
    plan: &Plan,
    models: &[Model],
    tools: &[Box<dyn Tool>],
    folder: &Path,
) -> io::Result<Vec<Vec<Contender>>> {
    let bench = Bench { plan, tools, folder };
    bench.warm_up()?;
    let mut all: Vec<Vec<Contender>> =
        models.iter().map(|_| tools.iter().map(|tool| Contender::new(tool.name())).collect()).collect();
    bench.rounds(models, &mut all, |place, contender| bench.build(place, contender))?;
    if !plan.build_only {
        for (index, contenders) in all.iter_mut().enumerate() {
            for (tool, contender) in contenders.iter_mut().enumerate() {
                let place = Place { index, model: &models[index], tool, repetition: 0 };
                bench.settle_arguments(&place, contender)?;
            }
        }
        bench.rounds(models, &mut all, |place, contender| bench.run(place, contender))?;
    }
    Ok(all)
}

impl Contender {
    fn new(tool: ToolName) -> Contender {
        Contender { tool, build_seconds: Vec::new(), runs: Vec::new(), arguments: Vec::new(), setback: None }
    }
}

struct Bench<'a> {
    plan: &'a Plan,
    tools: &'a [Box<dyn Tool>],
    folder: &'a Path,
}

/// Where in the programme we are.
struct Place<'a> {
    index: usize,
    model: &'a Model,
    tool: usize,
    repetition: u32,
}

impl Bench<'_> {
    fn rounds(
        &self,
        models: &[Model],
        all: &mut [Vec<Contender>],
        mut step: impl FnMut(&Place, &mut Contender) -> io::Result<()>,
    ) -> io::Result<()> {
        for repetition in 0..self.plan.repeat {
            for (index, model) in models.iter().enumerate() {
                for turn in 0..self.tools.len() {
                    let tool = (turn + repetition as usize) % self.tools.len();
                    let contender = &mut all[index][tool];
                    if contender.setback.is_none() {
                        step(&Place { index, model, tool, repetition }, contender)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn warm_up(&self) -> io::Result<()> {
        for tool in self.tools {
            let label = tool.name().label();
            eprintln!("warm up      {label}");
            let folder = self.folder.join(format!("warm-up-{label}"));
            fs::create_dir_all(&folder)?;
            let model = folder.join("warm_up.m");
            // Unlike the model of an earlier benchmark, so that it is built and not found.
            fs::write(&model, format!("{WARM_UP}-- {}\n", stamp()))?;
            let verifier = folder.join("verifier");
            if let Err(why) = tools::build(tool.as_ref(), &model, &verifier, self.plan.limit)? {
                return Err(io::Error::other(format!("{label} cannot build a three-line model: {why}")));
            }
        }
        Ok(())
    }

    fn build(&self, place: &Place, contender: &mut Contender) -> io::Result<()> {
        let verifier = self.verifier(place);
        let folder = verifier.parent().unwrap_or(self.folder);
        fs::create_dir_all(folder)?;
        let model = folder.join(&place.model.file_name);
        fs::write(&model, unlike_any_other(&place.model.text, place.repetition))?;
        match tools::build(self.tools[place.tool].as_ref(), &model, &verifier, self.plan.limit)? {
            Ok(seconds) => {
                self.tell("build", place, &format!("{seconds:.2} s"));
                contender.build_seconds.push(seconds);
            }
            Err(why) => {
                self.tell("build", place, &why);
                contender.setback = Some(Setback::Rejected(why));
            }
        }
        Ok(())
    }

    fn settle_arguments(&self, place: &Place, contender: &mut Contender) -> io::Result<()> {
        if contender.setback.is_some() {
            return Ok(());
        }
        match self.tools[place.tool].run_arguments(&self.verifier(place), self.plan.limit)? {
            Ok(arguments) => contender.arguments = arguments,
            Err(outcome) => {
                self.tell("trial", place, &format!("{outcome:?}"));
                contender.setback = Some(setback(outcome));
            }
        }
        Ok(())
    }

    fn run(&self, place: &Place, contender: &mut Contender) -> io::Result<()> {
        let tool = self.tools[place.tool].as_ref();
        let (outcome, finished) =
            tools::run(tool, &self.verifier(place), &contender.arguments, self.plan.limit)?;
        self.tell("run", place, &format!("{:.2} s", finished.seconds));
        match outcome {
            Outcome::Answered(answer) => contender.runs.push(Run {
                answer,
                seconds: finished.seconds,
                processor_seconds: finished.processor_seconds,
                peak_memory_bytes: finished.peak_memory_bytes,
            }),
            other => {
                // One run without an answer makes the tool's times on this model worthless.
                contender.runs.clear();
                contender.setback = Some(setback(other));
            }
        }
        Ok(())
    }

    /// Where the tool of this place leaves the verifier of this model.
    fn verifier(&self, place: &Place) -> PathBuf {
        let label = self.tools[place.tool].name().label();
        self.folder.join(format!("{}-{label}", place.index)).join("verifier")
    }

    fn tell(&self, what: &str, place: &Place, result: &str) {
        let (count, label) = (self.plan.repeat, self.tools[place.tool].name().label());
        let repetition = place.repetition + 1;
        eprintln!("{what:<6} {repetition}/{count}   {label:<8} {:<24} {result}", place.model.name);
    }
}

fn setback(outcome: Outcome) -> Setback {
    match outcome {
        Outcome::Answered(_) => Setback::Failed("no arguments, although it answered".to_owned()),
        Outcome::ReachedLimit => Setback::ReachedLimit,
        Outcome::OutOfMemory => Setback::OutOfMemory,
        Outcome::Failed(why) => Setback::Failed(why),
    }
}

/// The same model in a text that no cache has seen: a new comment, and each line further down than the time
/// before, so that the source positions in generated code change as well.
fn unlike_any_other(text: &[u8], repetition: u32) -> Vec<u8> {
    let mut renewed = format!("-- {}\n", stamp()).into_bytes();
    renewed.resize(renewed.len() + repetition as usize, b'\n');
    renewed.extend_from_slice(text);
    renewed
}

fn stamp() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("mcc-benchmarks {} {}", std::process::id(), now.as_nanos())
}
