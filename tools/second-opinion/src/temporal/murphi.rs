//! A table as a model.

use super::drawing::{Fairness, Rule, Table};
use std::fmt::Write as _;

/// The model, without properties of runs.
pub fn text(table: &Table) -> String {
    let mut text = format!("var x: 0..{};\n", table.states - 1);
    for start in &table.starts {
        let _ = writeln!(text, "startstate begin x := {start}; end;");
    }
    table.rules.iter().for_each(|rule| text += &of_rule(rule));
    let excluded: Vec<usize> = (0..table.states).filter(|state| table.excluded[*state]).collect();
    if !excluded.is_empty() {
        let apart: Vec<String> = excluded.iter().map(|state| format!("x != {state}")).collect();
        let _ = writeln!(text, "assume \"kept\" {};", apart.join(" & "));
    }
    text
}

fn of_rule(rule: &Rule) -> String {
    let several = rule.leads.len() > 1;
    let fair = match rule.fairness {
        Fairness::None => "",
        Fairness::Weak => "fair ",
        Fairness::Strong => "strong fair ",
    };
    let priority = match rule.priority {
        0 => String::new(),
        priority => format!("{priority} "),
    };
    let mut guards = Vec::new();
    let mut arms = String::new();
    for (instance, leads) in rule.leads.iter().enumerate() {
        for (state, to) in leads.iter().enumerate() {
            let Some(to) = to else { continue };
            let here = match several {
                true => format!("i = {instance} & x = {state}"),
                false => format!("x = {state}"),
            };
            let word = if guards.is_empty() { "if" } else { "elsif" };
            let _ = write!(arms, " {word} {here} then x := {to};");
            guards.push(format!("({here})"));
        }
    }
    let (guard, body) = match guards.is_empty() {
        true => ("x < 0".to_owned(), String::new()),
        false => (guards.join(" | "), format!("{arms} end;")),
    };
    let text = format!("{fair}rule {priority}\"{}\" {guard} ==> begin{body} end;", rule.name);
    match several {
        true => format!("ruleset i: 0..{} do {text} end;\n", rule.leads.len() - 1),
        false => text + "\n",
    }
}
