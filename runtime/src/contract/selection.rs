//! Which instances of a ruleset to try: those whose place holds the value that the guard asks for.

/// For each value, from `LOW` on, the instances whose place holds it.
///
/// An instance whose place is undefined is among the holders of every value: the guard that reads
/// it is an error, which must be found.
#[derive(Clone, Copy, Debug)]
pub struct Holders<const LOW: i64, const VALUES: usize> {
    undefined: u64,
    holders: [u64; VALUES],
}

impl<const LOW: i64, const VALUES: usize> Default for Holders<LOW, VALUES> {
    #[inline(always)]
    fn default() -> Self {
        Holders { undefined: 0, holders: [0; VALUES] }
    }
}

impl<const LOW: i64, const VALUES: usize> Holders<LOW, VALUES> {
    /// The place of the instance with this number (below 64) holds this value. Values that no rule
    /// asks for are not recorded.
    #[inline(always)]
    pub fn add(&mut self, instance: usize, value: Option<i64>) {
        let bit = 1u64 << instance;
        match value {
            None => self.undefined |= bit,
            Some(value) => {
                if let Some(holders) = self.holders.get_mut(value.wrapping_sub(LOW) as usize) {
                    *holders |= bit;
                }
            }
        }
    }

    /// The instances to try where a guard asks for this value, if there are any.
    #[inline(always)]
    pub fn of(&self, value: i64) -> Option<Selected> {
        let holders = self.holders.get(value.wrapping_sub(LOW) as usize).copied().unwrap_or(0);
        Selected::some(holders | self.undefined)
    }
}

/// For which instances a question has the answer that rules want.
///
/// Where it has none, because the place is undefined, the rules are tried: the guard is in error,
/// whatever else it asks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Gate {
    undefined: u64,
    open: u64,
}

impl Gate {
    /// The answer for the instance with this number (below 64).
    #[inline(always)]
    pub fn add(&mut self, instance: usize, answer: Option<bool>) {
        self.undefined |= u64::from(answer.is_none()) << instance;
        self.open |= u64::from(answer == Some(true)) << instance;
    }

    /// The instances to try, if there are any.
    #[inline(always)]
    pub fn open(&self) -> Option<Selected> {
        Selected::some(self.undefined | self.open)
    }

    /// The instances to try where the guard asks for more, if there are any: `others` are those to
    /// try because of that.
    #[inline(always)]
    pub fn among(&self, others: Option<Selected>) -> Option<Selected> {
        let Selected(others) = others.unwrap_or(Selected(0));
        Selected::some(self.undefined | (self.open & others))
    }
}

/// Numbers of instances, from the smallest on.
#[derive(Clone, Copy, Debug)]
pub struct Selected(u64);

impl Selected {
    #[inline(always)]
    fn some(instances: u64) -> Option<Self> {
        (instances != 0).then_some(Selected(instances))
    }
}

impl Iterator for Selected {
    type Item = u32;

    #[inline(always)]
    fn next(&mut self) -> Option<u32> {
        let next = (self.0 != 0).then(|| self.0.trailing_zeros())?;
        self.0 &= self.0 - 1;
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holders_are_listed_in_order_and_undefined_ones_always() {
        let mut holders = Holders::<-1, 3>::default();
        let values = [Some(1), Some(-1), None, Some(1), Some(7), Some(-2), Some(i64::MIN)];
        values.into_iter().enumerate().for_each(|(instance, value)| holders.add(instance, value));
        holders.add(63, Some(1));
        let of = |value| holders.of(value).map(|selected| selected.collect::<Vec<u32>>());
        assert_eq!(of(1), Some(vec![0, 2, 3, 63]));
        assert_eq!(of(-1), Some(vec![1, 2]));
        assert_eq!(of(0), Some(vec![2]));
        assert_eq!(of(7), Some(vec![2]));
        assert_eq!(Holders::<0, 2>::default().of(1).map(|selected| selected.count()), None);
    }

    #[test]
    fn gates_let_errors_pass() {
        let mut gate = Gate::default();
        assert!(gate.open().is_none());
        let answers = [Some(true), None, Some(false), Some(true), None];
        answers.into_iter().enumerate().for_each(|(instance, answer)| gate.add(instance, answer));
        let numbers = |selected: Option<Selected>| selected.map(|selected| selected.collect::<Vec<u32>>());
        assert_eq!(numbers(gate.open()), Some(vec![0, 1, 3, 4]));
        // What is asked next decides only where the first answer is known.
        assert_eq!(numbers(gate.among(Some(Selected(0b1100)))), Some(vec![1, 3, 4]));
        assert_eq!(numbers(gate.among(None)), Some(vec![1, 4]));
        gate.undefined = 0;
        assert_eq!(numbers(gate.among(Some(Selected(0b0110)))), None);
    }
}
