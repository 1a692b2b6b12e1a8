//! Rust's allocator, which says in our words that the system has no more memory.
//!
//! Whatever grows with the search asks its [`super::Budget`] first, and gets its memory from
//! [`super::Pages`], which may be refused. What is left are small things: buffers, names, lines of
//! the report. Rust's library ends the process if one of them is refused, by a signal and in words
//! that mean nothing to a user. Here it ends with a message and with an exit code that is
//! documented.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::atomic::{AtomicU8, Ordering};

/// The exit code of `mcc`, whose work could not be done; a verifier has another one.
static EXIT: AtomicU8 = AtomicU8::new(2);

thread_local! {
    /// Whoever asks at the moment can do without.
    static FALLIBLE: Cell<bool> = const { Cell::new(false) };
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// Says which exit code tells that the system has no more memory.
pub fn set_exit_code(code: u8) {
    EXIT.store(code, Ordering::Relaxed);
}

/// Does something that can be told that there is no more memory, as `try_reserve` can.
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

/// Ends the process, unless whoever asked can do without. Nothing here may allocate.
#[cold]
#[inline(never)]
fn refused(bytes: usize) {
    // Threads that are ending have no such variable any more; they cannot do without.
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
    // SAFETY: so many bytes can be read from there. Nothing can be done about an error.
    unsafe { libc::write(libc::STDERR_FILENO, text.as_ptr().cast(), text.len()) };
}

/// Without what is usually done at the end of a process: it may allocate.
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
    fn whoever_can_do_without_is_told() {
        let mut bytes: Vec<u8> = Vec::new();
        assert!(fallible(|| bytes.try_reserve_exact(isize::MAX as usize / 2)).is_err());
        assert!(fallible(|| bytes.try_reserve_exact(100)).is_ok());
    }
}
