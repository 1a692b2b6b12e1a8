//! Zeroed memory straight from the system, in big pages where it offers them.

use super::allocator::fallible;
use std::ptr::NonNull;

/// Big pages begin to pay from here on; it is also their size.
const BIG: usize = 2 << 20;

/// A block of zeroed memory that never moves.
#[derive(Debug)]
pub struct Pages {
    start: NonNull<u8>,
    source: Source,
}

#[derive(Debug)]
enum Source {
    #[cfg(all(unix, not(miri)))]
    Mapped {
        base: NonNull<u8>,
        bytes: usize,
        /// From the first byte of the block.
        usable: usize,
    },
    Allocated {
        layout: std::alloc::Layout,
    },
}

// SAFETY: the block belongs to its owner alone; whoever shares it decides how.
unsafe impl Send for Pages {}
// SAFETY: as above; a shared reference gives out nothing but an address.
unsafe impl Sync for Pages {}

impl Pages {
    /// A zeroed block of at least `bytes`, aligned to 64 bytes at least. `None`: the system refuses.
    pub fn zeroed(bytes: usize) -> Option<Pages> {
        // Miri knows no big pages, and no advice about them.
        #[cfg(all(unix, not(miri)))]
        if bytes >= BIG {
            let pages = Self::mapped(bytes)?;
            pages.ask_for_big();
            return Some(pages);
        }
        Self::allocated(bytes)
    }

    /// The same in small pages, for a block that may never be used wholly: of a big page, one byte takes all the memory.
    pub fn zeroed_small(bytes: usize) -> Option<Pages> {
        #[cfg(all(unix, not(miri)))]
        if bytes >= BIG {
            return Self::mapped(bytes);
        }
        Self::allocated(bytes)
    }

    fn allocated(bytes: usize) -> Option<Pages> {
        let layout = std::alloc::Layout::from_size_align(bytes.max(64), 64).ok()?;
        // SAFETY: the size is not zero.
        let start = fallible(|| NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) }))?;
        Some(Pages { start, source: Source::Allocated { layout } })
    }

    #[cfg(all(unix, not(miri)))]
    fn mapped(bytes: usize) -> Option<Pages> {
        // One big page more than needed, so that the block can begin where a big page does. What is
        // never touched takes no memory.
        let length = bytes.checked_add(BIG)?;
        // SAFETY: a fresh private mapping; the arguments are those that the manual asks for.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return None;
        }
        let base = NonNull::new(base.cast::<u8>())?;
        let skip = base.as_ptr().align_offset(BIG);
        // SAFETY: `align_offset` is below `BIG`, and the mapping has `BIG` bytes to spare.
        let start = unsafe { base.add(skip) };
        Some(Pages { start, source: Source::Mapped { base, bytes: length, usable: bytes } })
    }

    /// Asks for big pages from now on, where the block is large enough to have some.
    pub fn ask_for_big(&self) {
        #[cfg(all(target_os = "linux", not(miri)))]
        if let Source::Mapped { usable, .. } = self.source {
            // Whole ones only: of another one at the end a part would never be used.
            let whole = usable / BIG * BIG;
            // SAFETY: the range lies inside the mapping. It is only advice, so the answer does not matter.
            unsafe {
                libc::madvise(self.start.as_ptr().cast(), whole, libc::MADV_HUGEPAGE);
            }
        }
    }

    #[inline(always)]
    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        match self.source {
            #[cfg(all(unix, not(miri)))]
            // SAFETY: exactly the range that was mapped; nobody uses it any more.
            Source::Mapped { base, bytes, .. } => unsafe {
                libc::munmap(base.as_ptr().cast(), bytes);
            },
            // SAFETY: allocated with this layout.
            Source::Allocated { layout } => unsafe { std::alloc::dealloc(self.start.as_ptr(), layout) },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_zero_and_writable_to_the_end() {
        for bytes in [1, 64, 4096, BIG - 1, BIG, 3 * BIG + 5] {
            let pages = Pages::zeroed(bytes).unwrap();
            assert_eq!(pages.start() as usize % 64, 0);
            for at in [0, bytes / 2, bytes - 1] {
                // SAFETY: inside the block.
                assert_eq!(unsafe { *pages.start().add(at) }, 0);
            }
            for at in [0, bytes / 2, bytes - 1] {
                // SAFETY: inside the block.
                unsafe { *pages.start().add(at) = 7 };
            }
        }
    }

    #[test]
    fn too_much_is_refused_not_fatal() {
        assert!(Pages::zeroed(usize::MAX / 2).is_none());
        assert!(Pages::zeroed(usize::MAX).is_none());
    }
}
