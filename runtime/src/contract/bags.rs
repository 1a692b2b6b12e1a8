//! Which multisets are sorted when a rule ends, so that a bag has one form.

/// Which multisets are brought into one order of their slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bags {
    /// All, also those whose slots were not proved to be interchangeable.
    All,
    /// Those whose slots were proved to be interchangeable.
    Proved,
    /// None: elements stay in their slots.
    None,
}

impl Bags {
    /// Whether the slots of a multiset are sorted, if there is a doubt about it or not.
    #[inline(always)]
    pub fn sorts(self, doubtful: bool) -> bool {
        match self {
            Bags::All => true,
            Bags::Proved => !doubtful,
            Bags::None => false,
        }
    }
}
