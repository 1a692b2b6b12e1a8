//! Models may nest deeply, and so does the code that walks them. Only what is used of a stack takes
//! memory.

use std::thread;

use super::error::Error;

/// Tried from the first to the last, until the system grants one.
pub const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 64 << 20];

/// Does the work on a thread whose stack is as large as the machine allows.
pub fn on_large_stack<T: Send>(work: impl Fn() -> T + Send + Sync) -> Result<T, Error> {
    let worked = thread::scope(|scope| {
        let spawn = |size: &usize| thread::Builder::new().stack_size(*size).spawn_scoped(scope, &work).ok();
        match STACK_SIZES.iter().find_map(spawn) {
            Some(worker) => worker.join().ok(),
            None => Some(work()),
        }
    });
    worked.ok_or_else(|| Error::Internal("the compiler panicked; its message is above".to_owned()))
}
