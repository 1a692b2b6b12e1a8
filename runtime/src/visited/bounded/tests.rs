//! The bounded cache of a depth-first search: what it keeps, evicts and counts.

use super::choice::Eviction;
use super::*;
use crate::contract::model::RuleId;
use crate::hashing::words::hash;
use crate::random::Random;
use crate::search::models;
use crate::visited::{Batch, Trail};
use std::collections::{HashMap, HashSet};

fn empty(capacity: u64, eviction: Eviction, budget: &Arc<Budget>) -> Bounded {
    use crate::contract::model::Model;
    let description = models::wheels::Wheels::Six.description();
    let codec = Codec::aligned(description);
    let wanted = PathCaching { size: Size::States(capacity), eviction, seed: 7 };
    Bounded::new(description, &codec, wanted, budget.clone(), None).unwrap()
}

fn enter(set: &mut Bounded, state: &[u64], origin: Origin) -> Entered {
    let hashes = [hash(state)];
    let batch = Batch {
        states: state,
        hashes: &hashes,
        signatures: &[],
        origins: &[origin],
        sets: Default::default(),
    };
    BoundedShare(set).enter(&batch, RuleId(0)).unwrap()
}

/// Moves up and down a path at random, and compares with a set of all states that must be known.
#[test]
fn the_path_is_known_and_no_more_is_kept_than_may_be() {
    for eviction in [Eviction::Random, Eviction::Type, Eviction::Oldest, Eviction::Small] {
        for capacity in [0, 1, 50, 5_000] {
            let budget = Arc::new(Budget::new(1 << 24));
            let mut set = empty(capacity, eviction, &budget);
            let words = set.words;
            let mut random = Random(capacity);
            let mut path: Vec<(Vec<u64>, StateIndex)> = Vec::new();
            let mut left: HashSet<Vec<u64>> = HashSet::new();
            let mut visits = 0;
            for round in 0..20_000 {
                if path.is_empty() || random.below(100) < if round % 4_000 < 2_000 { 55 } else { 45 } {
                    let mut state = vec![0; words];
                    state[0] = random.below(3_000);
                    let origin = path.last().map_or(Origin::START, |(_, index)| Origin::from(*index));
                    let on_path = path.iter().any(|(other, _)| *other == state);
                    match enter(&mut set, &state, origin) {
                        Entered::Fresh(index) => {
                            assert!(!on_path);
                            visits += 1;
                            path.push((state, index));
                        }
                        Entered::Known(index) => {
                            assert!(on_path || left.contains(&state));
                            assert_eq!(set.state(index.0 as u32), state);
                            if random.below(2) == 0 {
                                BoundedShare(&mut set).enter_again(index, origin);
                                path.push((state, index));
                            }
                        }
                    }
                } else if let Some((state, index)) = path.pop() {
                    assert_eq!(set.state(index.0 as u32), state);
                    BoundedShare(&mut set).leave(index, RuleId(0));
                    left.insert(state);
                }
                assert!(set.beside.len() as u64 <= capacity);
                let different: HashSet<_> = path.iter().map(|(_, index)| *index).collect();
                assert_eq!(set.here(), (different.len() + set.beside.len()) as u64);
            }
            // Each state on the path leads back to a start state.
            for (_, index) in &path {
                let (mut at, mut steps) = (*index, 0);
                while let Some(before) =
                    set.recall(at).unwrap().and_then(|recalled| recalled.origin.predecessor())
                {
                    at = before;
                    steps += 1;
                    assert!(steps <= path.len());
                }
            }
            assert_eq!(set.len(), visits);
            let bounds = set.figures();
            assert_eq!(bounds.evicted == 0, capacity == 5_000, "{bounds:?}");
            drop(set);
            assert_eq!(budget.used(), 0);
        }
    }
}

/// Who is let go: the oldest, the one with least behind it, the one of the rule whose states never
/// come back.
#[test]
fn a_choice_is_made_among_few() {
    let slots: Vec<Slot> = (0..40)
        .map(|at| Slot { last: 1_000 - at, behind: at + 1, family: at % 2, ..Slot::default() })
        .collect();
    let beside: Vec<u32> = (0..40).collect();
    let chosen = |eviction, learn: bool| {
        use crate::contract::model::Model;
        let mut choice = Choice::new(models::wheels::Wheels::Six.description(), eviction, 3);
        choice.families = vec![(0, 0); 2];
        for _ in 0..100 {
            choice.left(0);
            choice.left(1);
            if learn {
                choice.met(&mut Slot { family: 1, ..Slot::default() }, RuleId(0));
            }
        }
        let mut counts: HashMap<u32, u32> = HashMap::new();
        for _ in 0..2_000 {
            *counts.entry(choice.victim(&beside, &slots).unwrap()).or_default() += 1;
        }
        counts
    };
    let above = |counts: &HashMap<u32, u32>| -> u32 {
        counts.iter().filter(|(slot, _)| **slot >= 20).map(|(_, count)| count).sum()
    };
    assert!((800..1_200).contains(&above(&chosen(Eviction::Random, true))));
    assert!(above(&chosen(Eviction::Oldest, true)) > 1_950);
    assert!(above(&chosen(Eviction::Small, true)) < 50);
    let odd = |counts: &HashMap<u32, u32>| -> u32 {
        counts.iter().filter(|(slot, _)| *slot % 2 == 1).map(|(_, count)| count).sum()
    };
    assert!(odd(&chosen(Eviction::Type, true)) < 20);
    assert!((800..1_200).contains(&odd(&chosen(Eviction::Type, false))));
}
