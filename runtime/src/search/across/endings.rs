//! Why a search ended, as one process writes it to another.

use crate::search::Ending;
use crate::storage::{Operation, Purpose, StorageError};
use serde::{Deserialize, Serialize};
use std::io;

/// An [`Ending`], as a kind, a number and a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    kind: u32,
    number: u64,
    text: String,
    disk: Option<DiskFailure>,
}

/// A [`StorageError`]: file and operation by their places in the lists below.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct DiskFailure {
    file: usize,
    operation: usize,
    offset: u64,
    bytes: u64,
    free: Option<u64>,
    code: Option<i32>,
    /// Where the system gave no number.
    kind: usize,
}

const FILES: [Purpose; 6] = [
    Purpose::Queue,
    Purpose::Records,
    Purpose::Table,
    Purpose::SavedStates,
    Purpose::SavedSearch,
    Purpose::Manifest,
];
const OPERATIONS: [Operation; 7] = [
    Operation::Create,
    Operation::Write,
    Operation::Read,
    Operation::Check,
    Operation::Shorten,
    Operation::Sync,
    Operation::Name,
];
/// What is none of these is written as the first.
const KINDS: [io::ErrorKind; 6] = [
    io::ErrorKind::Other,
    io::ErrorKind::StorageFull,
    io::ErrorKind::WriteZero,
    io::ErrorKind::FileTooLarge,
    io::ErrorKind::UnexpectedEof,
    io::ErrorKind::InvalidData,
];

fn place<T: PartialEq>(list: &[T], wanted: &T) -> usize {
    list.iter().position(|one| one == wanted).unwrap_or(0)
}

impl From<&StorageError> for DiskFailure {
    fn from(error: &StorageError) -> Self {
        let StorageError { file, operation, offset, bytes, free, kind, code } = *error;
        let (file, operation) = (place(&FILES, &file), place(&OPERATIONS, &operation));
        DiskFailure { file, operation, offset, bytes, free, code, kind: place(&KINDS, &kind) }
    }
}

impl DiskFailure {
    /// `None`: there is no such file, operation or kind.
    fn error(&self) -> Option<StorageError> {
        let DiskFailure { file, operation, offset, bytes, free, code, kind } = *self;
        let named = KINDS.get(kind).copied()?;
        Some(StorageError {
            file: *FILES.get(file)?,
            operation: *OPERATIONS.get(operation)?,
            offset,
            bytes,
            free,
            kind: code.map_or(named, |code| io::Error::from_raw_os_error(code).kind()),
            code,
        })
    }
}

impl From<&Ending> for Ended {
    fn from(ending: &Ending) -> Self {
        let (kind, number, text) = match ending {
            Ending::Complete => (0, 0, ""),
            Ending::Errors => (1, 0, ""),
            Ending::Depth(depth) => (2, u64::from(*depth), ""),
            Ending::States(states) => (3, *states, ""),
            Ending::Memory => (4, 0, ""),
            Ending::Numbers => (5, 0, ""),
            Ending::Interrupted => (6, 0, ""),
            Ending::NoStart => (7, 0, ""),
            Ending::Asymmetric(text) => (8, 0, &text[..]),
            Ending::NotReplayed(text) => (9, 0, &text[..]),
            Ending::Internal(text) => (10, 0, &text[..]),
            Ending::Lost(text) => (11, 0, &text[..]),
            Ending::Table => (12, 0, ""),
            Ending::Collisions => (13, 0, ""),
            Ending::Disk(_) => (14, 0, ""),
            // Not with several processes.
            Ending::Probes | Ending::Steps(_) | Ending::Halted(_) => {
                (10, 0, "a search of several processes ended as one of a single process does")
            }
        };
        let disk = match ending {
            Ending::Disk(failure) => Some(failure.into()),
            _ => None,
        };
        Ended { kind, number, text: text.to_owned(), disk }
    }
}

impl From<Ended> for Ending {
    fn from(Ended { kind, number, text, disk }: Ended) -> Self {
        match kind {
            0 => Ending::Complete,
            1 => Ending::Errors,
            2 => Ending::Depth(u32::try_from(number).unwrap_or(u32::MAX)),
            3 => Ending::States(number),
            4 => Ending::Memory,
            5 => Ending::Numbers,
            6 => Ending::Interrupted,
            7 => Ending::NoStart,
            8 => Ending::Asymmetric(text),
            9 => Ending::NotReplayed(text),
            11 => Ending::Lost(text),
            12 => Ending::Table,
            13 => Ending::Collisions,
            14 => match disk.and_then(|failure| failure.error()) {
                Some(failure) => Ending::Disk(failure),
                None => Ending::Internal("a file cannot be written or read".to_owned()),
            },
            _ => Ending::Internal(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_come_as_they_were_sent() {
        let failure = |code: i32, operation| {
            let error = StorageError::new(Purpose::Table, operation, &io::Error::from_raw_os_error(code));
            Ending::Disk(StorageError { offset: 7, bytes: 9, free: Some(3), ..error })
        };
        let unnumbered = |kind: io::ErrorKind| {
            Ending::Disk(StorageError::new(Purpose::Queue, Operation::Check, &kind.into()))
        };
        for ending in [
            Ending::Complete,
            Ending::Depth(9),
            Ending::States(1 << 40),
            Ending::Collisions,
            Ending::Table,
            Ending::Lost("process 3".to_owned()),
            failure(28, Operation::Write),
            failure(5, Operation::Read),
            unnumbered(io::ErrorKind::WriteZero),
            unnumbered(io::ErrorKind::UnexpectedEof),
        ] {
            assert_eq!(Ending::from(Ended::from(&ending)), ending);
        }
        let nonsense = Ended { kind: 14, number: 0, text: String::new(), disk: None };
        assert!(matches!(Ending::from(nonsense), Ending::Internal(_)));
    }
}
