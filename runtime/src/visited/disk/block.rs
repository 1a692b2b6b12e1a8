//! The files of a table on disk, block by block.
//!
//! A file begins with 16 bytes: `mcctable`, the version (4 bytes) and what is in it (4 bytes): 0
//! sorted keys, 1 rests, 2 the plain table of the paper. All numbers have their lowest byte first.
//! Then there is block after block, each behind a *label* of 40 bytes:
//!
//! | field | bytes | meaning |
//! |---|---|---|
//! | table | 4 | the number of the table in this search, so that an old file is not taken for a new one |
//! | width | 4 | sorted keys: low bits of a key; otherwise bytes of an entry |
//! | block | 8 | how many blocks lie before it in the file |
//! | count | 4 | entries |
//! | length | 4 | bytes of them |
//! | first | 8 | sorted keys: the first one; otherwise 0 |
//! | checksum | 8 | of the label without it, and of the bytes of the entries |
//!
//! No other process ever reads these files, but a table that has lost a state, or has one too many,
//! proves nothing. So everything in a label is compared with what is expected.

use crate::hashing::words::{hash, hash_of};

pub const HEADER: u64 = 16;
pub const LABEL: usize = 40;
const MAGIC: [u8; 8] = *b"mcctable";
const VERSION: u32 = 1;

/// What is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    Keys = 0,
    Rests = 1,
    Plain = 2,
}

pub fn header(content: Content) -> [u8; HEADER as usize] {
    let mut header = [0; HEADER as usize];
    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..].copy_from_slice(&(content as u32).to_le_bytes());
    header
}

/// What is known about a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Label {
    pub table: u32,
    pub width: u32,
    pub block: u64,
    pub count: u32,
    pub length: u32,
    pub first: u64,
}

impl Label {
    fn fields(&self) -> [u64; 4] {
        let pair = |low: u32, high: u32| u64::from(low) | u64::from(high) << 32;
        [pair(self.table, self.width), self.block, pair(self.count, self.length), self.first]
    }

    fn checksum(&self, bytes: &[u8]) -> u64 {
        let mut all = [0; 9];
        all[..4].copy_from_slice(&self.fields());
        all[4..].copy_from_slice(&digest(bytes));
        hash(&all)
    }

    /// Fills in the first [`LABEL`] bytes of a block, which has this label.
    pub fn write(&self, block: &mut [u8]) {
        let (label, bytes) = block.split_at_mut(LABEL);
        let [table, number, count, first] = self.fields();
        let fields = [table, number, count, first, self.checksum(bytes)];
        for (place, field) in label.chunks_exact_mut(8).zip(fields) {
            place.copy_from_slice(&field.to_le_bytes());
        }
    }

    /// The label at the beginning of some bytes and the entries behind it, if they are there and
    /// are what was written.
    pub fn read(block: &[u8]) -> Option<(Label, &[u8])> {
        let (label, bytes) = block.split_at_checked(LABEL)?;
        let field = |at: usize| label[8 * at..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes));
        let found = Label {
            table: field(0) as u32,
            width: (field(0) >> 32) as u32,
            block: field(1),
            count: field(2) as u32,
            length: (field(2) >> 32) as u32,
            first: field(3),
        };
        let bytes = bytes.get(..found.length as usize)?;
        (found.checksum(bytes) == field(4)).then_some((found, bytes))
    }
}

/// Four numbers that depend on all bytes, worked out side by side because that is faster, and one
/// for the bytes that are left over.
fn digest(bytes: &[u8]) -> [u64; 5] {
    const ODD: [u64; 4] =
        [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xd6e8_feb8_6659_fd93];
    let word = |bytes: &[u8; 8]| u64::from_le_bytes(*bytes);
    let (parts, rest) = bytes.as_chunks::<64>();
    let mut lanes = ODD;
    for part in parts {
        let (words, _) = part.as_chunks::<8>();
        for lane in 0..4 {
            let product = u128::from(lanes[lane] ^ word(&words[2 * lane]))
                * u128::from(word(&words[2 * lane + 1]) ^ ODD[lane]);
            // The words once more, so that a product of zero does not wipe out what came before.
            lanes[lane] = (product as u64 ^ (product >> 64) as u64).wrapping_add(lanes[lane].rotate_left(29));
        }
    }
    let (words, last) = rest.as_chunks::<8>();
    let last = last.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    let left = hash_of(words.len() + 1, |at| words.get(at).map_or(last, word));
    [lanes[0], lanes[1], lanes[2], lanes[3], left]
}

/// Appends the lowest `bytes` bytes of some words.
#[inline(always)]
pub fn append_words(words: &[u64], bytes: usize, to: &mut Vec<u8>) {
    let mut left = bytes;
    for word in words {
        let some = left.min(8);
        to.extend_from_slice(&word.to_le_bytes()[..some]);
        left -= some;
    }
}

/// Whether some bytes are those of these words. Bytes that the words have more are zero.
#[inline(always)]
pub fn same_words(bytes: &[u8], words: &[u64]) -> bool {
    let (whole, rest) = bytes.as_chunks::<8>();
    let mut differences = 0;
    for (bytes, word) in whole.iter().zip(words) {
        differences |= u64::from_le_bytes(*bytes) ^ word;
    }
    if let Some(word) = words.get(whole.len()) {
        for (left, right) in rest.iter().zip(word.to_le_bytes()) {
            differences |= u64::from(left ^ right);
        }
    }
    differences == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_is_read_as_it_was_written_or_not_at_all() {
        for length in [0, 1, 8, 100] {
            let label = Label { table: 3, width: 9, block: 7, count: 2, length: length as u32, first: 99 };
            let mut block = vec![0; LABEL];
            block.extend((0..length).map(|byte| byte as u8));
            label.write(&mut block);
            let (found, bytes) = Label::read(&block).unwrap();
            assert_eq!((found, bytes), (label, &block[LABEL..]));
            for at in 0..block.len() {
                let mut other = block.clone();
                other[at] ^= 16;
                assert_eq!(Label::read(&other), None, "{at}");
            }
            assert_eq!(Label::read(&block[..block.len() - 1]), None);
        }
    }

    #[test]
    fn words_are_cut_to_their_bytes() {
        for bytes in 0..=16 {
            let words = [0x0807_0605_0403_0201u64, 0x100f_0e0d_0c0b_0a09];
            let mut written = Vec::new();
            append_words(&words, bytes, &mut written);
            assert_eq!(written, (1..=bytes as u8).collect::<Vec<_>>());
            let cut = [0, 1].map(|at| {
                let left = bytes.saturating_sub(8 * at).min(8) as u32;
                if left == 8 { words[at] } else { words[at] & ((1u64 << (8 * left)) - 1) }
            });
            assert!(same_words(&written, &cut[..bytes.div_ceil(8)]));
            if bytes > 0 {
                let mut other = written.clone();
                other[bytes - 1] ^= 1;
                assert!(!same_words(&other, &cut));
            }
        }
    }
}
