//! Ways to compare a cache line with one value: which of them a processor has.
//!
//! The tables of states and of signatures have a trait each for what they do with a line, and
//! fulfil it for each of these types.

/// On every processor that the program runs on.
pub struct Anywhere;

/// With a register for a whole line.
#[cfg(target_arch = "x86_64")]
pub struct Wide;

#[cfg(target_arch = "x86_64")]
impl Wide {
    /// Whether this processor has it.
    #[inline]
    pub fn is_there() -> bool {
        is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
    }
}
