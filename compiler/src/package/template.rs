//! The files of a generated crate, in memory: templates filled in, and generated code beside them.

use handlebars::Handlebars;
use serde::Serialize;
use sha2::{Digest, Sha256};

use super::embedded;
use super::failure::Failure;
use super::lockfile;

/// The version that all generated crates bear; it has no meaning.
const PACKAGE_VERSION: &str = "0.0.0";

/// A crate that is not on disk yet.
pub struct CrateFiles {
    /// The package's name, and that of its executable.
    pub package: String,
    /// Relative names, with `/` between, and contents. The manifest comes first.
    pub files: Vec<(String, String)>,
}

#[derive(Serialize)]
struct Values<'a> {
    version: &'a str,
    model: &'a str,
    package: &'a str,
    package_version: &'a str,
    rust_version: &'a str,
    runtime: &'a str,
}

/// The crate that a person keeps: it has a readable name and the runtime in a folder of its own.
pub fn standalone(model_name: &str, model_rs: &str) -> Result<CrateFiles, Failure> {
    let package = format!("{}-verifier", crate_stem(model_name));
    let mut made = fill(model_name, package, "runtime", model_rs)?;
    made.files.push(("README.md".into(), made.readme));
    for (path, contents) in embedded::ENGINE.runtime {
        made.files.push((format!("runtime/{path}"), String::from_utf8_lossy(contents).into_owned()));
    }
    Ok(CrateFiles { package: made.package, files: made.files })
}

/// The crate that lives in the cache, beside all others: its name contains a hash of its contents.
pub fn cached(model_name: &str, model_rs: &str) -> Result<CrateFiles, Failure> {
    let mut hash = Sha256::new();
    for part in [embedded::ENGINE.identity, model_name, model_rs] {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    let digest: String = hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    let package = format!("{}-{digest}", crate_stem(model_name));
    let made = fill(model_name, package, "../../runtime", model_rs)?;
    Ok(CrateFiles { package: made.package, files: made.files })
}

struct Filled {
    package: String,
    files: Vec<(String, String)>,
    readme: String,
}

fn fill(model_name: &str, package: String, runtime: &str, model_rs: &str) -> Result<Filled, Failure> {
    let model = printable(model_name);
    let values = Values {
        version: embedded::VERSION,
        model: &model,
        package: &package,
        package_version: PACKAGE_VERSION,
        rust_version: embedded::MINIMUM_RUST,
        runtime,
    };
    let mut engine = Handlebars::new();
    engine.set_strict_mode(true);
    // The texts are TOML, Rust and Markdown, not HTML; `printable` and `crate_stem` leave nothing
    // to escape.
    engine.register_escape_fn(handlebars::no_escape);
    let render = |name: &'static str| {
        engine
            .render_template(embedded::template(name), &values)
            .map_err(|error| Failure::Template { name, message: error.to_string() })
    };
    let lock = lockfile::trimmed(
        embedded::workspace_lock(),
        (&package, PACKAGE_VERSION),
        embedded::RUNTIME_PACKAGE.0,
    )
    .ok_or_else(|| Failure::Template { name: "Cargo.lock", message: "the runtime is not in it".into() })?;
    let files = vec![
        ("Cargo.toml".to_string(), render("Cargo.toml.hbs")?),
        ("Cargo.lock".to_string(), lock),
        ("src/main.rs".to_string(), render("main.rs.hbs")?),
        ("src/model.rs".to_string(), model_rs.to_string()),
    ];
    let readme = render("README.md.hbs")?;
    Ok(Filled { package, files, readme })
}

/// The model's file name as part of a package name: letters, digits and `-` only, a letter first,
/// not too long.
fn crate_stem(model_name: &str) -> String {
    let file = model_name.rsplit(['/', '\\']).next().unwrap_or(model_name);
    let stem = file.strip_suffix(".m").unwrap_or(file);
    let mut name = String::new();
    for character in stem.chars().take(40) {
        if character.is_ascii_alphanumeric() {
            name.push(character.to_ascii_lowercase());
        } else if !name.is_empty() && !name.ends_with('-') {
            name.push('-');
        }
    }
    let name = name.trim_end_matches('-');
    match name.chars().next() {
        None => "model".into(),
        Some('0'..='9') => format!("model-{name}"),
        Some(_) => name.into(),
    }
}

/// The model's file name as it may stand in a comment: on one line, and without anything that could
/// end it.
fn printable(model_name: &str) -> String {
    let file = model_name.rsplit(['/', '\\']).next().unwrap_or(model_name);
    let allowed = |character: char| character.is_alphanumeric() || " ._-+<>()".contains(character);
    file.chars().take(100).map(|character| if allowed(character) { character } else { '_' }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_become_names_of_crates() {
        for (model, stem) in [
            ("peterson.m", "peterson"),
            ("dir/sub.dir/Cache Protocol (2).m", "cache-protocol-2"),
            ("2pc.m", "model-2pc"),
            ("<stdin>", "stdin"),
            ("--.m", "model"),
            ("схема.m", "model"),
            ("evil\"]\nbuild=\"x.m", "evil-build-x"),
        ] {
            assert_eq!(crate_stem(model), stem, "{model:?}");
        }
        assert!(crate_stem(&"x".repeat(500)).len() <= 46);
    }

    #[test]
    fn a_hostile_file_name_stays_in_its_comment() {
        let made = standalone("a\n[dependencies]\nevil = \"1\"\r\u{2028}.m", "").unwrap();
        let manifest = &made.files[0].1;
        assert!(manifest.starts_with("# @generated by mcc "));
        assert_eq!(manifest.matches("\n[dependencies]").count(), 1);
    }

    #[test]
    fn the_name_of_a_cached_crate_hashes_its_contents() {
        let name = |model: &str, code: &str| cached(model, code).unwrap().package;
        assert_eq!(name("a.m", "x"), name("a.m", "x"));
        assert_ne!(name("a.m", "x"), name("a.m", "y"));
        assert_ne!(name("a.m", "x"), name("dir/a.m", "x"));
    }
}
