//! What the commands of this package have in common: models in, a verifier for each, tables and JSON out.

use crate::Runs;
use clap::Args;
use experiments::files::write;
use experiments::verifier::{Verifier, find_mcc};
use serde::Serialize;
use std::ffi::OsString;
use std::path::PathBuf;

#[derive(Args)]
pub struct Common {
    /// The models
    #[arg(required = true, value_name = "MODEL.m")]
    pub models: Vec<PathBuf>,
    /// The mcc that builds the verifiers [default: beside this program, or on PATH]
    #[arg(long, value_name = "PATH")]
    mcc: Option<PathBuf>,
    /// One more argument for the verifiers; may be repeated
    #[arg(long, allow_hyphen_values = true, value_name = "ARGUMENT")]
    verifier_option: Vec<OsString>,
    /// Write all figures as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the tables to a file as well
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

impl Common {
    /// Builds and measures every model, each run so many times. What cannot be measured is told and left out.
    pub fn measure<F>(
        &self,
        command: &str,
        repeat: u32,
        measure: impl Fn(&Runs) -> Result<F, String>,
    ) -> Vec<F> {
        let mcc = find_mcc(self.mcc.clone());
        let mut all = Vec::new();
        for model in &self.models {
            let measured = Verifier::build(&mcc, model).and_then(|verifier| {
                measure(&Runs { verifier: &verifier, extra: &self.verifier_option, repeat })
            });
            match measured {
                Ok(figures) => all.push(figures),
                Err(message) => eprintln!("{command}: {message}"),
            }
        }
        all
    }

    /// Prints and writes what came out.
    pub fn tell(&self, text: &str, figures: &impl Serialize) -> Result<(), String> {
        println!("{text}");
        if let Some(path) = &self.markdown {
            write(path, text)?;
        }
        if let Some(path) = &self.json {
            let json = serde_json::to_string_pretty(figures).map_err(|error| error.to_string())?;
            write(path, &(json + "\n"))?;
        }
        Ok(())
    }
}

/// A part of all states, as it comes from the command line.
pub fn parse_fraction(text: &str) -> Result<f64, String> {
    let fraction = text.parse().ok().filter(|fraction| *fraction > 0.0 && *fraction <= 10.0);
    fraction.ok_or_else(|| "a number above 0 and up to 10, such as 0.5".to_owned())
}
