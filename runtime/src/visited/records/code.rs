//! The code of records: a predecessor in little more than the bits by which it is uncertain.
//!
//! States are expanded about in the order in which they were found. So the predecessors of one
//! segment's states that are in one segment themselves mostly come in the order of their places,
//! and near each other. The code follows that order in each segment of predecessors: in each class
//! of them, if there are more than 64, by the lowest bits of their numbers. What is uncertain is
//! the class, and how far the next place is from the last one of its class.
//!
//! Bits are written from the lowest of the first byte on. A block begins with six bytes, the number
//! that all classes begin from, and three of what the code has learned: a byte and a half each.
//! Then come the records:
//!
//! - *distance*: a number v in the code below;
//! - with v = 0, *escape*: a bit, 0 for a start state. With 1, the place is before the last one of
//!   its class, and how far, less 1, follows in the code below. (Where places often are before the
//!   last one, 0 is always a start state and there is no bit; v is 1 + the zigzag form of the
//!   difference. Otherwise v is 1 + the difference);
//! - *class*: the lowest bits of the number, not for a start state;
//! - *signature*.
//!
//! A number v is written with a parameter p (Golomb's code of exponential form): let q = 1 + v /
//! 2^p have n + 1 bits; n zeros, the bits of q from the highest one, which is 1, and the p lowest
//! bits of v. Writer and reader learn p, and which of the two forms distances have, from the
//! records so far.

use crate::visited::numbers::{NUMBER_BITS, Segmentation};
use crate::visited::{Origin, StateIndex};

/// Classes of predecessors: `1 << CLASS_BITS`, or one for each segment.
const CLASS_BITS: u32 = 6;
/// Bytes at the beginning of a block.
const HEAD: usize = 9;
/// Bytes behind the last record that may be written to, and the longest record.
pub const LONGEST: usize = 48;
/// More zeros do not come before a number.
const MOST_ZEROS: u32 = 50;
/// Where one in eight places is before the last one, the sign is part of the number.
const OFTEN: u16 = 32;
/// Sixteenths of a bit.
const SIXTEENTHS: u16 = 16;
/// No distance has more bits, with a sign, and this is the most that can be learned.
const MOST_BITS: u32 = NUMBER_BITS + 1;
const MOST_TYPICAL: u16 = MOST_BITS as u16 * SIXTEENTHS + 7;
const MOST_BACKWARD: u16 = 256 + 15;

/// What is known about a state that is not kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    pub origin: Origin,
    /// Without that which the segment says.
    pub signature: u64,
}

/// What writer and reader know from the records so far.
#[derive(Clone, Debug, Default)]
pub struct Code {
    class_bits: u32,
    /// The last predecessor of each class, without the bits of the class.
    last: Vec<u64>,
    /// The largest of them.
    highest: u64,
    /// How many bits a distance has, on average, in sixteenths.
    typical: u16,
    /// Of 256 places how many are before the last one.
    backward: u16,
}

/// One and a half bytes each.
const LEARNED: u16 = (1 << 12) - 1;

impl Code {
    /// Bytes of memory.
    pub fn bytes(segmentation: Segmentation) -> usize {
        size_of::<u64>() << segmentation.bits.min(CLASS_BITS)
    }

    pub fn new(segmentation: Segmentation) -> Self {
        let class_bits = segmentation.bits.min(CLASS_BITS);
        let last = vec![0; 1 << class_bits];
        Code { class_bits, last, highest: 0, typical: 4 * SIXTEENTHS, backward: 0 }
    }

    pub fn is_empty(&self) -> bool {
        self.last.is_empty()
    }

    /// Begins a block; where its first record is, in bits.
    pub fn begin(&mut self, buffer: &mut [u8]) -> usize {
        let learned = u64::from(self.typical & LEARNED) | u64::from(self.backward & LEARNED) << 12;
        let head = u128::from(self.highest) | u128::from(learned) << NUMBER_BITS;
        if let Some(place) = buffer.get_mut(..HEAD) {
            place.copy_from_slice(&head.to_le_bytes()[..HEAD]);
        }
        self.last.fill(self.highest);
        8 * HEAD
    }

    /// The parameter of distances, and whether they have a sign.
    #[inline(always)]
    fn form(&self) -> (u32, bool) {
        let signed = self.backward >= OFTEN;
        (u32::from((self.typical / SIXTEENTHS).saturating_sub(u16::from(!signed))), signed)
    }

    /// Learns from the difference to the last place of a class, and where the next one begins from.
    #[inline(always)]
    fn learn(&mut self, class: u64, place: u64, apart: i64) {
        let bits = (u64::BITS - apart.unsigned_abs().leading_zeros()) as u16;
        self.typical = self.typical - self.typical / 8 + bits * (SIXTEENTHS / 8);
        self.backward = self.backward - self.backward / 16 + if apart < 0 { 16 } else { 0 };
        if let Some(last) = self.last.get_mut(class as usize) {
            *last = place;
        }
        self.highest = self.highest.max(place);
    }

    #[inline(always)]
    fn last(&self, class: u64) -> u64 {
        self.last.get(class as usize).copied().unwrap_or_default()
    }

