//! Expanding a state in pieces: which of its events are taken now.

use super::Successors;

/// Rules that are listed in a buffer with a bound and lead to no other state, at most, of each
/// kind.
const LISTED: usize = 1 << 16;

/// Which of the events of a state are taken now.
#[derive(Debug)]
pub(super) struct Window {
    /// Words after which events are left out; none for what is not expanded in pieces.
    bound: Option<usize>,
    /// Events of the state that were taken in earlier pieces.
    taken_before: u64,
    /// Those of them that this piece still has to pass by.
    to_pass: u64,
    /// What was in the buffer when this piece began, in events.
    at_beginning: u64,
    /// Events that were passed by or left out: they count as firings.
    elsewhere: u64,
    /// Something was left out.
    is_cut: bool,
}

impl Window {
    pub(super) fn new(bound: Option<usize>) -> Self {
        Window { bound, taken_before: 0, to_pass: 0, at_beginning: 0, elsewhere: 0, is_cut: false }
    }

    /// The buffer is empty.
    pub(super) fn clear(&mut self) {
        self.at_beginning = 0;
        self.elsewhere = 0;
    }

    /// Events that were passed by or left out.
    #[inline]
    pub(super) fn elsewhere(&self) -> u64 {
        self.elsewhere
    }
}

impl Successors {
    /// The next expansion is that of another state, from its first event on.
    pub fn begin(&mut self) {
        self.window.taken_before = 0;
        self.begin_piece();
    }

    /// After an expansion: whether something was left out. Then the next expansion must be that of
    /// the same state, with the same rules asleep, and takes what follows, whether the buffer is
    /// cleared before or not.
    pub fn go_on(&mut self) -> bool {
        let is_cut = self.window.is_cut;
        if is_cut {
            self.window.taken_before += self.taken() - self.window.at_beginning;
        } else {
            self.window.taken_before = 0;
        }
        self.begin_piece();
        is_cut
    }

    fn begin_piece(&mut self) {
        let at_beginning = self.taken();
        let window = &mut self.window;
        window.at_beginning = at_beginning;
        window.to_pass = window.taken_before;
        window.elsewhere = 0;
        window.is_cut = false;
        self.most = if window.to_pass > 0 { 0 } else { window.bound.unwrap_or(usize::MAX) };
    }

    /// Whether the last expansion left something out, or did not begin with the first event.
    pub fn is_piece(&self) -> bool {
        self.window.is_cut || self.window.taken_before > 0
    }

    /// Whether the last expansion left something out.
    pub fn is_cut(&self) -> bool {
        self.window.is_cut
    }

    /// Whether the event that is due now belongs to this piece.
    #[inline(always)]
    pub(super) fn takes(&mut self) -> bool {
        self.words.len() < self.most || self.takes_late()
    }

    #[cold]
    #[inline(never)]
    pub(super) fn takes_late(&mut self) -> bool {
        let window = &mut self.window;
        window.elsewhere += 1;
        if window.to_pass > 0 {
            window.to_pass -= 1;
            if window.to_pass == 0 {
                self.most = window.bound.unwrap_or(usize::MAX);
            }
        } else {
            window.is_cut = true;
            self.most = 0;
        }
        false
    }

    /// A list has become longer that has no words.
    #[inline(always)]
    pub(super) fn bound_list(&mut self, length: usize) {
        if length >= LISTED && self.window.bound.is_some() {
            self.most = 0;
        }
    }

    /// Words that this buffer may grow to, if it has a bound.
    pub fn bound(&self) -> Option<usize> {
        self.window.bound
    }
}
