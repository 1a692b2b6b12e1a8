//! What is left when refinement alone does not distinguish all elements: trying them one after the
//! other.

use super::partition::Partition;
use super::{Canonicaliser, singled_out};
use crate::contract::symmetry::mix;
use std::ops::Range;

/// Bytes for what is kept of one state, each of: the automorphisms, and the colours along a branch.
/// Beyond the first an automorphism is not kept, which leaves less out; beyond the second the
/// search is given up, as if it took too long.
const MOST_KEPT: usize = 4 << 20;

/// The search for the smallest form of one state.
struct Branches {
    /// For each element another one that it can be exchanged with; the same for all that can be
    /// exchanged with one another.
    class: Vec<u16>,
    best: Option<Leaf>,
    /// Renamings that leave the state as it is: element `e` becomes `[e]`.
    automorphisms: Vec<Vec<u16>>,
    /// The elements that were singled out on the way to where the search is.
    path: Vec<u16>,
    patience: usize,
}

/// What was known where several elements were tried.
struct Before {
    colours: Vec<u64>,
    partition: Partition,
}

impl Before {
    /// Bytes that it takes, about.
    fn bytes(&self) -> usize {
        2 * size_of_val(&self.colours[..])
    }
}

/// The end of a branch: every element has its place, but for those that can be exchanged.
struct Leaf {
    path: Vec<u16>,
    /// The elements in the order of their new names.
    order: Vec<u16>,
    state: Vec<u64>,
}

