//! The building blocks of the byte-aligned layout: what generated code reads and writes.
//!
//! Every value is made of [`Cell`]s of bytes. So a state can be changed through shared references,
//! and an alias or a `var` parameter is a plain `&T` that may overlap with any other, as in Murphi,
//! without a borrow to fight and without unsafe code in the model. Alignment is one throughout, so
//! nothing has padding: two states are equal exactly when their bytes are.

pub use super::multiset::{Multiset, Slot};
use crate::contract::context::Context;
use crate::contract::fault::Fault;
use std::cell::Cell;
use std::mem::{MaybeUninit, size_of};
use std::{ptr, slice};

/// A type that lies in a state.
///
/// # Safety
/// Alignment 1, no padding, every byte inside an `UnsafeCell`, and every pattern of bytes is valid.
pub unsafe trait Storage: Sized {
    /// A fresh value whose parts are all undefined (multisets: empty).
    #[inline]
    fn undefined() -> Self {
        // SAFETY: every pattern of bytes is valid, zeros too.
        unsafe { MaybeUninit::zeroed().assume_init() }
    }

    /// Makes every part undefined.
    #[inline]
    fn undefine(&self) {
        // SAFETY: all bytes are inside `UnsafeCell`s, and zeros are valid.
        unsafe { ptr::write_bytes(ptr::from_ref(self).cast_mut(), 0, 1) }
    }

    /// Takes over another value; the two may overlap.
    #[inline]
    fn copy_from(&self, other: &Self) {
        // SAFETY: all bytes are inside `UnsafeCell`s; `ptr::copy` allows overlap.
        unsafe { ptr::copy(ptr::from_ref(other), ptr::from_ref(self).cast_mut(), 1) }
    }

    /// A copy with storage of its own.
    #[inline]
    fn duplicate(&self) -> Self {
        // SAFETY: there is no padding and no ownership in it.
        unsafe { ptr::read(self) }
    }

    /// Gives every part its smallest value; empties multisets.
    fn clear(&self);

    /// Brings the bags in it into the order that stands for them, see [`Multiset::sort`].
    #[inline]
    fn normalise(&self) {}

    /// Sorts the bags that differ from `before`, a value in which all bags were sorted. Elements of
    /// arrays that have not changed are still sorted.
    #[inline]
    fn normalise_since(&self, _before: &Self) {
        self.normalise();
    }

    /// Empties the slots of bags from which something was removed, and leaves all others where they
    /// are.
    #[inline]
    fn tidy(&self) {}

    /// Whether nothing in it is defined.
    fn is_all_undefined(&self) -> bool {
        // SAFETY: the slice does not outlive the expression, in which nothing is written.
        unsafe { self.bytes() }.iter().all(|byte| *byte == 0)
    }

    /// Byte for byte the same; undefined parts are the same as undefined parts.
    #[inline]
    fn same(&self, other: &Self) -> bool {
        // SAFETY: the slices do not outlive the expression, in which nothing is written.
        unsafe { self.bytes() == other.bytes() }
    }

    /// The bytes as they are now.
    ///
    /// # Safety
    /// As long as the slice is in use, nothing may be written to this value, through whatever
    /// reference.
    #[inline]
    unsafe fn bytes(&self) -> &[u8] {
        // SAFETY: the trait promises that there is no padding, so all bytes are initialised; they
        // are alive as long as `self` is borrowed, and by the contract of this function nobody
        // writes to them meanwhile.
        unsafe { slice::from_raw_parts(ptr::from_ref(self).cast(), size_of::<Self>()) }
    }

    /// A copy of its bytes.
    fn copied_bytes(&self) -> Vec<u8> {
        // SAFETY: the slice does not outlive the expression, in which nothing is written to this
        // value.
        unsafe { self.bytes() }.to_vec()
    }
}

/// The whole state of a model.
///
/// # Safety
/// As [`Storage`], but with alignment 8 and a size that is a multiple of 8.
pub unsafe trait Layout: Sized {
    const WORDS: usize = size_of::<Self>() / 8;

    /// Sees words as a state.
    ///
    /// The slice must have [`Layout::WORDS`] words: anything else is a mistake of the engines, and
    /// panics.
    #[inline(always)]
    fn view(words: &mut [u64]) -> &Self {
        assert!(words.len() == Self::WORDS, "a state of another model");
        // SAFETY: size was checked, `u64` gives the alignment, every pattern is valid, and the
        // exclusive borrow lives as long as the view.
        unsafe { &*words.as_mut_ptr().cast() }
    }

    /// The words as they are now.
    ///
    /// # Safety
    /// As long as the slice is in use, nothing may be written to this state, through whatever
    /// reference.
    #[inline(always)]
    unsafe fn words(&self) -> &[u64] {
        // SAFETY: size and alignment by the trait, and no padding, so all words are initialised;
        // they are alive as long as `self` is borrowed, and by the contract of this function nobody
        // writes to them meanwhile.
        unsafe { slice::from_raw_parts(ptr::from_ref(self).cast(), Self::WORDS) }
    }

    /// Appends a copy of the words.
    #[inline(always)]
    fn append_to(&self, words: &mut Vec<u64>) {
        // SAFETY: the slice is copied, and gone before anything can be written. The vector does not
        // overlap with it: it is borrowed exclusively, and moved elsewhere at most.
        words.extend_from_slice(unsafe { self.words() });
    }

    /// A copy of the words.
    #[inline]
    fn copied(&self) -> Vec<u64> {
        let mut words = Vec::with_capacity(Self::WORDS);
        self.append_to(&mut words);
        words
    }

    /// Whether these are the words of the state.
    #[inline(always)]
    fn is(&self, words: &[u64]) -> bool {
        // SAFETY: the slice does not outlive the expression, in which nothing is written.
        words == unsafe { self.words() }
    }
}

