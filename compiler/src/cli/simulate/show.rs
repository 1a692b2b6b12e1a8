//! What a walk shows: states, rules, errors.

use std::fmt::Write;

use mcc_runtime::contract::print::{write_differences, write_state};
use mcc_runtime::contract::problem::Problem;
use mcc_runtime::contract::values::leaves;
use mcc_runtime::host::text::printable;
use mcc_runtime::host::write_place;

use super::commands::Reply;
use super::session::{Session, Stage};
use crate::walk::Effect;
use crate::walk::replay::name;

/// Rules that are listed without being asked for.
const SHORT_LIST: usize = 30;

impl Session<'_> {
    pub fn prompt(&self) -> String {
        match self.at {
            Some(at) => format!("step {at}> "),
            None => "start> ".to_owned(),
        }
    }

    /// The current step's number and rule.
    pub fn heading(&self) -> String {
        match (self.at, self.stage()) {
            (Some(at), Some(stage)) => {
                let title = format!("Step {at}: {}", name(&self.walker, at, stage.number));
                format!("{}\n", self.paint.blue(&title))
            }
            _ => format!("{}\n", self.paint.blue(&format!("Start of {}", self.model_name()))),
        }
    }

    fn model_name(&self) -> String {
        printable(&self.walker.description().title()).into_owned()
    }

    /// All there is to say on coming to a step.
    pub fn arrival(&self) -> String {
        let mut text = self.heading();
        if self.stage().is_some_and(|stage| stage.state.is_some()) {
            text += &self.state_text(self.full || self.at == Some(0));
        }
        if let Some(problem) = self.problem() {
            text += &self.error(&problem);
        }
        text + &self.list("", SHORT_LIST)
    }

    fn state_text(&self, full: bool) -> String {
        let (Some(at), Some(Stage { state: Some(state), .. })) = (self.at, self.stage()) else {
            return String::new();
        };
        let before = at.checked_sub(1).and_then(|at| self.stages.get(at)?.state.as_deref());
        let mut lines = Vec::new();
        let description = self.walker.description();
        match before {
            Some(before) if !full => write_differences(&mut lines, description, before, state),
            _ => write_state(&mut lines, description, state),
        }
        if lines.is_empty() {
            return "  (nothing changed)\n".to_owned();
        }
        indented(&lines)
    }

    /// Variables whose names contain a text.
    pub fn state(&self, filter: &str) -> Reply {
        let Some(Stage { state: Some(state), .. }) = self.stage() else {
            return self.no_state();
        };
        let found = leaves(self.walker.description(), state);
        let chosen: Vec<_> = found.iter().filter(|leaf| contains(&leaf.path, filter)).collect();
        if chosen.is_empty() && !filter.is_empty() {
            return Reply::wrong(format!("no variable's name contains `{}`", printable(filter)));
        }
        Reply::said(chosen.iter().map(|leaf| format!("  {}:{}\n", leaf.path, leaf.value)).collect())
    }

    pub fn differences(&self) -> Reply {
        match self.stage() {
            Some(Stage { state: Some(_), .. }) => Reply::said(self.state_text(false)),
            _ => self.no_state(),
        }
    }

    fn no_state(&self) -> Reply {
        Reply::wrong(match self.at {
            Some(_) => "the rule ended in an error, so there is no state; `back` leads to the one before",
            None => "no start state is chosen",
        })
    }

    /// What can be chosen here, as far as it contains a text.
    pub fn list(&self, filter: &str, most: usize) -> String {
        let mut text = String::new();
        let step = self.at.map_or(0, |at| at + 1);
        let named = self
            .moves
            .iter()
            .enumerate()
            .map(|(at, found)| (at + 1, name(&self.walker, step, found.number), found));
        let (mut shown, mut hidden) = (0, 0);
        for (number, name, found) in named.filter(|(_, name, _)| contains(name, filter)) {
            if shown == most {
                hidden += 1;
                continue;
            }
            shown += 1;
            let remark = match &found.effect {
                Effect::To(next) => {
                    let same = self.stage().is_some_and(|stage| stage.state.as_ref() == Some(next));
                    if same { "  (changes nothing)".to_owned() } else { String::new() }
                }
                Effect::Excluded => "  (breaks an assumption)".to_owned(),
                Effect::Fault(problem) => {
                    let message = problem.message(self.walker.description());
                    self.paint.red(&format!("  (error: {})", printable(&message)))
                }
            };
            let _ = writeln!(text, "{number:>4}  {name}{remark}");
        }
        if hidden > 0 {
            let _ = writeln!(text, "      and {hidden} more: `rules` lists all, `rules TEXT` some");
        }
        let failed = self.stage().is_some_and(|stage| stage.state.is_none());
        if shown == 0 && !failed {
            text += match (self.moves.is_empty(), self.at) {
                (true, Some(_)) => "  no rule is enabled\n",
                (true, None) => "  no start state is possible\n",
                (false, _) => "  none of them\n",
            };
        }
        text
    }

    /// The steps so far, and those behind, if the walk went back.
    pub fn history(&self) -> String {
        let mut text = String::new();
        for (step, stage) in self.stages.iter().enumerate() {
            let mark = if Some(step) == self.at { '>' } else { ' ' };
            let failed = if stage.state.is_none() { "  (error)" } else { "" };
            let _ = writeln!(text, "{mark}{step:>4}  {}{failed}", name(&self.walker, step, stage.number));
        }
        if text.is_empty() { "  no steps yet\n".to_owned() } else { text }
    }

    fn error(&self, problem: &Problem) -> String {
        let description = self.walker.description();
        let message = problem.message(description);
        let mut text = format!("{} {}\n", self.paint.red("Error:"), printable(&message));
        if let Some(position) = problem.position(description) {
            let mut place = Vec::new();
            write_place(&mut place, description, self.paint, position);
            text += &String::from_utf8_lossy(&place);
        }
        text
    }

    /// The covers whose counters went up.
    pub fn covers(&self, before: &[u64], after: impl Iterator<Item = u64>) -> String {
        let description = self.walker.description();
        let properties = description.properties.iter().map(|property| ("property", property.name));
        let statements = description.cover_statements.iter().map(|cover| ("statement", cover.name));
        let counts = before.iter().zip(after);
        let reached = properties.chain(statements).zip(counts).filter(|(_, (old, new))| new > *old);
        reached
            .map(|((what, name), _)| {
                let line = format!("Cover {what} \"{}\" is reached.", printable(name));
                format!("{}\n", self.paint.green(&line))
            })
            .collect()
    }
}

/// Searches ignore case.
fn contains(text: &str, filter: &str) -> bool {
    text.to_lowercase().contains(&filter.to_lowercase())
}

fn indented(lines: &[u8]) -> String {
    String::from_utf8_lossy(lines).lines().map(|line| format!("  {line}\n")).collect()
}
