//! Canonical forms for models of few elements, which are most: loops have lengths known at compile
//! time.
//!
//! All elements of all scalarsets lie in one array and are sorted at once, again in every round:
//! the first bits of a key are the place where the elements begin that are still tied, so that none
//! leaves its tie. Where this does not come to an end by itself, the state goes the general way
//! from the beginning.

use super::{Canonicaliser, Reduction, pin};
use crate::contract::symmetry::Looking;
use crate::reduction::canonical::sorting::sort;

/// A key is the place where its tie begins, then these bits of a colour, then the element.
const COLOUR: u64 = 0x00ff_ffff_ffff_ff00;

/// Models of more elements go the general way. A power of two, so that no element is outside of
/// arrays of this length.
pub(super) const MOST: usize = 8;

#[inline(always)]
fn element(key: u64) -> usize {
    (key & (MOST as u64 - 1)) as usize
}

#[inline(always)]
fn key(start: usize, colour: u64, element: usize) -> u64 {
    (start as u64) << 56 | (colour >> 8) & COLOUR | element as u64
}

/// A bit for each place: its key is the same as the one before, but for the element.
#[inline(always)]
fn ties<const N: usize>(keys: &[u64; N]) -> u32 {
    let mut tied = 0;
    for place in 1..N {
        tied |= u32::from((keys[place - 1] ^ keys[place]) & !0xff == 0) << place;
    }
    tied
}

impl Canonicaliser<'_> {
    /// Replaces a state of a model with `N` elements by the one that stands for its orbit. Returns
    /// `false` where it takes more than this; then the state is as it was.
    pub(super) fn quick<const N: usize>(&mut self, state: &mut [u64]) -> bool {
        let Some(groups) = self.group_starts.first_chunk::<N>() else { return false };
        let mut colours = [0; MOST];
        self.symmetry.rows(state, &mut colours[..N]);
        pin(&self.pinned, &mut colours[..N]);
        let mut keys: [u64; N] =
            std::array::from_fn(|element| key(groups[element] as usize, colours[element], element));
        sort(&mut keys);
        let mut tied = ties(&keys);
        while tied != 0 {
            let (mut links, mut named) = ([0; MOST], [false; MOST]);
            let mut looking = Looking {
                colours: &colours[..N],
                into: &mut links[..N],
                named: &mut named[..N],
                usual: &self.usual,
                address: state.as_ptr().addr(),
            };
            self.symmetry.links(state, &mut looking);
            let mut start = 0;
            for (place, sorted) in keys.iter_mut().enumerate() {
                let with_one_before = tied >> place & 1 != 0;
                start = if with_one_before { start } else { place };
                let element = element(*sorted);
                // Colours of distinguished elements need not change, but finding out which these
                // are would take longer.
                colours[element] = links[element].wrapping_add((start as u64) << 48);
                *sorted = key(start, colours[element], element);
            }
            sort(&mut keys);
            let before = tied;
            tied = ties(&keys);
            if self.are_alike(state, &keys, tied, &named) {
                break;
            }
            if tied == before {
                match self.reduction {
                    Reduction::Exact => return false,
                    Reduction::Fast => break,
                }
            }
        }
        let in_order = keys.iter().enumerate().fold(true, |all, (place, &key)| all & (element(key) == place));
        if !in_order {
            let mut to = [0u16; MOST];
            for (place, &key) in keys.iter().enumerate() {
                to[element(key)] = place as u16;
            }
            self.other.copy_from_slice(state);
            self.symmetry.rename(&mut self.other, &to[..N], self.bags, state);
        }
        true
    }

    /// Whether all elements that are tied can be exchanged, as far as that is cheap to decide.
    #[inline(always)]
    fn are_alike<const N: usize>(
        &self,
        state: &mut [u64],
        keys: &[u64; N],
        mut tied: u32,
        named: &[bool; MOST],
    ) -> bool {
        while tied != 0 {
            let place = tied.trailing_zeros() as usize % MOST;
            let (left, right) = (element(keys[place.saturating_sub(1)]), element(keys[place]));
            if named[left] || named[right] || !self.symmetry.alike(state, left, right) {
                return false;
            }
            tied &= tied - 1;
        }
        true
    }
}
