//! How often rules fired, counted for each rule as written: a model may have more instances than there is memory for.

use crate::model::{Family, RuleId};

/// A counter for each family.
#[derive(Clone, Debug, Default)]
pub struct Fired {
    families: &'static [Family],
    counts: Vec<u64>,
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
        Fired { families, counts, last: 0, first: 0, instances: 0 }
    }

    /// A rule has fired.
    #[inline(always)]
    pub fn count(&mut self, rule: RuleId) {
        if rule.0.wrapping_sub(self.first) >= self.instances {
            self.find(rule);
        }
        if let Some(count) = self.counts.get_mut(self.last) {
            *count += 1;
        }
    }

    #[inline(never)]
    fn find(&mut self, rule: RuleId) {
        self.last = self.families.partition_point(|family| family.first <= rule.0).wrapping_sub(1);
        // Families without instances come before the one that has the number.
        (self.first, self.instances) =
            self.families.get(self.last).map_or((0, 0), |family| (family.first, family.instances));
    }

    /// How often each family fired.
    pub fn counts(&self) -> &[u64] {
        &self.counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Position;

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
        let mut fired = Fired::from_counts(&FAMILIES, fired.counts().to_vec());
        fired.count(RuleId(4));
        assert_eq!(fired.counts(), [3, 0, 5, 2]);
    }
}
