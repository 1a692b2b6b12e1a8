//! Compiling without an optimisation: each can be left out, by its name, and makes a difference to
//! the code of some model.

#![cfg(test)]

mod support;

use mcc_murphi::analysis::{Optimisation, Optimisations};
use mcc_murphi::generate;
use mcc_murphi::source::Source;
use support::{mcc, root, scratch};

/// Something for each optimisation.
const MODEL: &str = "\
type id: 0..1; node: scalarset(2); step: enum {A, B, C, D};
var pc: array [id] of step; on: array [node] of boolean; n: 0..3; bag: multiset [2] of 0..1;
startstate begin for i: id do pc[i] := A; end; for s: node do on[s] := false; end; n := 0; end;
ruleset i: id do ruleset v: 1..2 do
rule \"a\" pc[i] = A & v = 1 ==> begin pc[i] := B; end;
rule \"b\" pc[i] = B ==> begin if v = 2 then pc[i] := C; end; end;
rule \"c\" pc[i] = C ==> begin pc[i] := D; end;
rule \"d\" pc[i] = D ==> begin pc[i] := A; n := v; end;
end; end;
rule \"add\" multisetcount(b: bag, true) < 2 & exists s: node do isundefined(on[s]) end ==> begin multisetadd(1, bag); end;
invariant \"pairs\" forall i: id do forall j: id do i = j | pc[i] != D | pc[j] != D | n < 4 end end;
invariant \"n\" n < 4;
";

#[test]
fn each_makes_a_difference() {
    let source = Source::new("model.m", MODEL);
    let (model, diagnostics) = mcc_murphi::check(&source);
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let code = |without: &[Optimisation]| {
        let optimisations = Optimisations::without(without.iter().copied());
        generate(&model, &source, &optimisations).expect("the model compiles").model_rs
    };
    assert_eq!(
        code(&[]),
        generate(&model, &source, &Optimisations::default()).expect("the model compiles").model_rs
    );
    for one in Optimisation::ALL {
        assert_ne!(code(&[]), code(&[one]), "{one:?}");
        assert_ne!(code(&Optimisation::ALL), code(&[one]), "{one:?}");
    }
}

#[test]
fn the_environment_names_what_is_left_out() {
    let folder = scratch("without");
    let emitted = |without: &str| {
        let name = format!("emitted {without}");
        let to = folder.join(name.replace([' ', ','], "-"));
        let path = root().join("tests/meaning/optimisations/alias_index_always_defined.m");
        let output =
            mcc().env("MCC_WITHOUT", without).arg(path).arg("--emit").arg(&to).output().expect("mcc starts");
        let code = std::fs::read_to_string(to.join("src/model.rs")).unwrap_or_default();
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned(), code)
    };
    let (status, _, all) = emitted("");
    assert_eq!(status, Some(0));
    let (status, _, fewer) = emitted("signs,guards");
    assert_eq!(status, Some(0));
    assert_ne!(all, fewer);
    let (status, message, _) = emitted("haste");
    assert_eq!(status, Some(2));
    assert!(message.contains("MCC_WITHOUT: there is no optimisation `haste`"), "{message}");
}
