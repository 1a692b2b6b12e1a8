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

// SAFETY: the block belongs to its owner alone; its owner decides how it is shared.
unsafe impl Send for Pages {}
// SAFETY: as above; a shared reference gives out nothing but an address.
unsafe impl Sync for Pages {}

impl Pages {
    /// A zeroed block of at least `bytes`, aligned to 64 bytes at least. `None`: the system
    /// refuses.
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

    /// A zeroed block in small pages, for one that may never be used wholly: of a big page, one
    /// byte takes all the memory.
    pub fn zeroed_small(bytes: usize) -> Option<Pages> {
        #[cfg(all(unix, not(miri)))]
        if bytes >= BIG {
            let pages = Self::mapped(bytes)?;
            pages.ask_for_small();
            return Some(pages);
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
            // SAFETY: the range lies inside the mapping. It is only advice, so the answer does not
            // matter.
            unsafe {
                libc::madvise(self.start.as_ptr().cast(), whole, libc::MADV_HUGEPAGE);
            }
        }
    }

    /// Asks for small pages from now on, also on systems that use big ones unasked. Big pages that
    /// are there already stay.
    pub fn ask_for_small(&self) {
        #[cfg(all(target_os = "linux", not(miri)))]
        if let Source::Mapped { base, bytes, .. } = self.source {
            // SAFETY: the range is the whole mapping. It is only advice, so the answer does not
            // matter.
            unsafe {
                libc::madvise(base.as_ptr().cast(), bytes, libc::MADV_NOHUGEPAGE);
            }
        }
    }

    /// Gives the memory behind a part of the block back to the system, where that is possible. The
    /// part may be used again, but what it contains is lost.
    ///
    /// # Safety
    /// Nobody uses this part of the block, and it lies inside the block.
    pub unsafe fn release(&self, offset: usize, bytes: usize) {
        #[cfg(all(target_os = "linux", not(miri)))]
        if let Source::Mapped { usable, .. } = self.source {
            debug_assert!(offset + bytes <= usable);
            // The system rounds up to whole pages of its own size, and what lies behind is in use.
            let page = page_bytes();
            let (first, end) = (offset.next_multiple_of(page), (offset + bytes) / page * page);
            if first < end {
                // SAFETY: whole pages inside the part, which nobody uses; blocks that were mapped
                // begin where a page does. If it fails, the memory stays.
                unsafe {
                    libc::madvise(self.start.add(first).as_ptr().cast(), end - first, libc::MADV_DONTNEED);
                }
            }
        }
        #[cfg(not(all(target_os = "linux", not(miri))))]
        let _ = (offset, bytes);
    }

    #[inline(always)]
    pub fn start(&self) -> *mut u8 {
        self.start.as_ptr()
    }
}

/// Bytes of a small page.
#[cfg(all(target_os = "linux", not(miri)))]
fn page_bytes() -> usize {
    // SAFETY: `sysconf` reads no memory of ours.
    let bytes = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    // With pages that are larger than any block nothing is given back.
    usize::try_from(bytes).ok().filter(|bytes| bytes.is_power_of_two()).unwrap_or(1 << 40)
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
    fn what_is_released_is_all_that_is_lost() {
        for (pages, bytes) in [(Pages::zeroed(2 * BIG), 2 * BIG), (Pages::zeroed_small(BIG), BIG)] {
            let pages = pages.unwrap();
            // SAFETY: the block has `bytes` bytes, and only this test uses them.
            let contents = || unsafe { std::slice::from_raw_parts_mut(pages.start(), bytes) };
            contents().fill(7);
            let (first, end) = (bytes / 4 + 1, bytes / 2 + 1000);
            // SAFETY: inside the block, and used by nobody.
            unsafe { pages.release(first, end - first) };
            assert!(contents()[..first].iter().all(|&byte| byte == 7));
            assert!(contents()[end..].iter().all(|&byte| byte == 7));
            if cfg!(all(target_os = "linux", not(miri))) {
                assert_eq!(contents()[bytes * 3 / 8], 0);
            }
            contents().fill(9);
        }
    }

    #[test]
    fn too_much_is_refused_not_fatal() {
        assert!(Pages::zeroed(usize::MAX / 2).is_none());
        assert!(Pages::zeroed(usize::MAX).is_none());
    }
}
