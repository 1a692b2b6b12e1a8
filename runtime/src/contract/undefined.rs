//! Undefined values of scalarsets and unions, which may be compared: undefined equals undefined and
//! nothing else.
//!
//! Values of these types count from 0, so generated code passes "undefined" on as the number -1,
//! and `=` is a comparison of numbers. Numbers, enums and booleans have no such number: to read an
//! undefined one is an error.

use crate::contract::cells::SimpleCell;
use crate::contract::context::Context;
use crate::contract::fault::Fault;
use crate::contract::model::{Description, Position};

/// What stands for "undefined" among the values of a scalarset or union.
pub const UNDEFINED: i64 = -1;

/// A value of a scalarset or union that has to be defined.
#[inline(always)]
pub fn defined(value: i64, site: u32) -> Result<i64, Fault> {
    if value == UNDEFINED { Err(Fault::at(site)) } else { Ok(value) }
}

/// The result of a function in a comparison, which may be [`UNDEFINED`] unless that is forbidden.
#[inline(always)]
pub fn compared(context: &Context, value: i64, site: u32) -> Result<i64, Fault> {
    if value == UNDEFINED { context.compares_undefined(site) } else { Ok(value) }
}

/// A place for a value of a scalarset or union.
pub trait OptionalCell: SimpleCell {
    /// The value in a comparison, or [`UNDEFINED`] unless that is forbidden.
    #[inline(always)]
    fn compared(&self, context: &Context, site: u32) -> Result<i64, Fault> {
        match self.value() {
            Some(value) => Ok(value),
            None => context.compares_undefined(site),
        }
    }

    /// The value that is passed on, or [`UNDEFINED`] unless that is forbidden.
    #[inline(always)]
    fn copied(&self, context: &Context, site: u32) -> Result<i64, Fault> {
        match self.value() {
            Some(value) => Ok(value),
            None => context.copies_undefined(site),
        }
    }
}

impl<T: SimpleCell> OptionalCell for T {}

/// A set of sites, by number ([`Description::sites`]).
///
/// It holds where something happened and not how often: how often a guard or an invariant is
/// evaluated depends on the optimisations, whether it is evaluated at all does not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// A bit for each site.
    words: Vec<u64>,
}

/// A place in the model's text at which an undefined value was compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Compared {
    pub position: Position,
    /// What a message says of it, such as "`owner` is undefined".
    pub message: &'static str,
}

impl Places {
    pub fn add(&mut self, site: u32) {
        let (word, bit) = (site as usize / 64, site % 64);
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        if let Some(word) = self.words.get_mut(word) {
            *word |= 1 << bit;
        }
    }

    /// Takes in those of another thread.
    pub fn join(&mut self, other: &Places) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        self.words.iter_mut().zip(&other.words).for_each(|(own, other)| *own |= other);
    }

    /// As words of a file.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// From the words of a file; `None` if they name sites that the model has not.
    pub fn from_words(words: Vec<u64>, description: &Description) -> Option<Self> {
        let places = Places { words };
        let known = places.sites().all(|site| site < description.sites.len());
        known.then_some(places)
    }

    fn sites(&self) -> impl Iterator<Item = usize> + '_ {
        let bits = self.words.iter().enumerate();
        bits.flat_map(|(at, word)| {
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 64 * at + bit)
        })
    }

    /// The places in the order of the model's text.
    pub fn compared(&self, description: &Description) -> Vec<Compared> {
        let sites = self.sites().filter_map(|site| description.sites.get(site));
        let mut compared: Vec<Compared> =
            sites.map(|site| Compared { position: site.position, message: site.message }).collect();
        compared.sort_unstable();
        compared.dedup_by_key(|compared| compared.position);
        compared
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_threads_are_joined() {
        let (mut one, mut other) = (Places::default(), Places::default());
        one.add(3);
        other.add(64);
        other.add(3);
        one.join(&other);
        assert_eq!(one.sites().collect::<Vec<_>>(), [3, 64]);
        other.join(&one);
        assert_eq!(one, other);
        assert_eq!(Places::default().sites().count(), 0);
    }

    #[test]
    fn a_value_that_is_needed_must_be_defined() {
        assert_eq!(defined(0, 7), Ok(0));
        assert_eq!(defined(UNDEFINED, 7), Err(Fault::at(7)));
    }
}
