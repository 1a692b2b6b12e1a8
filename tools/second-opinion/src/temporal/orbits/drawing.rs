//! Random models with scalarsets: what protocols have, small, with start states that make a
//! difference between elements now and then.

use super::properties;
use crate::random::Random;
use std::fmt::Write;

/// What a model declares, beside the scalarset P.
#[derive(Clone, Debug, Default)]
pub(super) struct Shape {
    /// A second scalarset, Q.
    pub others: bool,
    /// A union of P and something else, U.
    pub union: bool,
    /// For each element whether something is so: `flag`.
    pub flag: bool,
    /// A pointer to an element: `owner`.
    pub owner: bool,
    /// A pointer for each element: `next`.
    pub links: bool,
    /// For each pair of P and Q: `grid`.
    pub grid: bool,
    /// A multiset of elements: `bag`.
    pub bag: bool,
    /// A pointer into the union: `place`.
    pub place: bool,
    /// A number that has nothing to do with elements: `count`.
    pub count: bool,
    /// Rules, each with the types of its parameters.
    pub rules: Vec<(String, Vec<&'static str>)>,
}

/// A variable for an element, with its type.
pub(super) type Names = Vec<(&'static str, &'static str)>;

/// The text of a model, with properties.
pub fn draw(seed: u64) -> String {
    let mut random = Random::new(seed);
    let random = &mut random;
    let others = random.percent(45);
    let union = random.percent(30);
    let mut shape = Shape {
        others,
        union,
        flag: random.percent(45),
        owner: random.percent(60),
        links: random.percent(20),
        grid: others && random.percent(60),
        bag: random.percent(30),
        place: union && random.percent(80),
        count: random.percent(45),
        rules: Vec::new(),
    };
    let mut text = String::new();
    let _ = writeln!(text, "type\n  P: scalarset({});", random.pick(&[2, 3, 3, 3, 4, 4]));
    if shape.others {
        let _ = writeln!(text, "  Q: scalarset({});", random.between(2, 3));
    }
    if shape.union {
        let with = if shape.others && random.percent(40) { "Q" } else { "enum { home }" };
        let _ = writeln!(text, "  U: union {{ P, {with} }};");
    }
    let _ = writeln!(text, "var\n  step: array [P] of 0..2;");
    let variables = [
        (shape.flag, "flag: array [P] of boolean"),
        (shape.owner, "owner: P"),
        (shape.links, "next_one: array [P] of P"),
        (shape.grid, "grid: array [P] of array [Q] of boolean"),
        (shape.bag, "bag: multiset [2] of P"),
        (shape.place, "place: U"),
        (shape.count, "count: 0..2"),
    ];
    for (_, variable) in variables.iter().filter(|(is_there, _)| *is_there) {
        let _ = writeln!(text, "  {variable};");
    }
    text += &starts(random, &shape);
    for number in 0..random.between(2, 4) {
        text += &rule(random, &mut shape, number);
    }
    if random.percent(12) {
        text += "assume \"a\" !(forall x: P do step[x] = 2 end);\n";
    }
    if random.percent(10) {
        text += "invariant \"i\" forall x: P do !isundefined(step[x]) end;\n";
    }
    text + &properties::draw(random, &shape)
}

/// Start states: alike, one for each element, or those of some elements.
fn starts(random: &mut Random, shape: &Shape) -> String {
    let mut clear = "for x: P do step[x] := 0; ".to_owned();
    for (is_there, part) in [
        (shape.flag, "flag[x] := false; "),
        (shape.links, "next_one[x] := x; "),
        (shape.grid, "for y: Q do grid[x][y] := false; end; "),
    ] {
        clear += if is_there { part } else { "" };
    }
    clear += "end; ";
    for (is_there, part) in [
        (shape.owner, "undefine owner; "),
        (shape.bag, "undefine bag; "),
        (shape.place, "undefine place; "),
        (shape.count, "count := 0; "),
    ] {
        clear += if is_there { part } else { "" };
    }
    let one = |random: &mut Random, name: &str| match random.below(5) {
        0 if shape.owner => format!("owner := {name}; "),
        1 if shape.flag => format!("flag[{name}] := true; "),
        2 if shape.bag => format!("multisetadd({name}, bag); "),
        3 if shape.place => format!("place := {name}; "),
        _ => format!("step[{name}] := 1; "),
    };
    match random.below(8) {
        // One for each element.
        0..=2 => format!("ruleset p: P do startstate begin {clear}{}end; end;\n", one(random, "p")),
        // The last element is another than the others.
        3 if shape.owner => {
            format!("startstate begin {clear}for x: P do owner := x; end; {}end;\n", one(random, "owner"))
        }
        4 => format!(
            "startstate begin {clear}end;\nstartstate begin {clear}for x: P do {}end; end;\n",
            if shape.bag {
                "if multisetcount(i: bag, true) < 2 then multisetadd(x, bag) end; "
            } else {
                "step[x] := 1; "
            }
        ),
        _ => format!("startstate begin {clear}end;\n"),
    }
}

fn rule(random: &mut Random, shape: &mut Shape, number: i64) -> String {
    let mut names: Names = Vec::new();
    if random.percent(85) {
        names.push(("p", if shape.union && random.percent(12) { "U" } else { "P" }));
    }
    if random.percent(30) {
        names.push(("q", "P"));
    }
    if shape.others && random.percent(55) {
        names.push(("d", "Q"));
    }
    let priority = if random.percent(10) { "1 " } else { "" };
    let name = format!("r{number}");
    let choose = shape.bag && random.percent(20);
    if !choose {
        shape.rules.push((name.clone(), names.iter().map(|(_, ty)| *ty).collect()));
    }
    let mut guards: Vec<String> =
        (0..random.between(1, 2)).map(|_| condition(random, shape, &names)).collect();
    let (mut actions, mut needs) = (String::new(), Vec::new());
    if choose {
        actions += if random.percent(60) {
            "step[bag[c]] := 2; multisetremove(c, bag); "
        } else {
            "step[bag[c]] := 1; "
        };
    }
    for _ in 0..random.between(1, 2) {
        let (action, need) = action(random, shape, &names);
        actions += &action;
        needs.extend(need);
    }
    guards.extend(needs);
    let guards: Vec<String> = guards.iter().map(|guard| format!("({guard})")).collect();
    let parameters: Vec<String> = names.iter().map(|(name, ty)| format!("{name}: {ty}")).collect();
    let mut text = String::new();
    if choose {
        text += "choose c: bag do ";
    }
    if !parameters.is_empty() {
        let _ = write!(text, "ruleset {} do ", parameters.join("; "));
    }
    let _ = write!(text, "rule {priority}\"{name}\" {} ==> begin {actions}end; ", guards.join(" & "));
    text += if parameters.is_empty() { "" } else { "end; " };
    text += if choose { "end; " } else { "" };
    text + "\n"
}

/// A name for an element of P, if there is one.
fn of(random: &mut Random, names: &Names, ty: &str) -> Option<&'static str> {
    let fitting: Vec<&'static str> =
        names.iter().filter(|(_, other)| *other == ty).map(|(name, _)| *name).collect();
    (!fitting.is_empty()).then(|| *random.pick(&fitting))
}

