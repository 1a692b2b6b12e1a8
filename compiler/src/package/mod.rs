//! Generated code becomes a crate on disk, and cargo makes an executable of it. With `cli`, this is
//! the only part of mcc that touches files.

mod access;
mod cache;
mod cargo;
mod embedded;
mod emit;
mod environment;
mod failure;
mod files;
mod lanes;
mod lockfile;
mod output;
mod prune;
mod record;
mod template;
mod usage;

use std::path::{Path, PathBuf};

pub use cargo::Observer;
pub use failure::Failure;
pub use output::Destination;
pub use usage::{Usage, clean, usage};

/// Finds out whether [`write_crate`] may write to a directory.
pub fn check_emit_directory(directory: &Path) -> Result<(), Failure> {
    emit::check(directory)
}

/// Writes the crate of a model for a person or a build to keep.
pub fn write_crate(directory: &Path, model_name: &str, model_rs: &str) -> Result<(), Failure> {
    emit::emit(directory, &template::standalone(model_name, model_rs)?)
}

/// An executable in the cache, which was compared with what was built. It stays there, undisturbed
/// by other mccs, while this value lives.
#[derive(Debug)]
pub struct Built {
    pub executable: PathBuf,
    record: record::Record,
    cache: cache::Cache,
}

impl Built {
    /// Puts a copy of it where the user wants it.
    pub fn install(&self, destination: &Destination) -> Result<(), Failure> {
        destination.install(&self.executable, &self.record)
    }

    /// A directory that only this user can write to.
    pub fn private_directory(&self) -> &Path {
        &self.cache.root
    }

    /// Ends the use of the cache; what was not used for long is dropped from it.
    pub fn finish(self) {
        self.cache.prune();
    }
}

/// So often is an executable built again that is not what was built.
const MOST_TRIES: u32 = 3;

/// Builds the verifier of a model in the user's cache. One that was built before is compared with
/// the record of its build, and built again if it is not the same.
pub fn build(model_name: &str, model_rs: &str, observer: &mut dyn Observer) -> Result<Built, Failure> {
    let made = template::cached(model_name, model_rs)?;
    let cache = cache::Cache::open(&cache::default_root()?, embedded::ENGINE)?;
    let directory = cache.add(&made)?;
    let mut tries = 0;
    loop {
        let cargo::Executable { path: executable, fresh } =
            cargo::build(&cache, &directory, &made.package, observer)?;
        if !fresh {
            let record = record::Record::write(&executable, &directory)
                .map_err(Failure::io("record the build of", &executable))?;
            return Ok(Built { executable, record, cache });
        }
        match record::Record::compare(&executable, &directory) {
            Ok(record) => return Ok(Built { executable, record, cache }),
            Err(difference) if tries == MOST_TRIES => {
                return Err(Failure::CacheUnsteady { executable, difference });
            }
            Err(_) => {
                // Another mcc that has just built it may be about to record it: looked at again
                // when nobody else is here.
                let mut difference = None;
                tries += 1;
                cache.discard_model(&made.package, || {
                    difference = record::Record::compare(&executable, &directory).err();
                    difference.is_some()
                })?;
                if let Some(difference) = difference {
                    observer.rebuilding(&difference);
                }
            }
        }
    }
}