impl Canonicaliser<'_> {
    /// The canonical form of a state whose refined colours leave ties.
    #[cold]
    #[inline(never)]
    pub(super) fn branch(&mut self, state: &mut [u64]) {
        let class = self.classes(state);
        let mut branches = Branches {
            class,
            best: None,
            automorphisms: Vec::new(),
            path: Vec::new(),
            patience: self.patience,
        };
        self.follow(state, &mut branches);
        if branches.patience == 0 {
            self.unfinished += 1;
        }
        if let Some(best) = branches.best {
            state.copy_from_slice(&best.state);
        }
    }

    /// Which elements can be exchanged for one another without changing the state: only those of
    /// one colour can.
    fn classes(&mut self, state: &mut [u64]) -> Vec<u16> {
        let mut class: Vec<u16> = (0..self.to.len()).map(|element| element as u16).collect();
        for tie in self.partition.ties().collect::<Vec<_>>() {
            let mut representatives: Vec<u16> = Vec::new();
            for element in self.members(tie) {
                let same =
                    representatives.iter().copied().find(|&other| self.exchangeable(state, other, element));
                match (same, class.get_mut(element as usize)) {
                    (Some(other), Some(class)) => *class = other,
                    _ => representatives.push(element),
                }
            }
        }
        class
    }

    fn members(&self, tie: Range<usize>) -> Vec<u16> {
        self.partition.at(tie).map(|element| element as u16).collect()
    }

    fn exchangeable(&mut self, state: &mut [u64], left: u16, right: u16) -> bool {
        let (left, right) = (left as usize, right as usize);
        if !self.is_named(left) && !self.is_named(right) && self.symmetry.alike(state, left, right) {
            return true;
        }
        for (element, to) in self.to.iter_mut().enumerate() {
            *to = match element {
                _ if element == left => right as u16,
                _ if element == right => left as u16,
                _ => element as u16,
            };
        }
        self.rename_other(state);
        self.other == *state
    }

    /// Makes the other state this one, with its elements renamed.
    fn rename_other(&mut self, state: &mut [u64]) {
        self.other.copy_from_slice(state);
        self.symmetry.rename(state, &self.to, self.bags, &mut self.other);
    }

    /// Goes on from colours that are stable. Returns the length of the path to go back to, where a
    /// whole branch turned out to be the same as one that was followed before.
    fn follow(&mut self, state: &mut [u64], branches: &mut Branches) -> usize {
        let depth = branches.path.len();
        let is_open = |tie: &Range<usize>| {
            let mut classes = self.partition.at(tie.clone()).map(|element| branches.class.get(element));
            let first = classes.next();
            classes.any(|class| Some(class) != first)
        };
        // The choice of a tie must not depend on the identities of elements: the smallest, and of
        // those the first.
        let Some(tie) = self.partition.ties().filter(is_open).min_by_key(ExactSizeIterator::len) else {
            return self.end(state, branches);
        };
        let mut candidates = self.members(tie);
        let mut classes = Vec::new();
        candidates.retain(|&element| {
            let class = branches.class.get(element as usize).copied();
            let new = !classes.contains(&class);
            classes.push(class);
            new
        });

        let before = Before { colours: self.colours.clone(), partition: self.partition.clone() };
        if (depth + 1) * before.bytes() > MOST_KEPT {
            branches.patience = 0;
        }
        // Refine all of them, and keep those that look smallest: no renaming changes how they look.
        let mut smallest: Vec<u16> = Vec::new();
        let mut least = u64::MAX;
        for &element in &candidates {
            if branches.patience == 0 {
                break;
            }
            branches.patience -= 1;
            let look = self.single_out(state, element, depth, &before);
            if look < least {
                smallest.clear();
                least = look;
            }
            if look == least {
                smallest.push(element);
            }
        }

        let mut followed: Vec<u16> = Vec::new();
        for element in smallest {
            if branches.is_covered(element, &followed) {
                continue;
            }
            // Once more: to keep the colours of all candidates would take much memory, and few of
            // them are followed.
            self.single_out(state, element, depth, &before);
            branches.path.push(element);
            let back = self.follow(state, branches);
            branches.path.truncate(depth);
            if back < depth {
                return back;
            }
            followed.push(element);
            if branches.patience == 0 {
                return depth;
            }
        }
        depth
    }

    /// Gives one of the elements a colour of its own, refines, and returns how the state looks
    /// then.
    fn single_out(&mut self, state: &mut [u64], element: u16, depth: usize, before: &Before) -> u64 {
        self.colours.copy_from_slice(&before.colours);
        self.partition.clone_from(&before.partition);
        if let Some(colour) = self.colours.get_mut(element as usize) {
            *colour = singled_out(*colour, depth);
        }
        self.refine(state)
    }

    /// Refines as far as it goes, and returns how the state looks then.
    fn refine(&mut self, state: &mut [u64]) -> u64 {
        self.partition.split(&self.colours);
        loop {
            self.look(state);
            if !self.partition.split(&self.colours) {
                let looks = self.colours.iter().zip(&self.links);
                return looks.fold(0, |sum, (&colour, &links)| sum.wrapping_add(mix(colour, links)));
            }
        }
    }

    /// Compares the state that the order gives with the best one.
    fn end(&mut self, state: &mut [u64], branches: &mut Branches) -> usize {
        self.name_by_place();
        self.rename_other(state);
        match &branches.best {
            Some(best) if best.state == self.other => {
                // Both orders give the same state, so going from one to the other changes nothing.
                let automorphism: Vec<u16> = self
                    .to
                    .iter()
                    .map(|&place| best.order.get(place as usize).copied().unwrap_or(0))
                    .collect();
                let (path, other) = (&branches.path, &best.path);
                let parting = path.iter().zip(other).take_while(|(left, right)| left == right).count();
                // Where it maps the one path to the other down to where they part, all that hangs
                // below has been seen.
                let maps = path
                    .iter()
                    .zip(other)
                    .take(parting + 1)
                    .all(|(element, other)| automorphism.get(*element as usize) == Some(other));
                let back = if maps { parting } else { path.len() };
                if (branches.automorphisms.len() + 1) * size_of_val(&automorphism[..]) <= MOST_KEPT {
                    branches.automorphisms.push(automorphism);
                }
                back
            }
            Some(best) if best.state < self.other => branches.path.len(),
            _ => {
                branches.best = Some(Leaf {
                    path: branches.path.clone(),
                    order: self.partition.elements().map(|element| element as u16).collect(),
                    state: self.other.clone(),
                });
                branches.path.len()
            }
        }
    }
}

impl Branches {
    /// Whether a known automorphism that leaves the path alone maps an element that was followed to
    /// this one.
    fn is_covered(&self, element: u16, followed: &[u16]) -> bool {
        if followed.is_empty() {
            return false;
        }
        let mut root: Vec<u16> = (0..self.class.len()).map(|element| element as u16).collect();
        let find = |root: &[u16], mut element: u16| {
            while let Some(&above) = root.get(element as usize).filter(|&&above| above != element) {
                element = above;
            }
            element
        };
        for automorphism in &self.automorphisms {
            let fixes = |element: &u16| automorphism.get(*element as usize) == Some(element);
            if !self.path.iter().all(fixes) {
                continue;
            }
            for (from, to) in automorphism.iter().enumerate() {
                let (from, to) = (find(&root, from as u16), find(&root, *to));
                if let Some(above) = root.get_mut(from as usize) {
                    *above = to;
                }
            }
        }
        let orbit = find(&root, element);
        followed.iter().any(|&other| find(&root, other) == orbit)
    }
}
