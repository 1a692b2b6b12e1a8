//! How often rules fired, counted for each rule as written: a model may have more instances than
//! there is memory for.

use crate::contract::model::{Family, RuleId};

/// With at most this many instances there is a counter for each of them, which is quicker: it need
/// not be found out to which family one belongs.
const FEW: u32 = 1 << 14;

/// A counter for each family.
#[derive(Clone, Debug, Default)]
pub struct Fired {
    families: &'static [Family],
    counts: Vec<u64>,
    /// For each instance, if there are few of them: how often it fired beside that.
    few: Vec<u64>,
    /// The family that was counted last. The successors of a state come family by family.
    last: usize,
    first: u32,
    instances: u32,
}

impl Fired {
    pub fn new(families: &'static [Family]) -> Self {
        Fired::from_counts(families, vec![0; families.len()])
    }

    /// Goes on counting from there.
    pub fn from_counts(families: &'static [Family], counts: Vec<u64>) -> Self {
        let instances = families.last().map_or(0, |family| family.first.saturating_add(family.instances));
        let few = if instances <= FEW { vec![0; instances as usize] } else { Vec::new() };
        Fired { families, counts, few, last: 0, first: 0, instances: 0 }
    }

    /// A rule has fired.
    #[inline(always)]
    pub fn count(&mut self, rule: RuleId) {
        match self.few.get_mut(rule.0 as usize) {
            Some(count) => *count += 1,
            None => self.count_in_family(rule),
        }
    }

    fn count_in_family(&mut self, rule: RuleId) {
        if rule.0.wrapping_sub(self.first) >= self.instances {
            self.last = self.families.partition_point(|family| family.first <= rule.0).wrapping_sub(1);
            let found = self.families.get(self.last);
            (self.first, self.instances) = found.map_or((0, 0), |family| (family.first, family.instances));
        }
        if let Some(count) = self.counts.get_mut(self.last) {
            *count += 1;
        }
    }

    /// Each family fired this often elsewhere.
    pub fn add(&mut self, counts: &[u64]) {
        self.counts.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }

    /// How often each family fired.
    pub fn counts(&self) -> Vec<u64> {
        let of_few = |family: &Family| -> u64 {
            self.few.iter().skip(family.first as usize).take(family.instances as usize).sum()
        };
        self.families.iter().zip(&self.counts).map(|(family, count)| count + of_few(family)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::model::Position;

    const fn family(first: u32, instances: u32) -> Family {
        Family { name: "", position: Position { line: 1, column: 1 }, parameters: &[], first, instances }
    }

    #[test]
    fn each_instance_counts_for_its_family() {
        static FAMILIES: [Family; 4] = [family(0, 2), family(2, 0), family(2, 3), family(5, 1)];
        let mut fired = Fired::new(&FAMILIES);
        for rule in [0, 1, 2, 3, 4, 5, 5, 0, 2] {
            fired.count(RuleId(rule));
        }
        assert_eq!(fired.counts(), [3, 0, 4, 2]);
        let mut fired = Fired::from_counts(&FAMILIES, fired.counts());
        fired.count(RuleId(4));
        assert_eq!(fired.counts(), [3, 0, 5, 2]);
        // As if there were too many instances for counters of their own.
        fired.few.clear();
        [0, 1, 2, 3, 4, 5, 5, 0, 2].iter().for_each(|&rule| fired.count(RuleId(rule)));
        assert_eq!(fired.counts(), [6, 0, 8, 4]);
    }
}
