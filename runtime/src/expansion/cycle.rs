//! Noticing that a path through states with one successor each has come back to where it was.
//!
//! A set of the states of the path would do, and grows with it. Here it is one state, the *mark*,
//! which is moved on to where the path is whenever the path has become twice as long (Brent). In a
//! cycle it is met before the path has gone round three times, and nothing else is kept.

/// Notices that a path goes in a cycle.
#[derive(Debug, Default)]
pub struct CycleDetector {
    mark: Vec<u64>,
    steps: u64,
}

impl CycleDetector {
    /// A path begins here.
    pub fn begin(&mut self, state: &[u64]) {
        self.steps = 0;
        self.put(state);
    }

    /// Whether the path has been in this state, as far as the mark shows.
    pub fn is_met(&mut self, state: &[u64]) -> bool {
        if self.mark == state {
            return true;
        }
        self.steps += 1;
        if self.steps.is_power_of_two() {
            self.put(state);
        }
        false
    }

    fn put(&mut self, state: &[u64]) {
        self.mark.clear();
        self.mark.extend_from_slice(state);
    }

    /// Bytes of its memory.
    pub fn bytes(&self) -> u64 {
        super::portion::bytes_of(&self.mark)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// However long the path into a cycle and the cycle are, it is noticed, and not before every
    /// state in it was seen.
    #[test]
    fn cycles_are_noticed_in_time() {
        for tail in 0..40u64 {
            for cycle in 1..40u64 {
                let next = |state: u64| if state + 1 == tail + cycle { tail } else { state + 1 };
                let mut detector = CycleDetector::default();
                detector.begin(&[0]);
                let (mut state, mut seen, mut steps) = (0, vec![0], 0);
                while !detector.is_met(&[next(state)]) {
                    state = next(state);
                    steps += 1;
                    seen.push(state);
                    assert!(steps <= 3 * (tail + cycle) + 3, "{tail} {cycle}");
                }
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len() as u64, tail + cycle, "{tail} {cycle}");
            }
        }
    }
}
