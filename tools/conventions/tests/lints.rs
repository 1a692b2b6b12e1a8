//! The runtime's manifest stands alone, since mcc carries it inside; its lints are those of the
//! workspace all the same.

#![cfg(test)]

use mcc_conventions::files::root;

/// The lines of a table of a manifest.
fn table(path: &str, name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(path)).expect("the manifest can be read");
    let lines = text.lines().skip_while(|line| *line != name).skip(1);
    lines
        .take_while(|line| !line.starts_with('['))
        .filter(|line| line.contains('=') && !line.starts_with('#'))
        .map(str::to_owned)
        .collect()
}

#[test]
fn all_crates_have_the_same_lints() {
    let shared = table("Cargo.toml", "[workspace.lints.clippy]");
    assert!(shared.contains(&"unwrap_used = \"deny\"".to_owned()), "{shared:?}");
    assert_eq!(table("runtime/Cargo.toml", "[lints.clippy]"), shared);
    let manifest = std::fs::read_to_string(root().join("Cargo.toml")).expect("the manifest can be read");
    let members = manifest.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\","));
    for member in members.filter(|member| *member != "runtime") {
        assert_eq!(table(&format!("{member}/Cargo.toml"), "[lints]"), ["workspace = true"], "{member}");
    }
}
