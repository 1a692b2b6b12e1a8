//! The global allocator: when the system refuses memory, the process ends with a message and a
//! documented exit code.
//!
//! Everything that grows with the search asks its [`super::Budget`] first, and gets its memory from
//! [`super::Pages`], which may be refused. The rest are small allocations: buffers, names, lines of
//! the report. When one of them is refused, Rust's library would end the process by a signal, with
//! a message that means nothing to a user.
#![cfg_attr(not(feature = "allocator"), allow(dead_code))]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

/// Exit code when memory is refused: 2 for `mcc`; verifiers set another one.
static EXIT: AtomicU8 = AtomicU8::new(2);

thread_local! {
    /// Whether this thread handles a refused allocation itself.
    static FALLIBLE: Cell<bool> = const { Cell::new(false) };
}

// A program that a model is embedded into has an allocator of its own choice.
#[cfg(feature = "allocator")]
#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Sets the exit code for the case that the system has no more memory.
pub fn set_exit_code(code: u8) {
    EXIT.store(code, Ordering::Relaxed);
}

/// Runs code that handles refused allocations itself, such as a call of `try_reserve`.
pub fn fallible<T>(work: impl FnOnce() -> T) -> T {
    let before = FALLIBLE.replace(true);
    let result = work();
    FALLIBLE.set(before);
    result
}

struct Allocator;

impl Allocator {
    #[inline(always)]
    fn checked(&self, start: *mut u8, bytes: usize) -> *mut u8 {
        if start.is_null() {
            refused(bytes);
        }
        start
    }
}

// SAFETY: everything is passed on to the system's allocator, which fulfils the contract; the
// process ends, or its answers are passed back as they are.
unsafe impl GlobalAlloc for Allocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises about the layout are those that the system's allocator asks
        // for.
        self.checked(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        self.checked(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the block came from the system's allocator, with this layout.
        unsafe { System.dealloc(start, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: the block came from the system's allocator, with this layout, and the caller's
        // promises about the size are passed on.
        self.checked(unsafe { System.realloc(start, layout, size) }, size)
    }
}

/// Ends the process, unless the caller handles refused allocations. Nothing here may allocate.
#[cold]
#[inline(never)]
fn refused(bytes: usize) {
    // The variable of a thread that is ending is gone; such threads do not handle refusals.
    if FALLIBLE.try_with(Cell::get).unwrap_or(false) {
        return;
    }
    let mut digits = [0; 20];
    for part in [
        b"error: the system refuses ".as_slice(),
        decimal(bytes, &mut digits),
        b" bytes of memory, which is not the limit of --memory\n\n  \
          try: a larger limit of this shell (ulimit -v) or of the control group, a smaller --memory, or a machine with more memory\n",
    ] {
        complain(part);
    }
    end(EXIT.load(Ordering::Relaxed));
}

/// A number as it is written.
fn decimal(mut number: usize, digits: &mut [u8; 20]) -> &[u8] {
    let mut at = digits.len();
    while at > 0 && (number > 0 || at == digits.len()) {
        at -= 1;
        digits[at] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    &digits[at..]
}

#[cfg(unix)]
fn complain(text: &[u8]) {
    // SAFETY: `text` has `text.len()` readable bytes. An error of the write cannot be handled.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}

/// Ends the process without running exit handlers, which may allocate.
#[cfg(unix)]
fn end(code: u8) -> ! {
    // SAFETY: it takes a number, and does not come back.
    unsafe { libc::_exit(i32::from(code)) }
}

#[cfg(not(unix))]
fn complain(text: &[u8]) {
    let _ = std::io::Write::write_all(&mut std::io::stderr(), text);
}

#[cfg(not(unix))]
fn end(code: u8) -> ! {
    std::process::exit(i32::from(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_without_memory() {
        for number in [0, 7, 10, 4096, usize::MAX] {
            assert_eq!(decimal(number, &mut [0; 20]), number.to_string().as_bytes());
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri has no allocation that is refused")]
    fn callers_that_handle_refusals_get_an_error() {
        let mut bytes: Vec<u8> = Vec::new();
        assert!(fallible(|| bytes.try_reserve_exact(isize::MAX as usize / 2)).is_err());
        assert!(fallible(|| bytes.try_reserve_exact(100)).is_ok());
    }
}
