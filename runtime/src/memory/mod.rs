//! The memory of a search: the budget that the user sets, big zeroed pages, and allocators on top
//! of them, for pieces that never move, blocks that change owners, and tables that grow by moving.

pub(crate) mod account;
pub(crate) mod allocator;
pub(crate) mod allowance;
pub(crate) mod block;
pub(crate) mod budget;
pub(crate) mod pages;
pub(crate) mod pool;
pub(crate) mod resident;
pub(crate) mod slabs;

pub use account::{Account, counted};
pub use allowance::Allowance;
pub use block::Block;
pub use budget::{Budget, MemoryError};
pub use pages::Pages;
pub use pool::Pool;
pub use slabs::Slabs;

/// Asks the processor to have this address in its caches soon.
#[inline(always)]
pub fn prefetch<T>(address: *const T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a prefetch has no effect but on speed, whatever the address.
    unsafe {
        std::arch::x86_64::_mm_prefetch::<{ std::arch::x86_64::_MM_HINT_T0 }>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
