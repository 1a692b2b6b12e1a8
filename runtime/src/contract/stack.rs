//! The native stack under a model's rules and functions. Their variables lie on it, and may be
//! large arrays; recursion multiplies them. So a verifier works on a thread whose stack was
//! measured for its model, and recursive functions ask for room before they start: what does not
//! fit is a fault of the model, not a crash of the verifier.

use crate::contract::model::StackUse;
use std::cell::Cell;
use std::thread::{Builder, Scope, ScopedJoinHandle};

/// What everything but the model's variables needs.
const MARGIN: usize = 16 << 20;
/// More than this is not asked of any machine.
const MOST: usize = 64 << 30;

thread_local! {
    /// No function is entered below this address; 0 where the stack's size is not known.
    static LOWEST: Cell<usize> = const { Cell::new(0) };
}

/// Does the work on a stack with room for the model at `depth` nested calls, or for as many as the
/// machine allows.
pub fn with_room<T: Send>(need: StackUse, depth: u32, work: &(impl Fn() -> T + Sync)) -> T {
    let worked = std::thread::scope(|scope| {
        let thread = spawn(scope, need, depth, work)?;
        match thread.join() {
            Ok(result) => Some(result),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    worked.unwrap_or_else(work)
}

/// Starts a thread with such a stack. `None`: the system refuses.
pub fn spawn<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    need: StackUse,
    depth: u32,
    work: impl Fn() -> T + Send + Clone + 'scope,
) -> Option<ScopedJoinHandle<'scope, T>> {
    // Twice, because a value is often built in one place and then moved to another.
    let frames = need.frames.saturating_mul(2).saturating_add(MARGIN);
    let calls = need.recursion.saturating_mul(2).saturating_mul(depth as usize);
    let mut size = frames.saturating_add(calls).min(MOST);
    while size >= frames.min(MOST) / 2 && size >= MARGIN / 2 {
        let work = work.clone();
        let limited = move || {
            LOWEST.set(here().saturating_sub(size).saturating_add(frames.min(size / 2)));
            work()
        };
        let thread = Builder::new().name("search".to_owned()).stack_size(size).spawn_scoped(scope, limited);
        if let Ok(thread) = thread {
            return Some(thread);
        }
        size /= 2;
    }
    None
}

/// Whether there is room for one more call.
#[inline]
pub fn has_room() -> bool {
    here() >= LOWEST.get()
}

/// An address near the end of the stack in use. Stacks grow downwards on every machine that Rust's
/// library knows.
#[inline]
fn here() -> usize {
    let local = 0u8;
    std::hint::black_box(&raw const local).addr()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dig(depth: u32) -> u32 {
        let filler = std::hint::black_box([0u8; 1 << 12]);
        if !has_room() || depth == 0 { u32::from(filler[7]) } else { 1 + dig(depth - 1) }
    }

    #[test]
    fn recursion_ends_before_the_stack_does() {
        let need = StackUse { frames: 1 << 12, recursion: 1 << 12 };
        assert_eq!(with_room(need, 1000, &|| dig(1000)), 1000);
        assert!(with_room(need, 1000, &|| dig(u32::MAX)) < 100_000);
    }
}
