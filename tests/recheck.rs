//! Which invariants need not be evaluated after a rule: what is said about small models, and that
//! it is true of the states of ours.

#![cfg(test)]

mod support;

use bitvec::vec::BitVec;
use mcc_murphi::analysis::analyse;
use mcc_murphi::interpret::Interpreter;
use mcc_murphi::source::Source;
use mcc_runtime::context::Context;
use mcc_runtime::contract::bags::Bags;
use mcc_runtime::model::{Description, Firing, Model as _, RuleId, StartId};
use mcc_runtime::successors::Successors;
use std::collections::{HashSet, VecDeque};
use std::path::Path;
use support::root;

/// Successors of each model, at most: the interpreter is not fast.
const SUCCESSORS: u64 = 1_000;

/// For each rule, the names of the invariants that are due after it.
fn due(text: &str) -> Vec<Vec<String>> {
    let source = Source::new("model.m", text);
    let (model, diagnostics) = mcc_murphi::check(&source);
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let due = analyse(&model).due_after_rules(&model);
    let names = |due: &BitVec| {
        let properties = model.properties.iter().zip(due.iter().by_vals()).filter(|(_, due)| *due);
        properties.map(|(property, _)| property.name.clone()).collect()
    };
    due.iter().map(names).collect()
}

/// How often it is evaluated can be seen, whichever part of it calls what counts or prints.
#[test]
fn names_that_count_or_print_make_an_invariant_due() {
    let due = due(
        "type id: 0..1; var a: array [id] of 0..1; b: boolean; bags: array [id] of multiset [1] of 0..1;\n\
         function counts(): id; begin cover a[0] = 1; return 0; end;\n\
         function prints(): id; begin if a[0] = 1 then put \"one\"; end; return 0; end;\n\
         function calls(): id; begin return prints(); end;\n\
         function quiet(): id; begin return 0; end;\n\
         startstate begin clear a; b := false; end;\n\
         rule begin b := !b; end;\n\
         alias e: counts() do invariant \"value\" e = 0; end;\n\
         alias e: a[calls()] do invariant \"index\" e = 0; end;\n\
         choose k: bags[prints()] do invariant \"bag\" true -> a[0] = 0; end;\n\
         invariant \"condition\" calls() = 0;\n\
         alias e: a[quiet()] do invariant \"quiet\" e = 0; end;\n",
    );
    assert_eq!(due, [["value", "index", "bag", "condition"]]);
}

#[test]
fn what_a_rule_cannot_write_is_not_due() {
    let due = due(
        "type index: 0..1; var a: array [index] of record one, two: 0..3; end; b: 0..3; bag: multiset [2] of 0..3;\n\
         procedure set(var x: 0..3); begin x := 1; end;\n\
         startstate begin clear a; b := 0; end;\n\
         ruleset i: index do rule a[i].two = 0 ==> begin a[i].one := 1; end end;\n\
         rule begin set(b); end;\n\
         rule begin a[0].two := 1; multisetadd(1, bag); end;\n\
         rule begin alias x: a[1] do clear x; end end;\n\
         rule begin if b = 3 then b := 2; end; end;\n\
         invariant \"one\" forall i: index do a[i].one < 3 end;\n\
         invariant \"two of 1\" a[1].two = 0;\n\
         invariant \"b\" b < 3;\n\
         invariant \"bag\" multisetcount(i: bag, bag[i] = 2) = 0;\n\
         assume \"never\" b < 3;\n\
         cover \"always\" b = 1;",
    );
    let expected = [
        vec!["one", "always"],
        vec!["b", "always"],
        vec!["bag", "always"],
        vec!["one", "two of 1", "always"],
        vec!["b", "always"],
    ];
    assert_eq!(due, expected);
}

#[test]
fn an_invariant_that_writes_is_always_due() {
    let due = due("var a: 0..3; b: 0..3; scratch: 0..3;\n\
         function f(): boolean; begin scratch := a; return scratch < 3; end;\n\
         function g(): boolean; begin return a < 3; end;\n\
         startstate begin a := 0; b := 0; scratch := 0; end;\n\
         rule begin b := 1 - b; end;\n\
         invariant \"writes\" f();\n\
         invariant \"reads\" g();");
    assert_eq!(due, [["writes"]]);
}

#[test]
fn what_counts_or_prints_is_always_due() {
    let due = due("var a, b: boolean;\n\
         function counts(): boolean; begin cover a; return true; end;\n\
         function prints(): boolean; begin if a then put \"a\"; end; return true; end;\n\
         function calls(): boolean; begin return prints(); end;\n\
         function reads(): boolean; begin return a; end;\n\
         startstate begin a := true; b := true; end;\n\
         rule begin b := !b; end;\n\
         invariant \"counts\" counts();\n\
         invariant \"prints\" calls();\n\
         invariant \"reads\" reads();");
    assert_eq!(due, [["counts", "prints"]]);
}

