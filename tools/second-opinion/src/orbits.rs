//! Orbits counted the slow way: all states, all permutations of all scalarsets.
//!
//! Two states are of one orbit if renaming the elements of scalarsets makes one of the other. Here
//! every renaming is tried on every state, by the model's tables. Nothing is shared with the
//! canonical form but the meaning of a renaming.

use mcc_runtime::context::Context;
use mcc_runtime::contract::bags::Bags;
use mcc_runtime::internals::rename;
use mcc_runtime::model::{Description, Firing, Model, StartId};
use mcc_runtime::successors::Successors;
use std::collections::HashMap;

/// All states that a model reaches, in the order in which they were found.
pub struct Space {
    pub states: Vec<Vec<u64>>,
    /// How many rules were fired in each.
    pub fired: Vec<u64>,
    /// Where they led.
    pub next: Vec<Vec<usize>>,
    places: HashMap<Vec<u64>, usize>,
    /// The first states are start states.
    starts: usize,
}

/// What the orbits of a space are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orbits {
    pub count: u64,
    /// Rules fired in one state of each orbit.
    pub rules: u64,
}

/// Explores everything; `None` where something goes wrong, or there are too many states.
pub fn explore(model: &dyn Model, context: &Context, most: usize) -> Option<Space> {
    let description = model.description();
    let mut space =
        Space { states: Vec::new(), fired: Vec::new(), next: Vec::new(), places: HashMap::new(), starts: 0 };
    for start in 0..description.start_instances() {
        let mut state = vec![0; description.words];
        match model.start(context, StartId(start), &mut state) {
            Firing::Fired => {
                space.place(&state);
            }
            Firing::Disabled | Firing::Pruned => {}
            Firing::Faulted(_) => return None,
        }
    }
    space.starts = space.states.len();
    let mut successors = Successors::new(description.words);
    let mut at = 0;
    while at < space.states.len() {
        if space.states.len() > most {
            return None;
        }
        let mut state = space.states[at].clone();
        model.check(context, &mut state).ok()?;
        successors.clear();
        model.expand(context, &mut state, &mut successors);
        if !successors.faults().is_empty() {
            return None;
        }
        let mut next: Vec<usize> =
            (0..successors.len()).map(|number| space.place(successors.state(number))).collect();
        next.extend(successors.unchanged().iter().map(|_| at));
        space.fired.push((next.len() + successors.excluded().len()) as u64);
        space.next.push(next);
        at += 1;
    }
    Some(space)
}

impl Space {
    fn place(&mut self, state: &[u64]) -> usize {
        if let Some(known) = self.places.get(state) {
            return *known;
        }
        self.states.push(state.to_vec());
        self.places.insert(state.to_vec(), self.states.len() - 1);
        self.states.len() - 1
    }

    pub fn rules(&self) -> u64 {
        self.fired.iter().sum()
    }

    /// The orbits; or what shows that the elements of a scalarset are not alike in this model: a
    /// renamed state that is not reached, although each start state is one under other names, too;
    /// or one that behaves otherwise.
    pub fn orbits(&self, description: &Description, whose: Whose) -> Result<Orbits, String> {
        let renamings = renamings(description, whose);
        let mut orbit: Vec<Option<usize>> = vec![None; self.states.len()];
        let mut first: Vec<usize> = Vec::new();
        let mut known: HashMap<Vec<u64>, usize> = HashMap::new();
        let mut renamed = vec![0; description.words];
        let mut closed = true;
        for (at, state) in self.states.iter().enumerate() {
            // The smallest of all forms stands for the orbit, whether it is reached or not.
            let mut smallest: Option<Vec<u64>> = None;
            for to in &renamings {
                rename(description, to, Bags::Proved, state, &mut renamed);
                let place = self.places.get(&renamed);
                if at < self.starts {
                    closed &= place.is_some_and(|place| *place < self.starts);
                } else if closed && place.is_none() {
                    return Err(format!("state {at} is reached, but not as {to:?} renames it"));
                }
                if smallest.as_ref().is_none_or(|smallest| renamed < *smallest) {
                    smallest = Some(renamed.clone());
                }
            }
            let number = *known.entry(smallest.unwrap_or_default()).or_insert_with(|| {
                first.push(at);
                first.len() - 1
            });
            orbit[at] = Some(number);
        }
        let behaviour = |at: usize| {
            let mut next: Vec<Option<usize>> = self.next[at].iter().map(|next| orbit[*next]).collect();
            next.sort_unstable();
            (self.fired[at], next)
        };
        for at in 0..self.states.len() {
            let representative = orbit[at].map_or(at, |orbit| first[orbit]);
            if behaviour(at) != behaviour(representative) {
                return Err(format!(
                    "states {representative} and {at} differ only in names, but lead to different orbits"
                ));
            }
        }
        Ok(Orbits {
            count: first.len() as u64,
            rules: first.iter().map(|representative| self.fired[*representative]).sum(),
        })
    }
}

/// Whose elements are renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those of scalarsets that were proved to be symmetric: the others are not reduced.
    Proved,
    All,
}

/// How many renamings a model has.
pub fn number_of_renamings(description: &Description) -> u64 {
    let factorial = |size: u32| (1..=u64::from(size)).fold(1u64, u64::saturating_mul);
    let reduced = description.scalarsets.iter().filter(|one| one.doubt.is_none());
    reduced.map(|one| factorial(one.size)).fold(1, u64::saturating_mul)
}

/// Every renaming of the elements.
fn renamings(description: &Description, whose: Whose) -> Vec<Vec<u16>> {
    let mut all = vec![Vec::new()];
    for scalarset in description.scalarsets {
        let names: Vec<u16> = (0..scalarset.size).map(|name| (scalarset.first + name) as u16).collect();
        let orders = match (&scalarset.doubt, whose) {
            (None, _) | (Some(_), Whose::All) => permutations(&names),
            (Some(_), Whose::Proved) => vec![names],
        };
        all = all
            .into_iter()
            .flat_map(|before: Vec<u16>| orders.iter().map(move |order| [before.as_slice(), order].concat()))
            .collect();
    }
    all
}

fn permutations(names: &[u16]) -> Vec<Vec<u16>> {
    if names.is_empty() {
        return vec![Vec::new()];
    }
    let mut found = Vec::new();
    for (at, name) in names.iter().enumerate() {
        let mut rest = names.to_vec();
        rest.remove(at);
        found.extend(permutations(&rest).into_iter().map(|mut order| {
            order.insert(0, *name);
            order
        }));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_permutations_as_there_should_be() {
        let mut found = permutations(&[0, 1, 2, 3]);
        assert_eq!(found.len(), 24);
        found.sort();
        found.dedup();
        assert_eq!(found.len(), 24);
    }
}
