//! Generated code becomes a crate on disk, and cargo makes an executable of it. With `cli`, this is the only
//! part of mcc that touches files.

mod cache;
mod cargo;
mod embedded;
mod emit;
mod failure;
mod files;
mod lockfile;
mod output;
mod template;

use std::path::{Path, PathBuf};

pub use cargo::Observer;
pub use embedded::VERSION;
pub use failure::Failure;
pub use output::Destination;

/// Finds out whether [`write_crate`] may write to a directory.
pub fn check_emit_directory(directory: &Path) -> Result<(), Failure> {
    emit::check(directory)
}

/// Writes the crate of a model for a person or a build to keep.
pub fn write_crate(directory: &Path, model_name: &str, model_rs: &str) -> Result<(), Failure> {
    emit::emit(directory, &template::standalone(model_name, model_rs)?)
}

/// An executable in the cache. It stays there, undisturbed, while this value lives.
#[derive(Debug)]
pub struct Built {
    pub executable: PathBuf,
    cache: cache::Cache,
}

impl Built {
    /// Ends the use of the cache; what was not used for long is dropped from it.
    pub fn finish(self) -> PathBuf {
        self.cache.prune();
        self.executable
    }
}

/// Builds the verifier of a model in the user's cache.
pub fn build(model_name: &str, model_rs: &str, observer: &mut dyn Observer) -> Result<Built, Failure> {
    let made = template::cached(model_name, model_rs)?;
    let cache = cache::Cache::open(&cache::default_root()?, embedded::ENGINE)?;
    let directory = cache.add(&made)?;
    let executable = cargo::build(&cache, &directory, &made.package, observer)?;
    Ok(Built { executable, cache })
}
