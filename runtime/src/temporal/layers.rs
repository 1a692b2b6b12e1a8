//! Which states of an automaton a run can stay in for ever and be accepted.
//!
//! What is strongly connected in the product has its states of the automaton in one strongly
//! connected component of the automaton, since a closed walk stays one when the states of the graph
//! are left out. And it takes, for each `until`, a transition within that component that fulfils
//! it. So only components that have such transitions need be searched for those of the product; of
//! the rest it is enough to know what can be reached.

use super::automaton::Automaton;
use super::components::{Stopped, Tarjan};

/// The components of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layers {
    /// For each state the number of its component, if a run can be accepted within it.
    cores: Vec<Option<u32>>,
    /// Whether a transition leads from the component of a state to another one.
    leaves: Vec<bool>,
    /// Whether whatever happens one may stay in the first state, in which no run is accepted.
    pub stays_first: bool,
}

impl Layers {
    pub fn new(automaton: &Automaton) -> Result<Layers, Stopped> {
        let count = automaton.states.len();
        let mut components = vec![0u32; count];
        let mut number = 0;
        let mut tarjan = Tarjan::new(count)?;
        for root in 0..count {
            tarjan.run(
                root,
                &mut |_| Ok(()),
                &mut |state, first| {
                    let to = automaton.states[state].get(first)?.to;
                    Some((first + 1, to as usize))
                },
                &mut |component, _, _| {
                    component.iter().for_each(|&state| components[state] = number);
                    number += 1;
                    Ok(true)
                },
            )?;
        }
        let mut fulfils: Vec<Option<u64>> = vec![None; number as usize];
        let mut leaves = vec![false; number as usize];
        for (state, transitions) in automaton.states.iter().enumerate() {
            let own = components[state] as usize;
            for transition in transitions {
                match components[transition.to as usize] as usize == own {
                    true => *fulfils[own].get_or_insert(0) |= transition.fulfils,
                    false => leaves[own] = true,
                }
            }
        }
        let accepts = |component: u32| {
            fulfils[component as usize].is_some_and(|fulfils| automaton.untils & !fulfils == 0)
        };
        let cores: Vec<Option<u32>> =
            components.iter().map(|&component| accepts(component).then_some(component)).collect();
        let leaves = components.iter().map(|&component| leaves[component as usize]).collect();
        let waits = |transitions: &Vec<super::automaton::Transition>| {
            transitions.iter().any(|one| one.to == 0 && one.positive == 0 && one.negative == 0)
        };
        let stays_first = cores.first() == Some(&None) && automaton.states.first().is_some_and(waits);
        Ok(Layers { cores, leaves, stays_first })
    }

    /// The component of a state, if a run can be accepted within it.
    pub fn core(&self, state: usize) -> Option<u32> {
        self.cores.get(state).copied().flatten()
    }

    /// Whether one can get from the component of a state to another one.
    pub fn leaves(&self, state: usize) -> bool {
        self.leaves.get(state).copied().unwrap_or(true)
    }
}

#[cfg(test)]
mod tests {
    use super::super::automaton::Transition;
    use super::*;

    fn transition(to: u32, positive: u64, fulfils: u64) -> Transition {
        Transition { positive, negative: 0, to, fulfils }
    }

    /// Waits in 0, goes round 1 and 2, each of which fulfils one of two, and ends in 3, which
    /// fulfils one alone.
    #[test]
    fn a_component_that_fulfils_all_is_a_core() {
        let states = vec![
            vec![transition(0, 0, 0), transition(1, 1, 3)],
            vec![transition(2, 1, 1)],
            vec![transition(1, 1, 2), transition(3, 1, 3)],
            vec![transition(3, 0, 1)],
        ];
        let layers = Layers::new(&Automaton { states, untils: 3 }).unwrap();
        assert!(layers.stays_first);
        let cores: Vec<bool> = (0..4).map(|state| layers.core(state).is_some()).collect();
        assert_eq!(cores, [false, true, true, false]);
        assert_eq!(layers.core(1), layers.core(2));
        assert!(layers.leaves(0) && layers.leaves(1) && layers.leaves(2) && !layers.leaves(3));
    }

    /// A state without a transition to itself accepts nothing, although nothing is to be fulfilled.
    #[test]
    fn a_core_has_a_transition() {
        let states = vec![vec![transition(1, 1, 0)], vec![transition(1, 2, 0)]];
        let layers = Layers::new(&Automaton { states, untils: 0 }).unwrap();
        assert_eq!((layers.core(0), layers.core(1).is_some(), layers.stays_first), (None, true, false));
    }
}
