//! `mcc check`: reports what is wrong with a model, and what could be better.

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use clap::Parser;

use super::super::formats::{Formats, Outcome};
use super::super::options::Options;
use super::super::{Stop, plain};
use super::Subcommand;
use super::shared::OneModel;
use crate::library::{Error, Model};

/// Reports errors, warnings and lints of a model, and types that could be scalarsets
#[derive(Clone, Debug, Parser)]
#[command(name = "check")]
pub struct Check {
    #[command(flatten)]
    model: OneModel,

    #[command(flatten)]
    formats: Formats,
}

impl Subcommand for Check {
    fn run(self) -> Result<ExitCode, Stop> {
        let Check { model, formats } = self;
        let (json, others) = (formats.json.clone(), Formats { json: None, ..formats.clone() });
        if others.any() {
            // The report of `--json` is another one than that of `mcc verify`, but takes its place.
            formats.check(None, &[&model.model])?;
            let stop = |message: String, help| Stop::Message { message, help };
            if model.model == Path::new("-") {
                let message = "a model from standard input has no place to refer to".to_owned();
                return Err(stop(message, Some("give the model as a file")));
            }
            let files = others.open(None, &[&model.model])?;
            let outcome = outcome(&model).map_err(|error| stop(error.to_string(), None))?;
            files.write(&[outcome])?;
        }
        plain(&Options { check: true, json, ..model.options() })
    }
}

fn outcome(model: &OneModel) -> Result<Outcome, Error> {
    let began = Instant::now();
    let read = Model::from_path(&model.model)?;
    let defined = model.define.iter().fold(read, |model, one| model.define(&one.name, &one.value));
    Ok(Outcome {
        path: defined.name().to_owned(),
        entry: None,
        definitions: model.define.iter().map(|one| (one.name.clone(), one.value.clone())).collect(),
        messages: defined.check()?.messages,
        run: None,
        differences: Vec::new(),
        seconds: began.elapsed().as_secs_f64(),
    })
}
