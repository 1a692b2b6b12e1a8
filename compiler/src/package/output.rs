//! `-o`: where the finished executable goes. Whether it can go there is found out before the long
//! build.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use mcc_runtime::host::storage::Partial;

use super::failure::Failure;
use super::record::Record;

/// A place that was found fit for an executable.
#[derive(Debug)]
pub struct Destination {
    path: PathBuf,
}

impl Destination {
    pub fn check(path: &Path, model: Option<&Path>) -> Result<Destination, Failure> {
        if path == Path::new("-") {
            return Err(Failure::OutputIsStandardOutput);
        }
        // A link stays a link: what it points to is replaced.
        let path =
            if path.is_symlink() { path.canonicalize().unwrap_or_else(|_| path.into()) } else { path.into() };
        let names_directory = path.file_name().is_none() || path.as_os_str().to_string_lossy().ends_with('/');
        if path.is_dir() || names_directory {
            return Err(Failure::OutputIsDirectory(path));
        }
        // A device or a pipe would be replaced by the executable: `-o /dev/null` must not do that.
        if path.exists() && !path.is_file() {
            return Err(Failure::OutputIsNotAFile(path));
        }
        let same =
            |model: &Path| matches!((model.canonicalize(), path.canonicalize()), (Ok(a), Ok(b)) if a == b);
        if model.is_some_and(same) {
            return Err(Failure::OutputIsTheModel(path));
        }
        match Partial::create(&path) {
            Ok(probe) => drop(probe),
            Err(error) => return Err(Failure::OutputUnwritable { path, error }),
        }
        Ok(Destination { path })
    }

    /// Puts a copy of `executable` there, in one step, if what is copied is what was built; a
    /// verifier that is running from there runs on.
    pub fn install(&self, executable: &Path, built: &Record) -> Result<(), Failure> {
        let unwritable = |error| Failure::OutputUnwritable { path: self.path.clone(), error };
        let mut from = File::open(executable).map_err(Failure::io("read", executable))?;
        let partial = Partial::create(&self.path).map_err(unwritable)?;
        let copied = Record::of(&mut from, &mut partial.file()).map_err(unwritable)?;
        if let Some(difference) = built.difference(&copied) {
            return Err(Failure::CacheUnsteady { executable: executable.into(), difference });
        }
        allow_running(partial.file(), &from).map_err(unwritable)?;
        partial.complete().map_err(unwritable)
    }
}

/// Users who may run the one may run the other.
fn allow_running(file: &File, like: &File) -> io::Result<()> {
    let permissions = like.metadata()?.permissions();
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        fs::Permissions::from_mode(permissions.mode() & 0o777)
    };
    file.set_permissions(permissions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfit_places_are_found_before_the_build() {
        let directory = tempfile::tempdir().unwrap();
        let model = directory.path().join("a.m");
        fs::write(&model, "").unwrap();
        let check = |path: &Path| Destination::check(path, Some(&model));
        assert!(matches!(check(directory.path()), Err(Failure::OutputIsDirectory(_))));
        assert!(matches!(check(Path::new("/dev/null")), Err(Failure::OutputIsNotAFile(_))));
        assert!(matches!(check(Path::new("-")), Err(Failure::OutputIsStandardOutput)));
        assert!(matches!(check(&model), Err(Failure::OutputIsTheModel(_))));
        assert!(matches!(check(&directory.path().join("no/where")), Err(Failure::OutputUnwritable { .. })));
        assert!(matches!(check(&directory.path().join("new/")), Err(Failure::OutputIsDirectory(_))));
    }

    #[test]
    fn an_executable_is_installed_and_nothing_is_left_behind() {
        let directory = tempfile::tempdir().unwrap();
        let built = directory.path().join("built");
        fs::write(&built, "program").unwrap();
        let record = Record::of(&mut &b"program"[..], &mut io::sink()).unwrap();
        let output = directory.path().join("verifier");
        Destination::check(&output, None).unwrap().install(&built, &record).unwrap();
        Destination::check(&output, None).unwrap().install(&built, &record).unwrap();
        assert_eq!(fs::read_to_string(&output).unwrap(), "program");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
        // What has changed since it was built is not installed, and what was there stays.
        fs::write(&built, "Program").unwrap();
        let failed = Destination::check(&output, None).unwrap().install(&built, &record);
        assert!(matches!(failed, Err(Failure::CacheUnsteady { .. })));
        assert_eq!(fs::read_to_string(&output).unwrap(), "program");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
    }
}
