//! Which parts of a state are paired, learned from a sample of states.
//!
//! What a tree takes is the sum, over its inner nodes, of the different pairs at each. Parts that
//! change together, or of which one depends on the other, have few different pairs, wherever they
//! lie in the state. So the two parts with the fewest different pairs become one part, again and
//! again, until two are left: these are the root's. Where the two together have no more bits than a
//! leaf may have, they become one leaf, and there is nothing to store or to look up. Whatever the
//! shape, the set is exact; only its size depends on it.

use super::shape::{LEAF_BITS, Node, Piece, Shape};

/// Parts that are compared with all others, at most. With more of them, each is compared with this
/// number of those that follow it in the order of the state.
const NEIGHBOURS: usize = 96;
/// Parts that are compared at all, at most: learning takes the square of their number. Of a state
/// with more leaves, neighbours are paired first, without being asked, until there are no more.
const COMPARED: usize = 1024;
/// Values that are looked at for each neighbour, at most: of many parts, a smaller sample will do.
const VALUES: usize = 1 << 20;

/// The values of one part in all states of the sample, numbered from 0.
struct Part {
    what: What,
    values: Vec<u32>,
    different: u32,
    /// Nodes on the longest way down to a leaf.
    height: u32,
}

/// What a part is, while the tree is being made.
#[derive(Clone, Debug)]
enum What {
    /// A leaf of these pieces, by their numbers.
    Leaf(Vec<usize>),
    /// A node, by its number.
    Node(usize),
}

/// A tree over these pieces for states like those of the sample, which are words one after the
/// other.
pub fn learn(pieces: Vec<Piece>, sample: &[u64], words: usize) -> Shape {
    let states = sample.chunks_exact(words.max(1));
    let most = (VALUES / pieces.len().clamp(1, COMPARED)).max(2);
    let states: Vec<&[u64]> = states.step_by((sample.len() / words.max(1)).div_ceil(most).max(1)).collect();
    if states.len() < 2 || pieces.len() < 3 {
        return Shape::balanced(pieces);
    }
    let mut scratch = Scratch::default();
    let mut parts: Vec<Part> = pieces
        .iter()
        .enumerate()
        .map(|(at, piece)| {
            let values = states.iter().map(|state| piece.gather.compress(state[piece.word]));
            scratch.part(What::Leaf(vec![at]), values)
        })
        .collect();
    let mut tree = Growing { pieces: &pieces, nodes: Vec::new() };
    while parts.len() > COMPARED {
        parts = scratch.pair_neighbours(parts, &mut tree);
    }
    // How many different pairs each part makes with those behind it.
    let mut costs: Vec<Vec<u32>> = (0..parts.len())
        .map(|at| partners(&parts, at).map(|other| scratch.different(&parts[at], &parts[other])).collect())
        .collect();
    while parts.len() > 2 {
        let Some((left, right)) = cheapest(&parts, &costs) else { break };
        let joined = scratch.join(&mut tree, &parts[left], &parts[right]);
        // The new part stands where the left one was; the right one goes.
        parts[left] = joined;
        parts.remove(right);
        costs.remove(right);
        for at in 0..parts.len() {
            let changed = at == left;
            let row: Vec<u32> = partners(&parts, at)
                .enumerate()
                .map(|(place, other)| {
                    // Those behind the part that went have moved up by one.
                    let before = if other < right || at >= right { place } else { place + 1 };
                    match costs[at].get(before) {
                        Some(&known) if !changed && other != left => known,
                        _ => scratch.different(&parts[at], &parts[other]),
                    }
                })
                .collect();
            costs[at] = row;
        }
    }
    if let [left, right] = parts.as_slice() {
        // A root of its own even where one leaf would do: it has the pair of these two.
        tree.nodes.push((left.what.clone(), right.what.clone()));
    }
    let shape = tree.finish();
    shape.unwrap_or_else(|| Shape::balanced(pieces))
}

/// A tree that is being made.
struct Growing<'a> {
    pieces: &'a [Piece],
    /// Children before parents.
    nodes: Vec<(What, What)>,
}

impl Growing<'_> {
    fn bits(&self, pieces: &[usize]) -> u32 {
        pieces.iter().filter_map(|&piece| self.pieces.get(piece)).map(|piece| piece.gather.bits()).sum()
    }

    /// Two parts become one: a leaf, or else a node.
    fn join(&mut self, left: &What, right: &What) -> What {
        if let (What::Leaf(left), What::Leaf(right)) = (left, right)
            && self.bits(left) + self.bits(right) <= LEAF_BITS
        {
            return What::Leaf([left.as_slice(), right].concat());
        }
        self.nodes.push((left.clone(), right.clone()));
        What::Node(self.nodes.len() - 1)
    }

    /// Leaves are numbered first, then nodes.
    fn finish(self) -> Option<Shape> {
        let mut leaves: Vec<Vec<Piece>> = Vec::new();
        let count = self.nodes.len() + 1;
        let mut number = |what: What| match what {
            What::Node(node) => (count + node) as u32,
            What::Leaf(pieces) => {
                leaves.push(pieces.iter().filter_map(|&piece| self.pieces.get(piece)).cloned().collect());
                leaves.len() as u32 - 1
            }
        };
        let nodes =
            self.nodes.into_iter().map(|(left, right)| Node { left: number(left), right: number(right) });
        let nodes = nodes.collect();
        Shape::new(leaves, nodes)
    }
}

/// The parts behind this one that it may be paired with.
fn partners(parts: &[Part], at: usize) -> std::ops::Range<usize> {
    at + 1..parts.len().min(at + 1 + NEIGHBOURS)
}

