//! Random properties of models with scalarsets: most are for each element, or for two of them.

use super::drawing::{Names, Shape, condition};
use crate::random::Random;

pub(super) fn draw(random: &mut Random, shape: &Shape) -> String {
    (0..random.between(1, 2)).map(|number| property(random, shape, number)).collect()
}

fn property(random: &mut Random, shape: &Shape, number: i64) -> String {
    let mut names: Names = Vec::new();
    let free = ["a", "b", "c"];
    for name in free.into_iter().take(*random.pick(&[0, 1, 1, 1, 1, 2, 2, 3])) {
        let ty = match random.below(10) {
            0 if shape.union => "U",
            1..=3 if shape.others => "Q",
            _ => "P",
        };
        names.push((name, ty));
    }
    let parameters: Vec<String> = names.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    if random.percent(35) {
        let text = format!("liveness \"l{number}\" {};", joined(random, shape, &names));
        return match parameters.is_empty() {
            true => format!("{text}\n"),
            false => format!("ruleset {} do {text} end;\n", parameters.join("; ")),
        };
    }
    let mut inner = names.clone();
    let formula = formula(random, shape, &mut inner, 3);
    // What shows in a finite part would be checked beside the search.
    let formula = if random.percent(60) { format!("({formula}) & next true") } else { formula };
    match (parameters.is_empty(), random.below(3)) {
        (true, _) => format!("ltl \"f{number}\" {formula};\n"),
        (false, 0) => {
            format!("ruleset {} do ltl \"f{number}\" {formula}; end;\n", parameters.join("; "))
        }
        (false, 1) => {
            format!("ltl \"f{number}\" forall {} do {formula} end;\n", parameters.join("; "))
        }
        (false, _) => {
            let each =
                parameters.iter().rev().fold(formula, |inside, one| format!("forall {one} do {inside} end"));
            format!("ltl \"f{number}\" {each};\n")
        }
    }
}

/// Conditions of a state.
fn joined(random: &mut Random, shape: &Shape, names: &Names) -> String {
    let one = |random: &mut Random| {
        let one = format!("({})", condition(random, shape, names));
        if random.percent(30) { format!("!{one}") } else { one }
    };
    match random.below(4) {
        0 => format!("({} & {})", one(random), one(random)),
        1 => format!("({} | {})", one(random), one(random)),
        _ => one(random),
    }
}

fn formula(random: &mut Random, shape: &Shape, names: &mut Names, depth: u32) -> String {
    if depth == 0 || random.percent(10) {
        return match random.percent(12) {
            true => fired(random, shape, names),
            false => joined(random, shape, names),
        };
    }
    let mut one = |random: &mut Random| formula(random, shape, names, depth - 1);
    match random.below(18) {
        0 => format!("(!{})", one(random)),
        1 => format!("({} & {})", one(random), one(random)),
        2 => format!("({} | {})", one(random), one(random)),
        3 => format!("({} -> {})", one(random), one(random)),
        4 => format!("(next {})", one(random)),
        5..=7 => format!("([] {})", one(random)),
        8..=10 => format!("(<> {})", one(random)),
        11 => format!("({} until {})", one(random), one(random)),
        12 => format!("({} weakuntil {})", one(random), one(random)),
        13 => format!("({} release {})", one(random), one(random)),
        14..=16 => format!("({} ~> {})", one(random), one(random)),
        _ => {
            // Over a formula: all elements at a time.
            let word = random.pick(&["forall", "exists"]);
            let free = ["x1", "x2", "x3"];
            let Some(name) = free.into_iter().find(|name| names.iter().all(|(known, _)| known != name))
            else {
                return joined(random, shape, names);
            };
            let ty = if shape.others && random.percent(50) { "Q" } else { "P" };
            names.push((name, ty));
            let inside = formula(random, shape, names, depth - 1);
            names.pop();
            format!("({word} {name}: {ty} do {inside} end)")
        }
    }
}

/// A rule fires, or one instance of it.
fn fired(random: &mut Random, shape: &Shape, names: &Names) -> String {
    if shape.rules.is_empty() {
        return "true".to_owned();
    }
    let (rule, types) = random.pick(&shape.rules);
    let arguments: Option<Vec<&str>> = types
        .iter()
        .map(|ty| {
            let fitting: Vec<&str> =
                names.iter().filter(|(_, other)| other == ty).map(|(name, _)| *name).collect();
            (!fitting.is_empty()).then(|| *random.pick(&fitting))
        })
        .collect();
    match arguments.filter(|arguments| !arguments.is_empty() && random.percent(70)) {
        Some(arguments) => format!("fired(\"{rule}\", {})", arguments.join(", ")),
        None => format!("fired(\"{rule}\")"),
    }
}
