//! States go to roots and back, whatever they are compared with.

use super::*;
use crate::memory::Budget;
use crate::random::Random;
use crate::visited::tree::learning::learn;
use crate::visited::tree::shape::pieces;
use std::collections::HashMap;
use std::sync::Arc;

/// States go to roots and back, whatever the shape, and different states to different roots.
#[test]
fn roots_are_states() {
    let mut random = Random(3);
    for words in [1, 2, 3, 7, 20] {
        for dense in [true, false] {
            let mask = |random: &mut Random| if dense { u64::MAX } else { random.number() & random.number() };
            let masks: Vec<u64> = (0..words).map(|_| mask(&mut random)).collect();
            let mut states: Vec<Vec<u64>> = vec![vec![0; words], masks.clone()];
            let count = if cfg!(miri) { 30 } else { 600 };
            for _ in 0..count {
                let mut state = states[random.below(states.len() as u64) as usize].clone();
                let at = random.below(words as u64) as usize;
                state[at] = random.number() & masks[at];
                states.push(state);
            }
            let sample: Vec<u64> = states.iter().take(100).flatten().copied().collect();
            let shape = learn(pieces(&masks), &sample, words);
            let budget = Arc::new(Budget::new(1 << 26));
            let pairs = shape.tables(&budget);
            let mut folder = Folder::new(&shape, words, &budget);
            let mut roots: HashMap<u64, Vec<u64>> = HashMap::new();
            assert!(shape.inner() == 0 || find(&masks, &shape, &pairs) == Root::NONE);
            for state in &states {
                let root = folder.fold(state, None, &shape, &pairs).unwrap();
                assert_eq!(find(state, &shape, &pairs), root);
                let mut back = Vec::new();
                unfold(root, &shape, &pairs, words, &mut back);
                assert_eq!(&back, state);
                assert_ne!(root, Root::NONE);
                assert_eq!(roots.entry(root.0).or_insert_with(|| state.clone()), state);
            }
        }
    }
}

/// A folder that ran out of memory in the middle of a state does not mix it with the next one.
#[test]
fn a_failed_fold_leaves_nothing_behind() {
    let masks = [u64::MAX; 6];
    let shape = learn(pieces(&masks), &[], 6);
    let budget = Arc::new(Budget::new(40 << 10));
    let pairs = shape.tables(&budget);
    let mut folder = Folder::new(&shape, 6, &budget);
    let mut random = Random(9);
    let mut folded: Vec<(Vec<u64>, Root)> = Vec::new();
    let mut failed = 0;
    for _ in 0..3000 {
        let state: Vec<u64> = (0..6).map(|_| random.below(40)).collect();
        match folder.fold(&state, None, &shape, &pairs) {
            Ok(root) => folded.push((state, root)),
            Err(error) => {
                assert_eq!(error, PairError::Memory);
                failed += 1;
            }
        }
        if let Some((state, root)) = folded.get(random.below(folded.len().max(1) as u64) as usize) {
            assert_eq!(folder.fold(state, None, &shape, &pairs), Ok(*root));
        }
    }
    assert!(failed > 100 && folded.len() > 10, "{failed} {}", folded.len());
}

/// Successors of states that are kept, that are not, and that were kept before; in any order.
#[test]
fn what_a_state_is_compared_with_does_not_matter() {
    let mut random = Random(11);
    for words in [1, 2, 7, 8, 9, 17, 40] {
        // Of few bits and of many, so that leaves have pieces of one word and of several.
        let masks: Vec<u64> = (0..words)
            .map(|word| {
                random.number() & random.number() & if word % 3 == 0 { u64::MAX } else { 0xf0f0_f0f0 }
            })
            .collect();
        let shape = learn(pieces(&masks), &[], words);
        let budget = Arc::new(Budget::new(1 << 26));
        let pairs = shape.tables(&budget);
        let mut folder = Folder::new(&shape, words, &budget);
        let mut states: Vec<(Vec<u64>, Root)> = Vec::new();
        let start = masks.clone();
        let root = folder.fold(&start, Some(Origin::START), &shape, &pairs).unwrap();
        states.push((start, root));
        for _ in 0..if cfg!(miri) { 5 } else { 60 } {
            // A batch is loaded, in one go or in several.
            let batch: Vec<usize> =
                (0..1 + random.below(300)).map(|_| random.below(states.len() as u64) as usize).collect();
            for &at in &batch {
                let mut back = Vec::new();
                folder.unfold(states[at].1, Origin(at as u64 + 1), &shape, &pairs, &mut back);
                assert_eq!(back, states[at].0);
            }
            for _ in 0..20 {
                let of = match random.below(4) {
                    0 => random.below(states.len() as u64) as usize,
                    _ => batch[random.below(batch.len() as u64) as usize],
                };
                let mut state = states[of].0.clone();
                for _ in 0..random.below(4) {
                    let at = random.below(words as u64) as usize;
                    state[at] = random.number() & masks[at];
                }
                let from = (random.below(8) > 0).then_some(Origin(of as u64 + 1));
                let root = folder.fold(&state, from, &shape, &pairs).unwrap();
                assert_eq!(find(&state, &shape, &pairs), root);
                assert_eq!(folder.fold(&state, None, &shape, &pairs), Ok(root));
                states.push((state, root));
            }
        }
        let different: HashMap<u64, &Vec<u64>> = states.iter().map(|(state, root)| (root.0, state)).collect();
        assert!(states.iter().all(|(state, root)| different[&root.0] == state));
        drop((folder, pairs));
        assert_eq!(budget.used(), 0);
    }
}

/// Memory ends in the middle of a successor: its predecessor is what it was before.
#[test]
fn a_failed_fold_leaves_the_predecessor_as_it_was() {
    let masks = [u64::MAX; 6];
    let shape = learn(pieces(&masks), &[], 6);
    let budget = Arc::new(Budget::new(24 << 10));
    let pairs = shape.tables(&budget);
    let mut folder = Folder::new(&shape, 6, &budget);
    let start: Vec<u64> = vec![1; 6];
    let root = folder.fold(&start, None, &shape, &pairs).unwrap();
    folder.unfold(root, Origin(1), &shape, &pairs, &mut Vec::new());
    let mut random = Random(5);
    let (mut failed, mut folded) = (0, 0);
    for _ in 0..3000 {
        let state: Vec<u64> = (0..6).map(|_| random.below(40)).collect();
        match folder.fold(&state, Some(Origin(1)), &shape, &pairs) {
            Ok(root) => {
                folded += 1;
                assert_eq!(find(&state, &shape, &pairs), root);
            }
            Err(error) => {
                failed += 1;
                assert_eq!(error, PairError::Memory);
            }
        }
        assert_eq!(folder.fold(&start, Some(Origin(1)), &shape, &pairs), Ok(root));
    }
    assert!(failed > 100 && folded > 10, "{failed} {folded}");
}
