//! Takes the measurements: every model with every tool, interleaved and repeated.
//!
//! A machine's speed drifts. So one repetition goes through all models and tools before the next
//! begins, and the tool that goes first changes from one repetition to the next.

use crate::models::Model;
use crate::tools::{self, Answer, Outcome, Task, ThreadChoice, Tool, ToolName};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub struct Plan {
    pub repeat: u32,
    pub limit: Duration,
    pub build_only: bool,
    /// The numbers of threads to run with, ascending.
    pub threads: Vec<u32>,
}

/// All that one tool did with one model on one number of threads.
pub struct Contender {
    pub tool: ToolName,
    /// Which of the tools at hand it is.
    place: usize,
    pub task: Task,
    /// Another number of threads does not always need another verifier: the contender that builds
    /// this one's is the model's contender of this number.
    builder: usize,
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

/// Measures all: for each model its contenders, those of `mcc` first. `folder` holds the builds.
pub fn measure(
    plan: &Plan,
    models: &[Model],
    tools: &[Box<dyn Tool>],
    folder: &Path,
) -> io::Result<Vec<Vec<Contender>>> {
    let mut all: Vec<Vec<Contender>> = models.iter().map(|model| contenders(plan, model, tools)).collect();
    let bench = Bench { plan, models, tools, folder };
    bench.warm_up(&all)?;
    bench.rounds(&mut all, |place, contender| bench.build(place, contender))?;
    for contenders in &mut all {
        for index in 0..contenders.len() {
            contenders[index].setback = contenders[contenders[index].builder].setback.clone();
        }
    }
    if !plan.build_only {
        for (model, contenders) in all.iter_mut().enumerate() {
            for (index, contender) in contenders.iter_mut().enumerate() {
                bench.settle_arguments(&Place { model, contender: index, repetition: 0 }, contender)?;
            }
        }
        bench.rounds(&mut all, |place, contender| bench.run(place, contender))?;
    }
    Ok(all)
}

/// Who takes part: the tools that read a language in which the model is written and can do what is
/// asked.
fn contenders(plan: &Plan, model: &Model, tools: &[Box<dyn Tool>]) -> Vec<Contender> {
    let mut all: Vec<Contender> = Vec::new();
    for (place, tool) in tools.iter().enumerate() {
        if model.text(tool.language()).is_none() || model.symmetry && !tool.reduces_symmetry() {
            continue;
        }
        let first = all.len();
        let threads = match tool.thread_choice() {
            ThreadChoice::Never => &[1],
            ThreadChoice::WhenBuilt | ThreadChoice::WhenRun => plan.threads.as_slice(),
        };
        for &threads in threads {
            let shares = tool.thread_choice() == ThreadChoice::WhenRun;
            all.push(Contender {
                tool: tool.name(),
                place,
                task: Task { symmetry: model.symmetry, threads },
                builder: if shares { first } else { all.len() },
                build_seconds: Vec::new(),
                runs: Vec::new(),
                arguments: Vec::new(),
                setback: None,
            });
        }
    }
    all
}

struct Bench<'a> {
    plan: &'a Plan,
    models: &'a [Model],
    tools: &'a [Box<dyn Tool>],
    folder: &'a Path,
}

/// Where in the programme we are.
struct Place {
    model: usize,
    contender: usize,
    repetition: u32,
}

