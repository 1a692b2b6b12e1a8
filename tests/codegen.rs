//! What each construct of the language becomes. The snapshots show a tiny model and, under it, the
//! Rust that was written for it: types, functions, rules and properties. The static tables and the
//! glue, which look the same for every model, are left out.

#![cfg(test)]

use insta::{Settings, glob};
use mcc_murphi::source::Source;
use std::path::Path;

#[test]
fn constructs() {
    let mut settings = Settings::clone_current();
    settings.set_snapshot_path("snapshots/codegen");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        glob!("codegen/*.m", |path| {
            let source = read(path);
            let rust = rust_of(&source);
            if let Err(error) = syn::parse_file(&rust) {
                panic!("{}: the generated text is not Rust: {error}\n{rust}", path.display());
            }
            let text = format!("{}\n\n{:─<80}\n{}", source.text.trim_end(), "", essence(&rust));
            insta::assert_snapshot!(text);
        });
    });
}

/// A model gives the same text, byte for byte: builds are cached by it.
#[test]
fn generation_is_deterministic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/codegen");
    for name in ["rule_choose.m", "type_union.m", "rule_shared_guard.m", "function_locals.m"] {
        let source = read(&folder.join(name));
        assert_eq!(rust_of(&source), rust_of(&source), "{name}");
    }
}

fn read(path: &Path) -> Source {
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Source::new(name, std::fs::read_to_string(path).expect("the model can be read"))
}

fn rust_of(source: &Source) -> String {
    let compilation = mcc_murphi::compile(source);
    match compilation.generated {
        Some(generated) => generated.model_rs,
        None => panic!("{}: {:?}", source.name, compilation.diagnostics),
    }
}

/// From the first type or function to the contract.
fn essence(rust: &str) -> &str {
    let after_imports = rust.split_once("use mcc_runtime::generated::*;\n").map_or(rust, |(_, rest)| rest);
    let before_contract = after_imports
        .split_once("/// The model as the engines see it.")
        .map_or(after_imports, |(kept, _)| kept);
    before_contract.trim()
}
