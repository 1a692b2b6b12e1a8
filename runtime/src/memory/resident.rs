//! What the system says that this process has in memory, to be compared with what the search has
//! counted.

/// The most bytes that were in memory at any time; `None` where the system does not say.
pub fn peak() -> Option<u64> {
    #[cfg(target_os = "linux")]
    {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
    }
    #[cfg(not(target_os = "linux"))]
    None
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    #[test]
    fn a_process_has_some_memory() {
        assert!(super::peak().is_some_and(|bytes| bytes > 100 << 10));
    }
}
