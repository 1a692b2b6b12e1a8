//! The loop: draw an input, have it examined, keep what shows something new, record what is in
//! trouble.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

use crate::examine::{Examination, Phase};
use crate::features;
use crate::generate::generate;
use crate::minimise::minimise;
use crate::mutate::mutate;
use crate::random::Random;
use crate::seeds;
use crate::subject::{Subject, Trouble, judge};

const STATUS_EVERY: Duration = Duration::from_secs(30);
/// More findings of one kind say nothing new.
const MOST_OF_A_KIND: usize = 5;
const ATTEMPTS_TO_MINIMISE: usize = 3_000;
/// An attempt that takes seconds is made less often.
const TIME_TO_MINIMISE: Duration = Duration::from_secs(30);

/// When to stop.
#[derive(Clone, Copy, Debug)]
pub enum End {
    After(Duration),
    Executions(u64),
}

pub struct Settings {
    /// This crate's own command.
    pub program: PathBuf,
    pub seed: u64,
    pub end: End,
    /// Where findings go, and the corpus from which the next run starts; nothing is written without
    /// one.
    pub folder: Option<PathBuf>,
}

#[derive(Debug)]
pub struct Finding {
    pub trouble: Trouble,
    pub input: Vec<u8>,
}

/// What came of a run.
#[derive(Debug, Default)]
pub struct Summary {
    pub executions: u64,
    pub accepted: u64,
    pub compiled: u64,
    pub corpus: usize,
    pub features: usize,
    pub findings: Vec<Finding>,
    /// The input that took longest in each phase, and its microseconds.
    pub slowest: HashMap<Phase, (u64, Vec<u8>)>,
}

struct Campaign {
    settings: Settings,
    subject: Subject,
    random: Random,
    corpus: Vec<Vec<u8>>,
    /// Where in the corpus the models are that have no errors.
    accepted: Vec<usize>,
    features: HashSet<u32>,
    kinds: HashMap<String, usize>,
    summary: Summary,
}

/// Runs until the end that was set. An error is one of the fuzzer, such as a full disk.
pub fn run(settings: Settings) -> io::Result<Summary> {
    let mut campaign = Campaign {
        subject: Subject::new(&settings.program),
        random: Random::new(settings.seed),
        corpus: Vec::new(),
        accepted: Vec::new(),
        features: HashSet::new(),
        kinds: HashMap::new(),
        summary: Summary::default(),
        settings,
    };
    let began = Instant::now();
    let mut told = began;
    let mut seeds = seeds::collect();
    seeds.extend(campaign.earlier_corpus()?);
    for seed in &seeds {
        if campaign.is_over(began) {
            break;
        }
        campaign.trial(seed)?;
    }
    while !campaign.is_over(began) {
        let input = campaign.draw();
        campaign.trial(&input)?;
        if told.elapsed() >= STATUS_EVERY {
            told = Instant::now();
            println!("{}", campaign.status(began.elapsed()));
        }
    }
    println!("{}", campaign.status(began.elapsed()));
    campaign.finish()
}

impl Campaign {
    fn is_over(&self, began: Instant) -> bool {
        match self.settings.end {
            End::After(time) => began.elapsed() >= time,
            End::Executions(number) => self.summary.executions >= number,
        }
    }

    fn draw(&mut self) -> Vec<u8> {
        if self.random.once_in(25) {
            return generate(&mut self.random);
        }
        // Most changes make a model wrong, so half of the time a right one is drawn; otherwise
        // often one of the newest, which had something that no other has.
        let newest = if self.random.once_in(2) { 100 } else { usize::MAX };
        let from = self.corpus.len().saturating_sub(newest);
        let at = match self.random.pick(&self.accepted).copied() {
            Some(accepted) if self.random.once_in(2) => accepted,
            _ => from + self.random.below(self.corpus.len() - from),
        };
        let other = self.random.below(self.corpus.len());
        let empty = Vec::new();
        let base = self.corpus.get(at).unwrap_or(&empty);
        mutate(base, self.corpus.get(other).unwrap_or(&empty), &mut self.random)
    }

    fn trial(&mut self, input: &[u8]) -> io::Result<()> {
        self.summary.executions += 1;
        // Generating code is slow, so a sample has to do.
        let deeply = self.random.once_in(6);
        match self.subject.examine(input, deeply)? {
            Err(trouble) => self.found(trouble, input, deeply),
            Ok(examination) => {
                self.summary.accepted += u64::from(examination.accepted);
                self.summary.compiled += u64::from(examination.accepted && deeply);
                self.remember_slowest(&examination, input);
                match judge(&examination, input.len()) {
                    Some(trouble) => self.found(trouble, input, deeply),
                    None => self.keep_if_new(&examination, input),
                }
            }
        }
    }

