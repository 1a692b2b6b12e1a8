//! Bytes outside of memory: everything in a search that writes a file does it through [`Storage`].

use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::Path;

/// Bytes at offsets, that several threads may write and read.
pub trait Storage: Debug + Send + Sync {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()>;

    /// Fills `bytes`, or fails.
    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()>;
}

/// A file without a name: it is gone when it is closed, whatever becomes of the process.
#[derive(Debug)]
pub struct Unnamed {
    #[cfg(unix)]
    file: File,
    #[cfg(not(unix))]
    file: std::sync::Mutex<File>,
}

impl Unnamed {
    /// A new file in this directory.
    pub fn create(directory: &Path) -> io::Result<Self> {
        let mut random =
            crate::random::Random(crate::run::random_seed() ^ u64::from(std::process::id()) << 32);
        let mut tries = 0;
        loop {
            let path = directory.join(format!("mcc-{}-{:08x}", std::process::id(), random.number() as u32));
            let mut options = File::options();
            options.read(true).write(true).create_new(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            match options.open(&path) {
                Ok(file) => {
                    Self::forget_name(&path)?;
                    #[cfg(not(unix))]
                    let file = std::sync::Mutex::new(file);
                    return Ok(Unnamed { file });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && tries < 100 => tries += 1,
                Err(error) => return Err(error),
            }
        }
    }

    #[cfg(unix)]
    fn forget_name(path: &Path) -> io::Result<()> {
        std::fs::remove_file(path)
    }

    /// Other systems do not let go of the name of an open file; there it stays.
    #[cfg(not(unix))]
    fn forget_name(path: &Path) -> io::Result<()> {
        let _ = std::fs::remove_file(path);
        Ok(())
    }
}

#[cfg(unix)]
impl Storage for Unnamed {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::write_all_at(&self.file, bytes, offset)
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, bytes, offset)
    }
}

#[cfg(not(unix))]
impl Storage for Unnamed {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        use std::io::{Seek, Write};
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(io::SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        use std::io::{Read, Seek};
        let mut file = self.file.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        file.seek(io::SeekFrom::Start(offset))?;
        file.read_exact(bytes)
    }
}

/// For tests: memory, in which the n-th operation fails.
#[cfg(test)]
pub mod faulty {
    use super::*;
    use std::sync::Mutex;

    #[derive(Debug)]
    pub struct Faulty {
        pub bytes: Mutex<Vec<u8>>,
        /// Operations until one fails, and all after it.
        pub left: Mutex<u64>,
    }

    impl Faulty {
        pub fn after(operations: u64) -> Self {
            Faulty { bytes: Mutex::default(), left: Mutex::new(operations) }
        }

        fn operate(&self) -> io::Result<()> {
            let mut left = self.left.lock().unwrap();
            *left = left.checked_sub(1).ok_or(io::ErrorKind::StorageFull)?;
            Ok(())
        }
    }

    impl Storage for Faulty {
        fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
            self.operate()?;
            let mut all = self.bytes.lock().unwrap();
            let (offset, end) = (offset as usize, offset as usize + bytes.len());
            let length = all.len().max(end);
            all.resize(length, 0);
            all[offset..end].copy_from_slice(bytes);
            Ok(())
        }

        fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
            self.operate()?;
            let all = self.bytes.lock().unwrap();
            let found = all.get(offset as usize..offset as usize + bytes.len());
            bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
            Ok(())
        }
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
        drop((file, other));
        let _ = std::fs::remove_dir_all(&directory);
        assert!(Unnamed::create(&directory).is_err());
    }
}