    /// Writes a record from this bit of a buffer on; where the next one will be.
    #[inline(always)]
    pub fn write(&mut self, buffer: &mut [u8], at: usize, record: Record, signature_bits: u32) -> usize {
        let (parameter, signed) = self.form();
        let mut bits = Writing { buffer, at };
        match record.origin.predecessor() {
            None => {
                bits.number(0, parameter);
                if !signed {
                    bits.put(0, 1);
                }
            }
            Some(StateIndex(number)) => {
                let (class, place) = (number & ((1 << self.class_bits) - 1), number >> self.class_bits);
                let apart = place.wrapping_sub(self.last(class)) as i64;
                match (signed, apart >= 0) {
                    (true, _) => bits.number(((apart << 1 ^ apart >> 63) as u64) + 1, parameter),
                    (false, true) => bits.number(apart as u64 + 1, parameter),
                    (false, false) => {
                        bits.number(0, parameter);
                        bits.put(1, 1);
                        bits.number(!apart as u64, parameter);
                    }
                }
                bits.put(class, self.class_bits);
                self.learn(class, place, apart);
            }
        }
        bits.put(record.signature, signature_bits);
        bits.at
    }
}

struct Writing<'a> {
    buffer: &'a mut [u8],
    at: usize,
}

impl Writing<'_> {
    /// Writes the lowest `count` bits of a number that has no others, 57 at most.
    #[inline(always)]
    fn put(&mut self, value: u64, count: u32) {
        let shift = self.at % 8;
        if let Some(place) = self.buffer.get_mut(self.at / 8..).and_then(|rest| rest.first_chunk_mut::<8>()) {
            // What is behind the last bit is of an earlier block.
            let before = u64::from_le_bytes(*place) & ((1 << shift) - 1);
            *place = (before | value << shift).to_le_bytes();
        }
        self.at += count as usize;
    }

    #[inline(always)]
    fn number(&mut self, value: u64, parameter: u32) {
        let whole = (value >> parameter) + 1;
        let zeros = whole.ilog2();
        let rest = whole ^ 1 << zeros | (value & ((1 << parameter) - 1)) << zeros;
        if 2 * zeros + 1 + parameter <= 57 {
            self.put(1 << zeros | rest << (zeros + 1), 2 * zeros + 1 + parameter);
        } else {
            self.put(1 << zeros, zeros + 1);
            self.put(rest, zeros + parameter);
        }
    }
}

/// The records of a block, one after the other.
pub struct Reading<'a> {
    code: Code,
    bytes: &'a [u8],
    at: usize,
    signature_bits: u32,
}

impl<'a> Reading<'a> {
    /// `None`: this is not the beginning of a block.
    pub fn new(bytes: &'a [u8], segmentation: Segmentation, signature_bits: u32) -> Option<Self> {
        let mut code = Code::new(segmentation);
        let mut head = [0; 16];
        head[..HEAD].copy_from_slice(bytes.get(..HEAD)?);
        let head = u128::from_le_bytes(head);
        code.highest = head as u64 & ((1 << NUMBER_BITS) - 1);
        code.typical = (head >> NUMBER_BITS) as u16 & LEARNED;
        code.backward = (head >> (NUMBER_BITS + 12)) as u16 & LEARNED;
        code.last.fill(code.highest);
        if code.typical > MOST_TYPICAL || code.backward > MOST_BACKWARD {
            return None;
        }
        Some(Reading { code, bytes, at: 8 * HEAD, signature_bits })
    }

    /// Where the next record is, in bits, and what is known by then.
    pub fn end(self) -> (usize, Code) {
        (self.at, self.code)
    }

    /// `None`: the block ends, or is not one.
    pub fn record(&mut self) -> Option<Record> {
        let (parameter, signed) = self.code.form();
        let apart = match (self.number(parameter)?, signed) {
            (0, true) => None,
            (0, false) if self.take(1)? == 0 => None,
            (0, false) => Some(!(self.number(parameter)?) as i64),
            (distance, true) => {
                let zigzag = distance - 1;
                Some((zigzag >> 1 ^ (zigzag & 1).wrapping_neg()) as i64)
            }
            (distance, false) => Some((distance - 1) as i64),
        };
        let origin = match apart {
            None => Origin::START,
            Some(apart) => {
                let class = self.take(self.code.class_bits)?;
                if apart.unsigned_abs() >> MOST_BITS != 0 {
                    return None;
                }
                let place = self.code.last(class).wrapping_add_signed(apart);
                let number = (place << self.code.class_bits | class) & ((1 << NUMBER_BITS) - 1);
                self.code.learn(class, number >> self.code.class_bits, apart);
                Origin::from(StateIndex(number))
            }
        };
        Some(Record { origin, signature: self.take(self.signature_bits)? })
    }

    /// The next bits, 57 of which are there or zero.
    fn ahead(&self) -> u64 {
        let rest = self.bytes.get(self.at / 8..).unwrap_or_default();
        let word = rest.first_chunk::<8>().copied().unwrap_or_else(|| {
            let mut last = [0; 8];
            last.iter_mut().zip(rest).for_each(|(into, &byte)| *into = byte);
            last
        });
        u64::from_le_bytes(word) >> (self.at % 8)
    }

    fn take(&mut self, count: u32) -> Option<u64> {
        let value = self.ahead() & ((1 << count) - 1);
        self.at += count as usize;
        (self.at <= 8 * self.bytes.len()).then_some(value)
    }

    fn number(&mut self, parameter: u32) -> Option<u64> {
        let zeros = self.ahead().trailing_zeros();
        if zeros > MOST_ZEROS || parameter > MOST_ZEROS {
            return None;
        }
        self.take(zeros + 1)?;
        let whole = self.take(zeros)? | 1 << zeros;
        let low = self.take(parameter)?;
        Some((whole - 1) << parameter | low)
    }
}
