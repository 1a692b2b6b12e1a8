//! Files of the system that have no name.

use super::named::SystemFile;
use super::{Directory, Storage};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory of the system.
#[derive(Debug)]
pub struct SystemDirectory(pub PathBuf);

impl Directory for SystemDirectory {
    fn create(&self) -> io::Result<Arc<dyn Storage>> {
        Ok(Arc::new(Unnamed::create(&self.0)?))
    }
}

/// A file without a name: it is gone when it is closed, however the process ends.
#[derive(Debug)]
pub struct Unnamed(SystemFile);

impl Unnamed {
    /// A new file in this directory.
    pub fn create(directory: &Path) -> io::Result<Self> {
        let mut random =
            crate::random::Random(crate::random::seed_from_clock() ^ u64::from(std::process::id()) << 32);
        let mut tries = 0;
        loop {
            let path = directory.join(format!("mcc-{}-{:08x}", std::process::id(), random.number() as u32));
            let mut options = File::options();
            options.read(true).write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            match options.open(&path) {
                Ok(file) => {
                    Self::unlink(&path)?;
                    return Ok(Unnamed(SystemFile::new(file)));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < 100 => tries += 1,
                #[cfg(unix)]
                Err(error) if error.raw_os_error() == Some(libc::EMFILE) && allow_more_files() => {}
                Err(error) => return Err(error),
            }
        }
    }

    #[cfg(unix)]
    fn unlink(path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    /// Other systems keep the name of an open file; there the file stays.
    #[cfg(not(unix))]
    fn unlink(path: &Path) -> io::Result<()> {
        let _ = std::fs::remove_file(path);
        Ok(())
    }
}

/// A search with many threads has many queues, and each may have two files: takes as many as the
/// system lets this process have. False: it has them already.
#[cfg(unix)]
fn allow_more_files() -> bool {
    let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: there is room for the answer, and the limit that is set is one that was just given.
    unsafe {
        libc::getrlimit(libc::RLIMIT_NOFILE, &mut limit) == 0 && limit.rlim_cur < limit.rlim_max && {
            limit.rlim_cur = limit.rlim_max;
            libc::setrlimit(libc::RLIMIT_NOFILE, &limit) == 0
        }
    }
}

impl Storage for Unnamed {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.0.write(offset, bytes)
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        self.0.read(offset, bytes)
    }

    fn shorten(&self, length: u64) -> io::Result<()> {
        self.0.shorten(length)
    }

    fn free(&self) -> Option<u64> {
        self.0.free()
    }

    fn sync(&self) -> io::Result<()> {
        self.0.sync()
    }

    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unnamed_file_leaves_no_trace() {
        let directory = std::env::temp_dir().join(format!("mcc-storage-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let file = Unnamed::create(&directory).unwrap();
        let other = Unnamed::create(&directory).unwrap();
        #[cfg(unix)]
        assert_eq!(std::fs::read_dir(&directory).unwrap().count(), 0);
        file.write(5, b"there").unwrap();
        file.write(0, b"hello").unwrap();
        other.write(0, b"others").unwrap();
        let mut bytes = [0; 10];
        file.read(0, &mut bytes).unwrap();
        assert_eq!(&bytes, b"hellothere");
        assert!(file.read(1, &mut bytes).is_err());
        file.shorten(5).unwrap();
        assert!(file.read(0, &mut bytes).is_err());
        file.read(0, &mut bytes[..5]).unwrap();
        #[cfg(unix)]
        assert!(file.free().is_some());
        drop((file, other));
        let _ = std::fs::remove_dir_all(&directory);
        assert!(Unnamed::create(&directory).is_err());
    }
}