    fn keep_if_new(&mut self, examination: &Examination, input: &[u8]) -> io::Result<()> {
        let known = self.features.len();
        self.features.extend(&examination.features);
        if self.features.len() == known {
            return Ok(());
        }
        if examination.accepted {
            self.accepted.push(self.corpus.len());
        }
        self.corpus.push(input.to_vec());
        if let Some(folder) = self.folder("corpus")? {
            fs::write(folder.join(format!("{:08x}.m", features::hash(input))), input)?;
        }
        Ok(())
    }

    fn remember_slowest(&mut self, examination: &Examination, input: &[u8]) {
        for phase in [Phase::Check, Phase::Render, Phase::Compile, Phase::Interpret] {
            let time = examination.time(phase);
            let slowest = self.summary.slowest.entry(phase).or_default();
            if time > slowest.0 {
                *slowest = (time, input.to_vec());
            }
        }
    }

    fn found(&mut self, trouble: Trouble, input: &[u8], deeply: bool) -> io::Result<()> {
        let kind = trouble.kind();
        let number = self.kinds.entry(kind.clone()).or_default();
        *number += 1;
        if *number > MOST_OF_A_KIND {
            return Ok(());
        }
        let name = format!("{kind}-{:08x}.m", features::hash(input));
        println!("finding {name} ({} bytes): {trouble}", input.len());
        let began = Instant::now();
        let subject = &mut self.subject;
        let smaller = minimise(input, ATTEMPTS_TO_MINIMISE, |candidate| {
            // Whatever is left of the attempts then fails at once.
            if began.elapsed() > TIME_TO_MINIMISE {
                return Ok(false);
            }
            let still = match subject.examine(candidate, deeply)? {
                Err(trouble) => Some(trouble),
                Ok(examination) => judge(&examination, candidate.len()),
            };
            Ok(still.is_some_and(|trouble| trouble.kind() == kind))
        })?;
        println!("  minimised to {} bytes", smaller.len());
        if let Some(folder) = self.folder("findings")? {
            fs::write(folder.join(format!("original-{name}")), input)?;
            fs::write(folder.join(&name), &smaller)?;
            fs::write(folder.join(&name).with_extension("txt"), format!("{trouble}\n"))?;
        }
        self.summary.findings.push(Finding { trouble, input: smaller });
        Ok(())
    }

    fn earlier_corpus(&self) -> io::Result<Vec<Vec<u8>>> {
        let Some(folder) = self.folder("corpus")? else { return Ok(Vec::new()) };
        let mut files: Vec<PathBuf> = fs::read_dir(folder)?.flatten().map(|entry| entry.path()).collect();
        files.sort();
        files.iter().map(fs::read).collect()
    }

    fn folder(&self, name: &str) -> io::Result<Option<PathBuf>> {
        let folder = self.settings.folder.as_deref().map(|folder: &Path| folder.join(name));
        folder.as_ref().map_or(Ok(()), fs::create_dir_all)?;
        Ok(folder)
    }

    fn status(&self, time: Duration) -> String {
        let Summary { executions, accepted, compiled, findings, .. } = &self.summary;
        let slowest = |phase| self.summary.slowest.get(&phase).map_or(0.0, |(time, _)| *time as f64 / 1e6);
        format!(
            "{:6.0} s: {executions} executions ({:.0}/s), {accepted} accepted, {compiled} compiled, \
             corpus {}, features {}, findings {}; slowest: check {:.2} s, render {:.2} s, compile {:.2} s",
            time.as_secs_f64(),
            *executions as f64 / time.as_secs_f64(),
            self.corpus.len(),
            self.features.len(),
            findings.len(),
            slowest(Phase::Check),
            slowest(Phase::Render),
            slowest(Phase::Compile),
        )
    }

    fn finish(mut self) -> io::Result<Summary> {
        if let Some(folder) = self.folder("slowest")? {
            for (phase, (_, input)) in &self.summary.slowest {
                fs::write(folder.join(format!("{phase:?}.m").to_lowercase()), input)?;
            }
        }
        self.summary.corpus = self.corpus.len();
        self.summary.features = self.features.len();
        Ok(std::mem::take(&mut self.summary))
    }
}
