//! What is left when refinement alone does not tell all elements apart: trying them one after the other.

use super::{Canonicaliser, singled_out};
use crate::reduction::look::mix;

/// The search for the smallest form of one state.
struct Branches {
    /// For each element another one that it can be exchanged with; the same for all that can be exchanged
    /// with one another.
    class: Vec<u16>,
    best: Option<Leaf>,
    /// Renamings that leave the state as it is: element `e` becomes `[e]`.
    automorphisms: Vec<Vec<u16>>,
    /// The elements that were singled out on the way to where the search is.
    path: Vec<u16>,
    patience: usize,
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

    /// Which elements can be exchanged for one another without changing the state: only those of one colour can.
    fn classes(&mut self, state: &mut [u64]) -> Vec<u16> {
        let mut class: Vec<u16> = (0..self.order.len()).map(|element| element as u16).collect();
        for cell in self.cells() {
            let mut representatives: Vec<u16> = Vec::new();
            for &element in self.order.clone().get(cell).unwrap_or(&[]) {
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
        self.symmetry.rename(state, &self.to, self.keep_slots, &mut self.renamed);
        self.renamed == *state
    }

    /// The places of elements of the same colour, in order; those of one element are left out.
    fn cells(&self) -> Vec<std::ops::Range<usize>> {
        let mut cells = Vec::new();
        for group in &self.groups {
            let mut start = group.start;
            for at in group.clone() {
                let last = at + 1 == group.end || self.colour_at(at) != self.colour_at(at + 1);
                if last {
                    if at > start {
                        cells.push(start..at + 1);
                    }
                    start = at + 1;
                }
            }
        }
        cells
    }

    fn colour_at(&self, place: usize) -> u64 {
        self.order.get(place).map_or(0, |&element| self.colour(element as usize))
    }

    /// Goes on from colours that are stable. Returns the length of the path to go back to, where a whole branch
    /// turned out to be the same as one that was followed before.
    fn follow(&mut self, state: &mut [u64], branches: &mut Branches) -> usize {
        let depth = branches.path.len();
        let open = |canonicaliser: &Self, cell: &std::ops::Range<usize>| {
            let members = canonicaliser.order.get(cell.clone()).unwrap_or(&[]);
            let class = |element: u16| branches.class.get(element as usize);
            members.windows(2).any(|pair| matches!(pair, [left, right] if class(*left) != class(*right)))
        };
        // Which cell comes first must not depend on the names of elements: the smallest, and of those the first.
        let cell =
            self.cells().into_iter().filter(|cell| open(self, cell)).min_by_key(ExactSizeIterator::len);
        let Some(cell) = cell else {
            return self.end(state, branches);
        };
        let mut candidates: Vec<u16> = self.order.get(cell).unwrap_or(&[]).to_vec();
        let mut classes = Vec::new();
        candidates.retain(|&element| {
            let class = branches.class.get(element as usize).copied();
            let new = !classes.contains(&class);
            classes.push(class);
            new
        });

        // Refine all of them, and keep those that look smallest: no renaming changes how they look.
        let (colours, order) = (self.colours.clone(), self.order.clone());
        let mut refined: Vec<(u64, u16, Vec<u64>, Vec<u16>)> = Vec::new();
        for &element in &candidates {
            if branches.patience == 0 {
                break;
            }
            branches.patience -= 1;
            self.colours.copy_from_slice(&colours);
            self.order.copy_from_slice(&order);
            if let Some(colour) = self.colours.get_mut(element as usize) {
                *colour = singled_out(*colour, depth);
            }
            self.refine(state);
            let look = self.colours.iter().fold(0u64, |sum, &colour| sum.wrapping_add(mix(colour, colour)));
            refined.push((look, element, self.colours.clone(), self.order.clone()));
        }
        let smallest = refined.iter().map(|(look, ..)| *look).min();
        refined.retain(|(look, ..)| Some(*look) == smallest);

        let mut followed: Vec<u16> = Vec::new();
        for (_, element, colours, order) in refined {
            if branches.is_covered(element, &followed) {
                continue;
            }
            self.colours = colours;
            self.order = order;
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

    fn refine(&mut self, state: &mut [u64]) {
        let mut cells = self.sort();
        loop {
            self.look(state);
            let after = self.sort();
            if after <= cells {
                return;
            }
            cells = after;
        }
    }

    /// Compares the state that the order gives with the best one.
    fn end(&mut self, state: &mut [u64], branches: &mut Branches) -> usize {
        for (place, &element) in self.order.iter().enumerate() {
            if let Some(to) = self.to.get_mut(element as usize) {
                *to = place as u16;
            }
        }
        self.symmetry.rename(state, &self.to, self.keep_slots, &mut self.renamed);
        match &branches.best {
            Some(best) if best.state == self.renamed => {
                // Both orders give the same state, so going from one to the other changes nothing.
                let automorphism: Vec<u16> = self
                    .to
                    .iter()
                    .map(|&place| best.order.get(place as usize).copied().unwrap_or(0))
                    .collect();
                let (path, other) = (&branches.path, &best.path);
                let parting = path.iter().zip(other).take_while(|(left, right)| left == right).count();
                // Where it maps the one path to the other down to where they part, all that hangs below has been seen.
                let maps = path
                    .iter()
                    .zip(other)
                    .take(parting + 1)
                    .all(|(element, other)| automorphism.get(*element as usize) == Some(other));
                let back = if maps { parting } else { path.len() };
                branches.automorphisms.push(automorphism);
                back
            }
            Some(best) if best.state < self.renamed => branches.path.len(),
            _ => {
                branches.best = Some(Leaf {
                    path: branches.path.clone(),
                    order: self.order.clone(),
                    state: self.renamed.clone(),
                });
                branches.path.len()
            }
        }
    }
}

impl Branches {
    /// Whether a known automorphism that leaves the path alone maps an element that was followed to this one.
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