impl Bench<'_> {
    fn rounds(
        &self,
        all: &mut [Vec<Contender>],
        mut step: impl FnMut(&Place, &mut Contender) -> io::Result<()>,
    ) -> io::Result<()> {
        for repetition in 0..self.plan.repeat {
            for (model, contenders) in all.iter_mut().enumerate() {
                for turn in 0..contenders.len() {
                    let index = (turn + repetition as usize) % contenders.len();
                    let contender = &mut contenders[index];
                    if contender.setback.is_none() {
                        step(&Place { model, contender: index, repetition }, contender)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// A tool that no model needs is left alone.
    fn warm_up(&self, all: &[Vec<Contender>]) -> io::Result<()> {
        for (place, tool) in self.tools.iter().enumerate() {
            if !all.iter().flatten().any(|contender| contender.place == place) {
                continue;
            }
            let (label, language) = (tool.name().label(), tool.language());
            eprintln!("warm up      {label}");
            let folder = self.folder.join(format!("warm-up-{label}"));
            fs::create_dir_all(&folder)?;
            let model = folder.join("warm_up").with_extension(language.extension());
            // Unlike the model of an earlier benchmark, so that it is built and not found.
            fs::write(&model, language.comment(&stamp()) + language.smallest_model())?;
            let (task, verifier) = (Task { symmetry: false, threads: 1 }, folder.join("verifier"));
            if let Err(why) = tools::build(tool.as_ref(), task, &model, &verifier, self.plan.limit)? {
                return Err(io::Error::other(format!("{label} cannot build a model of a few lines: {why}")));
            }
        }
        Ok(())
    }

    fn build(&self, place: &Place, contender: &mut Contender) -> io::Result<()> {
        if contender.builder != place.contender {
            return Ok(());
        }
        let tool = self.tools[contender.place].as_ref();
        let (model, language) = (&self.models[place.model], tool.language());
        let verifier = self.verifier(place, contender);
        let folder = verifier.parent().unwrap_or(self.folder);
        fs::create_dir_all(folder)?;
        let file = folder.join(model.file_name(language));
        let text = model.text(language).unwrap_or_default();
        fs::write(&file, unlike_any_other(text, &language.comment(&stamp()), place.repetition))?;
        match tools::build(tool, contender.task, &file, &verifier, self.plan.limit)? {
            Ok(seconds) => {
                self.print("build", place, contender, &format!("{seconds:.2} s"));
                contender.build_seconds.push(seconds);
            }
            Err(why) => {
                self.print("build", place, contender, &why);
                contender.setback = Some(Setback::Rejected(why));
            }
        }
        Ok(())
    }

    fn settle_arguments(&self, place: &Place, contender: &mut Contender) -> io::Result<()> {
        if contender.setback.is_some() {
            return Ok(());
        }
        let (tool, verifier) = (self.tools[contender.place].as_ref(), self.verifier(place, contender));
        match tool.run_arguments(contender.task, &verifier, self.plan.limit)? {
            Ok(arguments) => contender.arguments = arguments,
            Err(outcome) => {
                self.print("trial", place, contender, &format!("{outcome:?}"));
                contender.setback = Some(setback(outcome));
            }
        }
        Ok(())
    }

    fn run(&self, place: &Place, contender: &mut Contender) -> io::Result<()> {
        let (tool, verifier) = (self.tools[contender.place].as_ref(), self.verifier(place, contender));
        let (outcome, finished) = tools::run(tool, &verifier, &contender.arguments, self.plan.limit)?;
        self.print("run", place, contender, &format!("{:.2} s", finished.seconds));
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

    /// Where the verifier of this contender is left.
    fn verifier(&self, place: &Place, contender: &Contender) -> PathBuf {
        self.folder.join(format!("{}-{}", place.model, contender.builder)).join("verifier")
    }

    fn print(&self, what: &str, place: &Place, contender: &Contender, result: &str) {
        let (count, repetition) = (self.plan.repeat, place.repetition + 1);
        let (label, threads) = (contender.tool.label(), contender.task.threads);
        let name = self.models[place.model].name();
        eprintln!("{what:<6} {repetition}/{count}   {label:<8} ×{threads} {name:<24} {result}");
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

/// A text of this model that no cache has seen: it has a new comment, and each repetition moves all
/// lines further down, so that the source positions in generated code change as well.
fn unlike_any_other(text: &[u8], comment: &str, repetition: u32) -> Vec<u8> {
    let mut renewed = comment.as_bytes().to_vec();
    renewed.resize(renewed.len() + repetition as usize, b'\n');
    renewed.extend_from_slice(text);
    renewed
}

fn stamp() -> String {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    format!("mcc-benchmarks {} {}", std::process::id(), now.as_nanos())
}
