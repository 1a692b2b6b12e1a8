//! For tests: files in memory whose n-th operation fails, is cut short, or silently corrupts data.

use super::{Directory, Storage};
use std::io;
use std::sync::{Arc, Mutex};

/// The kind of fault that is injected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The operation fails, and all after it.
    Fail(io::ErrorKind),
    /// A write does half of its work and fails; any other operation fails.
    Short,
    /// One byte that is written or read is changed, and no error is returned.
    Flip,
    /// A write is dropped, or one byte that is read is changed, and no error is returned.
    Drop,
}

/// The countdown to the fault, shared by all files of a directory.
#[derive(Debug)]
struct Fate {
    /// Operations until the fault.
    left: Mutex<u64>,
    fault: Fault,
}

/// How an operation is carried out.
enum Turn {
    Correct,
    Short,
    Flip,
    Drop,
}

impl Fate {
    fn operate(&self) -> io::Result<Turn> {
        let mut left = self.left.lock().unwrap();
        if *left > 0 {
            *left -= 1;
            return Ok(Turn::Correct);
        }
        let turn = match self.fault {
            Fault::Fail(kind) => return Err(kind.into()),
            Fault::Short => Turn::Short,
            Fault::Flip => Turn::Flip,
            Fault::Drop => Turn::Drop,
        };
        // These happen once.
        *left = u64::MAX;
        Ok(turn)
    }
}

#[derive(Debug)]
pub struct Faulty {
    bytes: Mutex<Vec<u8>>,
    fate: Arc<Fate>,
}

/// A directory whose files share one countdown.
#[derive(Debug)]
pub struct FaultyDirectory(Arc<Fate>);

impl FaultyDirectory {
    /// The fault comes after `operations` operations, counted over all files.
    pub fn new(fault: Fault, operations: u64) -> Self {
        FaultyDirectory(Arc::new(Fate { left: Mutex::new(operations), fault }))
    }

    /// Whether the fault is still to come.
    pub fn is_undisturbed(&self) -> bool {
        let left = *self.0.left.lock().unwrap();
        left > 0 && left < u64::MAX / 2
    }
}

impl Directory for FaultyDirectory {
    fn create(&self) -> io::Result<Arc<dyn Storage>> {
        match self.0.operate()? {
            Turn::Correct => Ok(Arc::new(Faulty { bytes: Mutex::default(), fate: self.0.clone() })),
            Turn::Short | Turn::Flip | Turn::Drop => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }
}

impl Faulty {
    /// A file on a disk that is full after `operations` operations.
    pub fn after(operations: u64) -> Self {
        let fault = Fault::Fail(io::ErrorKind::StorageFull);
        Faulty { bytes: Mutex::default(), fate: Arc::new(Fate { left: Mutex::new(operations), fault }) }
    }

    /// Allows `operations` more operations.
    pub fn allow(&self, operations: u64) {
        *self.fate.left.lock().unwrap() = operations;
    }

    fn put(&self, offset: u64, bytes: &[u8]) {
        let mut all = self.bytes.lock().unwrap();
        let (offset, end) = (offset as usize, offset as usize + bytes.len());
        let length = all.len().max(end);
        all.resize(length, 0);
        all[offset..end].copy_from_slice(bytes);
    }
}

impl Storage for Faulty {
    fn write(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match self.fate.operate()? {
            Turn::Correct => self.put(offset, bytes),
            Turn::Short => {
                self.put(offset, &bytes[..bytes.len() / 2]);
                return Err(io::ErrorKind::WriteZero.into());
            }
            Turn::Flip => {
                let mut other = bytes.to_vec();
                other[bytes.len() / 3] ^= 4;
                self.put(offset, &other);
            }
            // The file has the expected length, and its previous contents.
            Turn::Drop => self.put(offset + bytes.len() as u64, &[]),
        }
        Ok(())
    }

    fn read(&self, offset: u64, bytes: &mut [u8]) -> io::Result<()> {
        let turn = self.fate.operate()?;
        let all = self.bytes.lock().unwrap();
        let found = all.get(offset as usize..offset as usize + bytes.len());
        bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
        match turn {
            Turn::Correct => {}
            Turn::Short => return Err(io::ErrorKind::UnexpectedEof.into()),
            Turn::Flip | Turn::Drop => {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 64;
            }
        }
        Ok(())
    }

    fn shorten(&self, length: u64) -> io::Result<()> {
        match self.fate.operate()? {
            Turn::Correct => self.bytes.lock().unwrap().truncate(length as usize),
            // The old bytes are still there.
            Turn::Flip | Turn::Drop => {}
            Turn::Short => return Err(io::ErrorKind::PermissionDenied.into()),
        }
        Ok(())
    }

    fn sync(&self) -> io::Result<()> {
        match self.fate.operate()? {
            Turn::Correct | Turn::Flip | Turn::Drop => Ok(()),
            Turn::Short => Err(io::ErrorKind::PermissionDenied.into()),
        }
    }

    fn length(&self) -> io::Result<u64> {
        self.fate.operate()?;
        Ok(self.bytes.lock().unwrap().len() as u64)
    }
}