/// A place for a simple value, see [`crate::contract::model::Simple`].
pub trait SimpleCell: Storage {
    /// The value, or `None` for undefined.
    fn value(&self) -> Option<i64>;

    /// The caller has checked that the value is in range.
    fn set(&self, value: i64);

    #[inline(always)]
    fn get(&self, site: u32) -> Result<i64, Fault> {
        match self.value() {
            Some(value) => Ok(value),
            None => Err(Fault::at(site)),
        }
    }

    #[inline(always)]
    fn is_undefined(&self) -> bool {
        self.value().is_none()
    }

    /// Takes over "undefined" from the variable at `site`, unless that is forbidden.
    #[cold]
    fn copy_undefined(&self, context: &Context, site: u32) -> Result<(), Fault> {
        if context.strict_undefined {
            return Err(Fault::at(site));
        }
        self.undefine();
        Ok(())
    }
}

macro_rules! cells {
    ($($(#[$doc:meta])* $name:ident: $number:ty, $bytes:literal;)*) => { $(
        $(#[$doc])*
        #[repr(transparent)]
        #[derive(Debug)]
        pub struct $name<const LOW: i64>(Cell<[u8; $bytes]>);

        // SAFETY: a cell of bytes.
        unsafe impl<const LOW: i64> Storage for $name<LOW> {
            #[inline(always)]
            fn clear(&self) {
                self.set(LOW);
            }
        }

        impl<const LOW: i64> $name<LOW> {
            /// A fresh cell with a value.
            #[inline(always)]
            pub fn new(value: i64) -> Self {
                let cell = Self::undefined();
                cell.set(value);
                cell
            }
        }

        impl<const LOW: i64> SimpleCell for $name<LOW> {
            #[inline(always)]
            fn value(&self) -> Option<i64> {
                match <$number>::from_le_bytes(self.0.get()) {
                    0 => None,
                    stored => Some((stored as i64).wrapping_sub(1).wrapping_add(LOW)),
                }
            }

            #[inline(always)]
            fn set(&self, value: i64) {
                self.0.set((value.wrapping_sub(LOW).wrapping_add(1) as $number).to_le_bytes());
            }
        }
    )* };
}

cells! {
    /// A simple value in one byte, at least `LOW`.
    One: u8, 1;
    /// A simple value in two bytes, at least `LOW`.
    Two: u16, 2;
    /// A simple value in four bytes, at least `LOW`.
    Four: u32, 4;
    /// A simple value in eight bytes, at least `LOW`.
    Eight: u64, 8;
}

/// A simple value of a type that fills 64 bits, so that "undefined" needs a byte of its own.
#[repr(C)]
#[derive(Debug)]
pub struct Nine<const LOW: i64> {
    defined: Cell<u8>,
    offset: Cell<[u8; 8]>,
}

// SAFETY: cells of bytes.
unsafe impl<const LOW: i64> Storage for Nine<LOW> {
    #[inline(always)]
    fn clear(&self) {
        self.set(LOW);
    }
}

impl<const LOW: i64> Nine<LOW> {
    /// A fresh cell with a value.
    #[inline(always)]
    pub fn new(value: i64) -> Self {
        let cell = Self::undefined();
        cell.set(value);
        cell
    }
}

impl<const LOW: i64> SimpleCell for Nine<LOW> {
    #[inline(always)]
    fn value(&self) -> Option<i64> {
        match self.defined.get() {
            0 => None,
            _ => Some((u64::from_le_bytes(self.offset.get()) as i64).wrapping_add(LOW)),
        }
    }

    #[inline(always)]
    fn set(&self, value: i64) {
        self.defined.set(1);
        self.offset.set((value.wrapping_sub(LOW) as u64).to_le_bytes());
    }
}

/// `array [LOW .. LOW + N - 1] of T`, in the numbering of the index type.
#[repr(transparent)]
#[derive(Debug)]
pub struct Array<T, const N: usize, const LOW: i64>([T; N]);

// SAFETY: an array of such types.
unsafe impl<T: Storage, const N: usize, const LOW: i64> Storage for Array<T, N, LOW> {
    #[inline]
    fn clear(&self) {
        self.0.iter().for_each(T::clear);
    }

    #[inline]
    fn normalise(&self) {
        self.0.iter().for_each(T::normalise);
    }

    #[inline]
    fn normalise_since(&self, before: &Self) {
        for (now, before) in self.0.iter().zip(&before.0) {
            // A rule changes few of them. What is no array it has probably changed: asking would
            // only cost time.
            if !now.same(before) {
                now.normalise_since(before);
            }
        }
    }

    #[inline]
    fn tidy(&self) {
        self.0.iter().for_each(T::tidy);
    }
}

impl<T: Storage, const N: usize, const LOW: i64> Array<T, N, LOW> {
    /// The element at an index that may be outside.
    #[inline(always)]
    pub fn at(&self, index: i64, site: u32) -> Result<&T, Fault> {
        match self.0.get(index.wrapping_sub(LOW) as usize) {
            Some(element) => Ok(element),
            None => Err(Fault::with(site, index)),
        }
    }

    /// The element at an index that the compiler has shown to be inside.
    #[inline(always)]
    pub fn item(&self, index: i64) -> &T {
        &self.0[index.wrapping_sub(LOW) as usize]
    }

    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.0.iter()
    }
}

/// Whether two values are the same where bags count as bags.
pub fn same_normalised<T: Storage>(left: &T, right: &T) -> bool {
    let (left, right) = (left.duplicate(), right.duplicate());
    left.normalise();
    right.normalise();
    left.same(&right)
}