/// Under other names, what goes through elements in some order may come to something else.
#[test]
fn what_may_depend_on_names_is_always_due() {
    let rest = "var a: array [id] of 0..3; b: boolean; bag: multiset [2] of id; bags: array [0..1] of multiset [2] of id;\n\
         function first(): 0..3; begin for i: id do return a[i]; end; return 0; end;\n\
         function plain(i: id): boolean; begin if a[i] = 1 then return true; end; return a[i] = 0; end;\n\
         startstate begin clear a; b := true; end;\n\
         rule begin b := !b; end;\n\
         invariant \"first\" first() = 0;\n\
         invariant \"plain\" forall i: id do plain(i) end;\n\
         invariant \"expression\" forall i: id do forall j: id do i = j | a[i] != 1 | a[j] != 1 end end;\n\
         invariant \"slots\" multisetcount(i: bag, a[bag[i]] = 1) = 0;\n\
         invariant \"slots of another\" forall n: 0..1 do multisetcount(i: bags[0], a[bags[n][i]] = 1) = 0 end;";
    let warned = due(&format!("type id: scalarset(3); {rest}"));
    assert_eq!(warned, [["first", "slots of another"]]);
}

/// After each rule, in each state in which all invariants hold: one that fails is due, whatever its
/// elements are called.
#[test]
fn what_is_not_due_holds() {
    let mut spared = 0;
    for folder in ["tests/independence", "tests/meaning", "models", "models/broken", "models/symmetry"] {
        let mut paths: Vec<_> = std::fs::read_dir(root().join(folder))
            .expect("the folder can be read")
            .map(|entry| entry.expect("it is there").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "m"))
            .collect();
        paths.sort();
        // The interpreter takes more of the stack than a thread of a test has, where a model recurs
        // deeply.
        let test = move || paths.iter().map(|path| tested(path)).sum::<u64>();
        let thread = std::thread::Builder::new().stack_size(1 << 30).spawn(test).expect("there is room");
        spared += thread.join().expect("it holds");
    }
    assert!(spared > 10_000, "{spared}");
}

/// How often an invariant was spared.
fn tested(path: &Path) -> u64 {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let source = Source::new(name, std::fs::read_to_string(path).expect("the model can be read"));
    let Some(model) = mcc_murphi::check(&source).0 else { return 0 };
    let due = analyse(&model).due_after_rules(&model);
    let interpreter = Interpreter::new(model, &source);
    let description = interpreter.description();
    let context = Context::new(description.counters());
    let (mut seen, mut waiting) = (HashSet::new(), VecDeque::new());
    for start in 0..description.start_instances() {
        let mut state = vec![0; description.words];
        let fired = interpreter.start(&context, StartId(start), &mut state) == Firing::Fired;
        if fired && interpreter.check(&context, &mut state).is_ok() && seen.insert(state.clone()) {
            waiting.push_back(state);
        }
    }
    let (mut spared, mut looked_at) = (0, 0);
    while let Some(mut state) = waiting.pop_front().filter(|_| looked_at < SUCCESSORS) {
        let mut successors = Successors::new(description.words);
        interpreter.expand(&context, &mut state, &mut successors);
        for (at, rule) in successors.rules().iter().enumerate() {
            looked_at += 1;
            let mut next = successors.state(at).to_vec();
            let family = family(description, *rule);
            let mut renamed = renamed(&interpreter, &next);
            for next in [&mut next, &mut renamed] {
                if let Err(violation) = interpreter.check(&context, next) {
                    let property = violation.property.0 as usize;
                    assert!(due[family][property], "{}: {rule:?} breaks {property}", path.display());
                }
            }
            spared += due[family].count_zeros() as u64;
            let right = interpreter.check(&context, &mut next).is_ok();
            if right && seen.insert(next.clone()) {
                waiting.push_back(next);
            }
        }
    }
    spared
}

fn family(description: &Description, rule: RuleId) -> usize {
    description.rules.partition_point(|family| family.first + family.instances <= rule.0)
}

/// The state in which each element has the name of the one after it.
fn renamed(model: &Interpreter, state: &[u64]) -> Vec<u64> {
    let mut into = state.to_vec();
    if let Some(symmetry) = model.symmetry() {
        let scalarsets = model.description().scalarsets.iter();
        let to: Vec<u16> = scalarsets
            .flat_map(|set| (0..set.size).map(|at| (set.first + (at + 1) % set.size) as u16))
            .collect();
        symmetry.rename(&mut state.to_vec(), &to, Bags::All, &mut into);
    }
    into
}
