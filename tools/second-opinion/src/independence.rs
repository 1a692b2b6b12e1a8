//! Whether rules of random models are independent where the analysis says so: each model is
//! explored in the interpreter, and the definition is tested on its states. Nothing is built.

use crate::generate::Drawn;
use crate::interpreted::on_deep_stack;
use mcc_murphi::analysis::Demand;
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_murphi::walk::Walker;
use mcc_murphi::walk::independence::{Difference, Instances, Tested, test};
use mcc_runtime::contract::print::{rule_name, write_state};
use mcc_runtime::host::cli;
use mcc_runtime::independence::Rows;

/// States of each model.
const STATES: u64 = 300;
/// A model that loops or recurses does so in each of many states, so less of that is enough.
const LOOPS: &str = "-loop50";

/// What became of one model.
pub enum Outcome {
    /// The checker did not accept it.
    Refused,
    Tested(Tested),
    /// Two rules are not independent, or there was no answer; in words.
    Wrong(String),
}

pub fn ask(drawn: &Drawn) -> Outcome {
    let source = Source::new("model.m", drawn.tree.text());
    let (Some(model), _) = mcc_murphi::check(&source) else { return Outcome::Refused };
    let answer = on_deep_stack(|| {
        let interpreter = Interpreter::new(model, &source);
        let options = cli::parse(["model", LOOPS].map(Into::into)).map_err(|_| "the options are wrong")?;
        let walker = Walker::of_search(&interpreter, options.settings());
        let instances = Instances::new(interpreter.rule_independence(Demand::Commute), walker.description());
        // What searches rest on: fewer pairs, of which more is said, by the tables that the engines
        // get.
        let mut rows = Rows::new(&interpreter).ok_or("the interpreter has no table of independent rules")?;
        let apart = test(&walker, &mut |one, other| rows.independent(one, other), Demand::Apart, STATES);
        let commute = |_| {
            let mut independent = |one, other| instances.is_independent(one, other);
            test(&walker, &mut independent, Demand::Commute, STATES)
        };
        apart.and_then(commute).map_err(|refutation| {
            let description = walker.description();
            let name = |rule| rule_name(description, rule);
            let mut state = Vec::new();
            write_state(&mut state, description, &refutation.state);
            let difference = match &refutation.difference {
                Difference::Outcome { before, after } => {
                    format!("the second {before}, and after the first {after}")
                }
                Difference::Change => "the second changes something else after the first".to_owned(),
                Difference::States { .. } => "the orders lead to different states".to_owned(),
            };
            let (first, second) = (name(refutation.first), name(refutation.second));
            format!("{first}\n{second}\n{difference}, in\n{}", String::from_utf8_lossy(&state))
        })
    });
    match answer {
        Ok(Ok(tested)) => Outcome::Tested(tested),
        Ok(Err(why)) | Err(why) => Outcome::Wrong(why),
    }
}
