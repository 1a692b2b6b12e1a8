//! The limit on the size of a file (`ulimit -f`), as an error that can be reported.

/// Makes a write beyond the limit return an error, which is reported like a full disk. By default
/// the system ends the process by a signal, SIGXFSZ.
pub fn ignore_signal() {
    #[cfg(all(unix, not(miri)))]
    // SAFETY: no function of ours is called when the signal comes; it is ignored.
    unsafe {
        libc::signal(libc::SIGXFSZ, libc::SIG_IGN);
    }
}
