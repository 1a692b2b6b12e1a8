//! Whether several processes find what one process with one thread finds.

use super::{differences, figures, report};
use crate::shared::{ExperimentError, Verifier};
use serde_json::Value;

/// What is compared.
#[derive(Clone, Debug)]
pub struct Plan {
    pub processes: Vec<u32>,
    pub threads: Vec<u32>,
    /// Options for all searches.
    pub options: Vec<String>,
    /// A model with more states is not compared.
    pub states: u64,
}

/// What came out for one model.
#[derive(Clone, Debug)]
pub struct Compared {
    pub states: u64,
    pub searches: u32,
    /// The searches that found something else.
    pub findings: Vec<String>,
    /// Why nothing was compared.
    pub left_out: Option<String>,
}

/// Compares all searches of the plan with one of one process.
pub fn compare(verifier: &Verifier, plan: &Plan) -> Result<Compared, ExperimentError> {
    let arguments =
        |more: &[String]| [&["--max-errors".into(), "0".into()][..], &plan.options, more].concat();
    let limit = ["--max-states".to_owned(), plan.states.to_string(), "-j1".to_owned()];
    let alone: Value = report(verifier, &arguments(&limit))?;
    let states = alone["states"].as_u64().unwrap_or(0);
    let mut compared = Compared { states, searches: 0, findings: Vec::new(), left_out: None };
    if states >= plan.states {
        compared.left_out = Some(format!("it has more than {} states", plan.states));
        return Ok(compared);
    }
    let expected = figures(&alone);
    for processes in &plan.processes {
        for threads in &plan.threads {
            let cluster = ["--cluster".to_owned(), format!("local:{processes}"), format!("-j{threads}")];
            let found = match report(verifier, &arguments(&cluster)) {
                Ok(found) => found,
                // Before there is a report, options are refused.
                Err(error) if compared.searches == 0 && error.to_string().contains("error: --cluster") => {
                    let why = error.to_string();
                    let line = why.lines().find(|line| line.contains("error: --cluster"));
                    compared.left_out = Some(line.unwrap_or_default().to_owned());
                    return Ok(compared);
                }
                Err(error) => return Err(error),
            };
            compared.searches += 1;
            let differ = differences(&expected, &figures(&found));
            if !differ.is_empty() {
                compared.findings.push(format!("local:{processes} -j{threads}: {differ}"));
            }
        }
    }
    Ok(compared)
}
