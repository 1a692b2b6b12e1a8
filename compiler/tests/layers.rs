//! The compiler is a pipeline: a module knows only what comes before it.

#![cfg(test)]

#[path = "../../tests/support/layers.rs"]
mod layers;

use layers::Layers;

const COMPILER: Layers<'static> = Layers {
    layers: &[
        &["source", "suggestions"],
        &["diagnostics", "input"],
        &["syntax"],
        &["semantics", "format"],
        &["analysis"],
        // How the parts of a model are stored, called, and complained about.
        &["layout", "tables", "faults"],
        &["interpret"],
        &["codegen"],
        &["walk", "package"],
        &["library", "explore"],
        &["lsp"],
        &["cli"],
    ],
    // The two ways to run a model.
    apart: &[("codegen", "interpret")],
    facades: &["lib", "main"],
    test_files: &[],
};

#[test]
fn nothing_imports_upwards() {
    let upwards = COMPILER.upwards(env!("CARGO_MANIFEST_DIR"));
    assert!(upwards.is_empty(), "imports upwards:\n{upwards:#?}");
}
