//! Files of the system that have names, in a directory that one process at a time may use.

use super::{Archive, ArchiveLock, Storage};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The name of the file that is locked while a process uses a directory.
pub const LOCK: &str = "lock";

/// How often a lock that another process holds is tried again, and the pause in between.
#[cfg(unix)]
const TRIES: u32 = 20;
#[cfg(unix)]
const PAUSE: std::time::Duration = std::time::Duration::from_millis(50);

/// A file of the system.
#[derive(Debug)]
pub struct SystemFile {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
}

impl SystemFile {
    pub fn new(file: File) -> Self {
        #[cfg(not(unix))]
        let file = std::sync::Mutex::new(file);
        SystemFile { file }
    }

    #[cfg(not(unix))]
    fn file(&self) -> std::sync::MutexGuard<'_, File> {
        self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

#[cfg(unix)]
impl Storage for SystemFile {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, offset)
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, offset)
    }

    fn shorten(&self, length: u64) -> io::Result<()> {
        self.file.set_len(length)
    }

    fn free(&self) -> Option<u64> {
        let mut about = std::mem::MaybeUninit::<libc::statvfs>::uninit();
        let file = std::os::fd::AsRawFd::as_raw_fd(&self.file);
        // SAFETY: the descriptor is open, and there is room for the answer, which is complete if
        // the call succeeds.
        let about = unsafe {
            if libc::fstatvfs(file, about.as_mut_ptr()) != 0 {
                return None;
            }
            about.assume_init()
        };
        // Their types differ from system to system.
        #[allow(clippy::unnecessary_cast)]
        (about.f_bavail as u64).checked_mul(about.f_frsize as u64)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}

#[cfg(not(unix))]
impl Storage for SystemFile {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        use std::io::{Seek, Write};
        let mut file = self.file();
        file.seek(io::SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek};
        let mut file = self.file();
        file.seek(io::SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }

    fn shorten(&self, length: u64) -> io::Result<()> {
        self.file().set_len(length)
    }

    fn sync(&self) -> io::Result<()> {
        self.file().sync_all()
    }

    fn length(&self) -> io::Result<u64> {
        Ok(self.file().metadata()?.len())
    }
}

/// A directory of the system, for files with names.
#[derive(Debug)]
pub struct SystemArchive(PathBuf);

impl SystemArchive {
    /// In this directory, which must be there.
    pub fn new(path: &Path) -> Self {
        SystemArchive(path.to_path_buf())
    }

    fn open_with(&self, name: &str, new: bool) -> io::Result<File> {
        let mut options = File::options();
        options.read(true).write(true).create_new(new);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(self.0.join(name))
    }
}

impl Archive for SystemArchive {
    fn create(&self, name: &str) -> io::Result<Arc<dyn Storage>> {
        Ok(Arc::new(SystemFile::new(self.open_with(name, true)?)))
    }

    fn open(&self, name: &str) -> io::Result<Arc<dyn Storage>> {
        Ok(Arc::new(SystemFile::new(self.open_with(name, false)?)))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        std::fs::rename(self.0.join(from), self.0.join(to))
    }

    fn remove(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.0.join(name))
    }

    fn names(&self) -> io::Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.0)? {
            // Our files have names in UTF-8.
            names.extend(entry?.file_name().into_string());
        }
        Ok(names)
    }

    #[cfg(unix)]
    fn sync(&self) -> io::Result<()> {
        File::open(&self.0)?.sync_all()
    }

    /// Other systems have no such thing, and let names last by themselves.
    #[cfg(not(unix))]
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }

    #[cfg(unix)]
    fn lock(&self) -> io::Result<Option<Box<dyn ArchiveLock>>> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        use std::os::unix::fs::MetadataExt;
        let mut tries = 0;
        loop {
            let file = options.open(self.0.join(LOCK))?;
            // SAFETY: the descriptor is open.
            let locked =
                unsafe { libc::flock(std::os::fd::AsRawFd::as_raw_fd(&file), libc::LOCK_EX | libc::LOCK_NB) };
            if locked != 0 {
                match io::Error::last_os_error() {
                    error if error.kind() != io::ErrorKind::WouldBlock => return Err(error),
                    _ if tries == TRIES => return Ok(None),
                    // A process that was killed may still be on its way out.
                    _ => std::thread::sleep(PAUSE),
                }
                tries += 1;
                continue;
            }
            // The process that had the lock before may have removed the file after it was opened
            // here; then the lock excludes nobody.
            let (held, there) = (file.metadata()?, std::fs::metadata(self.0.join(LOCK)));
            if there.is_ok_and(|there| (there.dev(), there.ino()) == (held.dev(), held.ino())) {
                return Ok(Some(Box::new(Locked { _file: file })));
            }
        }
    }

    /// Nobody else may open the file as long as it is open here.
    #[cfg(windows)]
    fn lock(&self) -> io::Result<Option<Box<dyn ArchiveLock>>> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        match options.open(self.0.join(LOCK)) {
            Ok(file) => Ok(Some(Box::new(Locked { _file: file }))),
            // Sharing violation.
            Err(error) if error.raw_os_error() == Some(32) => Ok(None),
            Err(error) => Err(error),
        }
    }

    #[cfg(not(any(unix, windows)))]
    fn lock(&self) -> io::Result<Option<Box<dyn ArchiveLock>>> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The system lets go of the lock when the file is closed, which happens to every process that
/// ends.
#[derive(Debug)]
struct Locked {
    _file: File,
}

impl ArchiveLock for Locked {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_keep_their_names_and_one_process_has_them() {
        let path = std::env::temp_dir().join(format!("mcc-archive-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let archive = SystemArchive::new(&path);
        let held = archive.lock().unwrap().unwrap();
        assert!(SystemArchive::new(&path).lock().unwrap().is_none());
        let file = archive.create("one").unwrap();
        assert!(archive.create("one").is_err());
        file.write(0, b"first").unwrap();
        file.sync().unwrap();
        archive.create("two").unwrap().write(0, b"second").unwrap();
        archive.rename("two", "one").unwrap();
        archive.sync().unwrap();
        let file = archive.open("one").unwrap();
        let mut bytes = [0; 6];
        file.read(0, &mut bytes).unwrap();
        assert_eq!((&bytes, file.length().unwrap()), (b"second", 6));
        let mut names = archive.names().unwrap();
        names.sort();
        assert_eq!(names, ["lock", "one"]);
        archive.remove("one").unwrap();
        assert!(archive.open("one").is_err());
        drop(held);
        assert!(archive.lock().unwrap().is_some());
        std::fs::remove_dir_all(&path).unwrap();
        assert!(archive.lock().is_err() && archive.names().is_err());
    }
}
