//! What mcc carries inside: the runtime's sources, the templates, the lock file. Gathered by
//! `build.rs`.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// Files by their relative name.
pub type Files = &'static [(&'static str, &'static [u8])];

/// The sources that every verifier links, and a name for exactly these sources.
#[derive(Clone, Copy)]
pub struct Engine {
    /// A hash of everything embedded and of mcc's version.
    pub identity: &'static str,
    pub runtime: Files,
}

pub const ENGINE: Engine = Engine { identity: IDENTITY, runtime: RUNTIME };

/// The oldest rustc that builds a verifier.
pub const MINIMUM_RUST: &str = RUST_VERSION;

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

pub const RUNTIME_PACKAGE: (&str, &str) = ("mcc-runtime", RUNTIME_VERSION);

/// The text of a template; templates are text, and one that is missing is an empty one.
pub fn template(name: &str) -> &'static str {
    text_of(TEMPLATES, name)
}

/// The lock file of the workspace that built mcc.
pub fn workspace_lock() -> &'static str {
    text_of(LOCK, "Cargo.lock")
}

fn text_of(files: Files, name: &str) -> &'static str {
    let contents = files.iter().find(|(path, _)| *path == name).map(|(_, contents)| *contents);
    contents.and_then(|contents| std::str::from_utf8(contents).ok()).unwrap_or("")
}
