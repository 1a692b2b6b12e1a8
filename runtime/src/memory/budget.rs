//! The memory that a search may use, and what it uses.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory cannot be had: the limit is reached, or the system refuses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryError;

impl fmt::Display for MemoryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("out of memory")
    }
}

impl std::error::Error for MemoryError {}

/// Memory is scarce once less than this fraction of the limit, one part in eight, is left.
const RESERVE: u64 = 8;

/// Bytes that may be used, shared by everything in a search that grows.
#[derive(Debug)]
pub struct Budget {
    limit: u64,
    used: AtomicU64,
    peak: AtomicU64,
    /// The largest request that the system refused although the limit allows it.
    refused: AtomicU64,
}

impl Budget {
    pub fn new(limit: u64) -> Self {
        Budget { limit, used: AtomicU64::new(0), peak: AtomicU64::new(0), refused: AtomicU64::new(0) }
    }

    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Asks for `bytes` before they are used.
    pub fn take(&self, bytes: u64) -> Result<(), MemoryError> {
        let taken = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|&used| used <= self.limit)
        });
        match taken {
            Ok(before) => {
                self.peak.fetch_max(before + bytes, Ordering::Relaxed);
                Ok(())
            }
            Err(_) => Err(MemoryError),
        }
    }

    /// Gives back what was taken.
    pub fn give_back(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Gives back bytes that were taken from the budget but refused by the system.
    pub fn refuse(&self, bytes: u64) -> MemoryError {
        self.give_back(bytes);
        self.refused.fetch_max(bytes.max(1), Ordering::Relaxed);
        MemoryError
    }

    /// The bytes of a request that the system refused although the limit allows it.
    pub fn refused(&self) -> Option<u64> {
        Some(self.refused.load(Ordering::Relaxed)).filter(|&bytes| bytes > 0)
    }

    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    /// Whether memory now counts more than speed, so that pages which are resident but not in use
    /// go back to the system.
    pub fn is_scarce(&self) -> bool {
        self.used() >= self.limit - self.limit / RESERVE
    }

    /// Takes a peak of an earlier part of the search into account.
    pub fn raise_peak(&self, bytes: u64) {
        self.peak.fetch_max(bytes, Ordering::Relaxed);
    }

    /// The most that was used at any time.
    pub fn peak(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }
}

/// The default limit: 80 % of the machine's memory, or of what the control group allows.
pub fn default_limit() -> u64 {
    // Settings are made several times before a search, and the system takes its time to answer.
    static AVAILABLE: OnceLock<u64> = OnceLock::new();
    AVAILABLE.get_or_init(available).saturating_mul(4) / 5
}

#[cfg(target_os = "linux")]
fn available() -> u64 {
    let physical = read_number("/proc/meminfo", |text| {
        let line = text.lines().find(|line| line.starts_with("MemTotal:"))?;
        line.split_whitespace().nth(1)?.parse::<u64>().ok()?.checked_mul(1024)
    });
    let physical = physical.unwrap_or(4 << 30);
    let group = ["/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"]
        .into_iter()
        .find_map(|path| read_number(path, |text| text.trim().parse().ok()));
    group.map_or(physical, |limit| limit.min(physical))
}

#[cfg(target_os = "linux")]
fn read_number(path: &str, find: impl FnOnce(&str) -> Option<u64>) -> Option<u64> {
    find(&std::fs::read_to_string(path).ok()?)
}

#[cfg(all(unix, not(target_os = "linux")))]
fn available() -> u64 {
    // SAFETY: `sysconf` reads no memory of ours.
    let (pages, size) = unsafe { (libc::sysconf(libc::_SC_PHYS_PAGES), libc::sysconf(libc::_SC_PAGESIZE)) };
    match (u64::try_from(pages), u64::try_from(size)) {
        (Ok(pages), Ok(size)) => pages.saturating_mul(size),
        _ => 4 << 30,
    }
}

#[cfg(not(unix))]
fn available() -> u64 {
    4 << 30
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_holds_and_the_peak_stays() {
        let budget = Budget::new(100);
        assert_eq!(budget.take(60), Ok(()));
        assert_eq!(budget.take(41), Err(MemoryError));
        assert_eq!(budget.take(40), Ok(()));
        budget.give_back(100);
        assert_eq!((budget.used(), budget.peak()), (0, 100));
        assert_eq!(budget.take(u64::MAX), Err(MemoryError));
    }

    #[test]
    fn memory_is_scarce_near_the_limit() {
        let budget = Budget::new(80);
        assert_eq!(budget.take(69), Ok(()));
        assert!(!budget.is_scarce());
        assert_eq!(budget.take(1), Ok(()));
        assert!(budget.is_scarce());
        assert!(!Budget::new(u64::MAX).is_scarce());
    }

    #[test]
    fn the_default_is_some_memory() {
        assert!(default_limit() > 1 << 20);
    }
}