/// The two parts with the fewest different pairs. Among those with about as many, the two that
/// make the lowest tree: what changes in a leaf is looked up at each node above it.
fn cheapest(parts: &[Part], costs: &[Vec<u32>]) -> Option<(usize, usize)> {
    let all = costs.iter().enumerate().flat_map(|(left, row)| {
        row.iter().enumerate().map(move |(place, &cost)| (cost, left, left + 1 + place))
    });
    let best = all.min_by_key(|&(cost, left, right)| {
        let height = parts[left].height.max(parts[right].height);
        (coarse(cost), height, cost, left, right)
    });
    best.map(|(_, left, right)| (left, right))
}

/// Eight steps for each power of two: a difference below a twelfth does not count.
fn coarse(cost: u32) -> u32 {
    let bits = cost.max(1).ilog2();
    8 * bits + ((u64::from(cost) * 8) >> bits) as u32 - 8
}

/// Memory for counting, used again and again.
#[derive(Default)]
struct Scratch {
    seen: std::collections::HashMap<u64, u32>,
    /// The pairs that were met, each with the number of the count in which that was.
    pairs: Vec<(u32, u64)>,
    count: u32,
}

impl Scratch {
    fn part(&mut self, what: What, values: impl Iterator<Item = u64>) -> Part {
        self.seen.clear();
        let values = values
            .map(|value| {
                let next = self.seen.len() as u32;
                *self.seen.entry(value).or_insert(next)
            })
            .collect();
        Part { what, values, different: self.seen.len() as u32, height: 0 }
    }

    fn join(&mut self, tree: &mut Growing<'_>, left: &Part, right: &Part) -> Part {
        let what = tree.join(&left.what, &right.what);
        let pairs = left.values.iter().zip(&right.values);
        let pairs = pairs.map(|(&left, &right)| u64::from(left) << 32 | u64::from(right));
        let above = u32::from(matches!(what, What::Node(_)));
        Part { height: above + left.height.max(right.height), ..self.part(what, pairs) }
    }

    /// Joins each part with the one behind it, but for as many at the end as there may be.
    fn pair_neighbours(&mut self, parts: Vec<Part>, tree: &mut Growing<'_>) -> Vec<Part> {
        let mut surplus = parts.len().saturating_sub(COMPARED);
        let mut joined = Vec::with_capacity(parts.len());
        let mut parts = parts.into_iter();
        while let Some(left) = parts.next() {
            let right = if surplus > 0 { parts.next() } else { None };
            let Some(right) = right else {
                joined.push(left);
                continue;
            };
            surplus -= 1;
            joined.push(self.join(tree, &left, &right));
        }
        joined
    }

    /// How many different pairs two parts make.
    fn different(&mut self, left: &Part, right: &Part) -> u32 {
        // One that never changes adds nothing.
        if left.different == 1 || right.different == 1 {
            return left.different.max(right.different);
        }
        let size = (4 * left.values.len()).next_power_of_two();
        if self.pairs.len() != size {
            self.pairs = vec![(0, 0); size];
            self.count = 0;
        }
        self.count += 1;
        let mut different = 0;
        for (&left, &right) in left.values.iter().zip(&right.values) {
            let pair = u64::from(left) << 32 | u64::from(right);
            let mut at = (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize & (size - 1);
            loop {
                let (count, met) = self.pairs[at];
                if count != self.count {
                    self.pairs[at] = (self.count, pair);
                    different += 1;
                    break;
                }
                if met == pair {
                    break;
                }
                at = (at + 1) & (size - 1);
            }
        }
        different
    }
}

#[cfg(test)]
mod tests {
    use super::super::shape::pieces;
    use super::*;

    /// Two counters, each in two words that are far from each other: their halves belong together,
    /// in one leaf if they have few bits, and below one node if they have many.
    #[test]
    fn what_changes_together_is_paired() {
        for (mask, spread, inner) in [(0x3ff, 1, 0), (0xf_ffff, 0x401, 2)] {
            let mut sample = Vec::new();
            for at in 0..400u64 {
                let (one, other) = (at % 20, at / 20);
                sample.extend([one, other, one * 3, other + 7].map(|word| word * spread));
            }
            let shape = learn(pieces(&[mask; 4]), &sample, 4);
            assert_eq!(shape.inner(), inner);
            let Node { left, right } = *shape.nodes.last().unwrap();
            let below = [left, right].map(|part| match shape.leaves.get(part as usize) {
                Some(leaf) => {
                    let mut words: Vec<usize> = leaf.pieces.iter().map(|placed| placed.piece.word).collect();
                    words.sort_unstable();
                    words
                }
                None => shape.words_below(part as usize - shape.leaves.len()),
            });
            assert!(below.contains(&vec![0, 2]) && below.contains(&vec![1, 3]), "{below:?}");
        }
    }

    #[test]
    fn any_sample_gives_a_tree_over_all_pieces() {
        let mut random = crate::random::Random(5);
        // The largest has more pieces than are compared, twice over.
        for words in (1..40).chain([700, 1900]) {
            let masks: Vec<u64> =
                (0..words).map(|_| random.number() & random.number() & random.number()).collect();
            let sample: Vec<u64> = (0..words * random.below(30) as usize)
                .map(|at| random.number() & masks[at % words])
                .collect();
            let shape = learn(pieces(&masks), &sample, words);
            assert_eq!(shape.leaves.len(), shape.nodes.len() + 1);
            let mut covered = vec![0; words];
            for placed in shape.leaves.iter().flat_map(|leaf| &leaf.pieces) {
                assert_eq!(covered[placed.piece.word] & placed.piece.gather.mask, 0);
                covered[placed.piece.word] |= placed.piece.gather.mask;
            }
            assert!(covered == masks || masks == [0]);
            assert!(shape.leaves.iter().all(|leaf| leaf.bits <= LEAF_BITS));
        }
    }
}
