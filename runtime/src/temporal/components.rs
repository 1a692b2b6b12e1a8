//! Strongly connected components by Tarjan's algorithm, without recursion; the caller says what
//! follows what, is asked regularly whether to go on, and gets each component when it is complete.

/// Why a search was not finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    Interrupted,
    Memory,
}

/// Asked every few thousand steps, with the bytes that are held: whether to go on.
pub type Poll<'a> = dyn FnMut(u64) -> Result<(), Stopped> + 'a;

/// What gets a complete component and the bytes that are held, and says whether to go on.
pub type Found<'a> = dyn FnMut(&[usize], u64, &mut Poll<'_>) -> Result<bool, Stopped> + 'a;

/// Steps between two questions: about a millisecond.
pub(super) const STEPS: u32 = 1 << 14;

const UNSEEN: u32 = 0;
const DONE: u32 = u32::MAX;

pub(super) struct Tarjan {
    /// In which order places were met.
    order: Vec<u32>,
    met: u32,
    open: Vec<usize>,
    /// Each place with the number of its next step, and the earliest place that it leads back to.
    path: Vec<(usize, usize, u32)>,
    steps: u32,
}

impl Tarjan {
    /// For places below `size`.
    pub(super) fn new(size: usize) -> Result<Self, Stopped> {
        if u32::try_from(size).map_or(true, |size| size == DONE) {
            return Err(Stopped::Memory);
        }
        let order = vec![UNSEEN; size];
        Ok(Tarjan { order, met: 0, open: Vec::new(), path: Vec::new(), steps: 0 })
    }

    /// What the stacks take, beside four bytes for each place.
    fn bytes(&self) -> u64 {
        let open = self.open.capacity() * size_of::<usize>();
        let path = self.path.capacity() * size_of::<(usize, usize, u32)>();
        (open + path) as u64
    }

    /// Whether a place was not met yet; from now on it is done with, whatever it leads to.
    pub(super) fn pass(&mut self, place: usize) -> bool {
        std::mem::replace(&mut self.order[place], DONE) == UNSEEN
    }

    pub(super) fn is_unseen(&self, place: usize) -> bool {
        self.order[place] == UNSEEN
    }

    fn enter(&mut self, place: usize) {
        self.met += 1;
        self.order[place] = self.met;
        self.open.push(place);
        self.path.push((place, 0, self.met));
    }

    /// Finds the components that can be reached from a place, those behind others first. `next`
    /// gives what follows a place, from the step with this number on; `found` says whether to go
    /// on, and gets the bytes that are held.
    pub(super) fn run(
        &mut self,
        root: usize,
        poll: &mut Poll<'_>,
        next: &mut dyn FnMut(usize, usize) -> Option<(usize, usize)>,
        found: &mut Found<'_>,
    ) -> Result<(), Stopped> {
        if self.order[root] != UNSEEN {
            return Ok(());
        }
        self.enter(root);
        while let Some((place, step, low)) = self.path.last_mut() {
            self.steps += 1;
            if self.steps == STEPS {
                self.steps = 0;
                poll(self.bytes())?;
                continue;
            }
            if let Some((following, to)) = next(*place, *step) {
                *step = following;
                match self.order[to] {
                    DONE => {}
                    UNSEEN => self.enter(to),
                    met => *low = (*low).min(met),
                }
                continue;
            }
            let (place, low) = (*place, *low);
            self.path.pop();
            if let Some((_, _, above)) = self.path.last_mut() {
                *above = (*above).min(low);
            }
            if low == self.order[place] {
                let from = self.open.iter().rposition(|&one| one == place).unwrap_or(0);
                let goes_on = found(&self.open[from..], self.bytes(), poll)?;
                self.open.drain(from..).for_each(|one| self.order[one] = DONE);
                if !goes_on {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A long way without a complete component, then a circle over all of it.
    #[test]
    fn a_search_is_asked_long_before_its_first_component() {
        const PLACES: usize = 1 << 20;
        let circle = |place: usize, step: usize| (step == 0).then_some((1, (place + 1) % PLACES));
        let mut asked = 0;
        let mut tarjan = Tarjan::new(PLACES).unwrap();
        let stopped = tarjan.run(
            0,
            &mut |bytes| {
                asked += 1;
                assert!(bytes > u64::from(STEPS - 1) * 32, "{bytes}");
                if asked == 3 { Err(Stopped::Interrupted) } else { Ok(()) }
            },
            &mut { circle },
            &mut |_, _, _| panic!("no component is complete yet"),
        );
        assert_eq!((stopped, asked), (Err(Stopped::Interrupted), 3));
        assert!(tarjan.met < 3 * STEPS);

        let (mut asked, mut sizes) = (0, Vec::new());
        let mut tarjan = Tarjan::new(PLACES).unwrap();
        let ended = tarjan.run(
            0,
            &mut |_| {
                asked += 1;
                Ok(())
            },
            &mut { circle },
            &mut |component, _, _| {
                sizes.push(component.len());
                Ok(true)
            },
        );
        assert_eq!((ended, sizes), (Ok(()), vec![PLACES]));
        assert!(asked >= 2 * PLACES as u32 / STEPS);
    }

    #[test]
    fn more_places_than_can_be_numbered_are_too_many() {
        assert_eq!(Tarjan::new(u32::MAX as usize).err(), Some(Stopped::Memory));
    }
}