/// A condition that says something about these elements, or about none.
pub(super) fn condition(random: &mut Random, shape: &Shape, names: &Names) -> String {
    let (p, q, d) = (of(random, names, "P"), of(random, names, "P"), of(random, names, "Q"));
    let u = of(random, names, "U");
    let value = random.below(3);
    if let (Some(u), true) = (u, random.percent(60)) {
        return match random.below(3) {
            0 if shape.place => format!("place = {u}"),
            _ => format!("ismember({u}, P)"),
        };
    }
    let Some(p) = p else {
        return match random.below(6) {
            0 if shape.owner => "isundefined(owner)".to_owned(),
            1 if shape.count => format!("count = {value}"),
            2 if shape.bag => format!("multisetcount(i: bag, true) = {value}"),
            3 if shape.flag => "exists x: P do flag[x] end".to_owned(),
            4 => format!("forall x: P do step[x] = {value} end"),
            _ => format!("exists x: P do step[x] = {value} end"),
        };
    };
    match random.below(11) {
        0 if shape.flag => format!("flag[{p}]"),
        1 | 2 if shape.owner => format!("owner = {p}"),
        3 if shape.links => format!("next_one[{p}] = {}", q.unwrap_or(p)),
        4 | 5 if shape.grid => match d {
            Some(d) => format!("grid[{p}][{d}]"),
            None => format!("exists y: Q do grid[{p}][y] end"),
        },
        6 if shape.bag => format!("multisetcount(i: bag, bag[i] = {p}) > 0"),
        7 if shape.place => format!("place = {p}"),
        8 if shape.count => format!("count = {value}"),
        9 if q != Some(p) => format!("{p} = {}", q.unwrap_or(p)),
        10 => format!("forall x: P do x = {p} | step[x] != {value} end"),
        _ => format!("step[{p}] = {value}"),
    }
}

/// Statements, and what the guard has to say for them.
fn action(random: &mut Random, shape: &Shape, names: &Names) -> (String, Option<String>) {
    let (p, q, d) = (of(random, names, "P"), of(random, names, "P"), of(random, names, "Q"));
    let value = random.below(3);
    if let (Some(u), true, true) = (of(random, names, "U"), shape.place, random.percent(60)) {
        return (format!("place := {u}; "), None);
    }
    let Some(p) = p else {
        return match random.below(6) {
            0 if shape.owner => ("undefine owner; ".to_owned(), None),
            1 | 2 if shape.count => ("count := (count + 1) % 3; ".to_owned(), None),
            3 if shape.bag => ("undefine bag; ".to_owned(), None),
            // Which one that is, the order of the elements says: not symmetric.
            4 if shape.owner && random.percent(15) => (
                "for x: P do if isundefined(owner) & step[x] = 0 then owner := x; end; end; ".to_owned(),
                None,
            ),
            _ => (format!("for x: P do step[x] := {value}; end; "), None),
        };
    };
    match random.below(12) {
        0 | 1 if shape.flag => (format!("flag[{p}] := !flag[{p}]; "), None),
        2 | 3 if shape.owner => (format!("owner := {p}; "), None),
        4 if shape.links => (format!("next_one[{p}] := {}; ", q.unwrap_or(p)), None),
        5 | 6 if shape.grid => match d {
            Some(d) => (format!("grid[{p}][{d}] := !grid[{p}][{d}]; "), None),
            None => (format!("for y: Q do grid[{p}][y] := false; end; "), None),
        },
        7 if shape.bag => {
            (format!("multisetadd({p}, bag); "), Some("multisetcount(i: bag, true) < 2".to_owned()))
        }
        8 if shape.bag => (format!("multisetremovepred(i: bag, bag[i] = {p}); "), None),
        9 if shape.place => (format!("place := {p}; "), None),
        10 if shape.owner => ("undefine owner; ".to_owned(), None),
        _ if random.percent(50) => (format!("step[{p}] := (step[{p}] + 1) % 3; "), None),
        _ => (format!("step[{p}] := {value}; "), None),
    }
}
