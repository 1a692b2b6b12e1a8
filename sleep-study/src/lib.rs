//! What sleep sets leave out, and what a search costs that keeps few states, with and without them: the experiments of the paper on
//! state-space caching (Godefroid, Holzmann and Pirottin).
//!
//! ```text
//! sleep-table ─► table (runs with and without, Table 2) ─► Markdown, JSON
//! cache-curve ─► curve (runs with smaller and smaller caches, Figs. 4 and 5) ─► Markdown, JSON, svg
//! same-set    ─► same  (runs in all ways, and compares what they find) ─► Markdown, JSON
//! ```
//!
//! Which models and verifiers, and what is written, is the same for all of them: [`command`].

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::todo))]

pub mod command;
pub mod curve;
pub mod same;
pub mod svg;
pub mod table;

use experiments::verifier::Verifier;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::ffi::{OsStr, OsString};

/// What is of interest in a verifier's report.
#[derive(Clone, Debug, Deserialize)]
pub struct Told {
    pub verdict: String,
    pub reason: String,
    pub states: u64,
    pub rules: u64,
    pub depth: u64,
    pub seconds: f64,
    pub path: Option<Path>,
}

/// What a search along a path tells.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Path {
    pub matched: u64,
    pub longest_path: u64,
    pub cache: Option<Cache>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Cache {
    pub most_kept: u64,
}

/// How a verifier is run.
pub struct Runs<'a> {
    pub verifier: &'a Verifier,
    pub extra: &'a [OsString],
    pub repeat: u32,
}

impl Runs<'_> {
    pub fn once(&self, arguments: &[&str]) -> Result<Told, String> {
        let extra = self.extra.iter().map(OsString::as_os_str);
        self.verifier.run(extra.chain(arguments.iter().map(OsStr::new)))
    }

    /// What a run tells in which all errors count.
    pub fn told<T: DeserializeOwned>(&self, arguments: &[&str]) -> Result<T, String> {
        let extra = self.extra.iter().map(OsString::as_os_str);
        self.verifier.ask(extra.chain(arguments.iter().map(OsStr::new)))
    }

    /// The run with the shortest time of several; they differ in nothing else.
    pub fn best(&self, arguments: &[&str]) -> Result<Told, String> {
        let mut best = self.once(arguments)?;
        for _ in 1..self.repeat {
            best.seconds = best.seconds.min(self.once(arguments)?.seconds);
        }
        Ok(best)
    }

    /// One that must end by itself.
    pub fn verified(&self, arguments: &[&str]) -> Result<Told, String> {
        let told = self.best(arguments)?;
        match told.verdict.as_str() {
            "verified" => Ok(told),
            verdict => Err(format!("{}: {verdict} with {arguments:?}: {}", self.verifier.name, told.reason)),
        }
    }
}
