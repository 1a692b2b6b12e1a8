//! The search along a path: what a cache of states and the paper's sleep sets need.
//!
//! The stack is the path: a state is left when everything behind it is done.
//!
//! When a state is expanded, its successors are looked up together, unless hardly any of them will
//! be known. Those that are known, and have nothing more to explore, are done with. The others wait
//! ([`super::frames`]), and are looked up once more when it is their turn. So the rules of a state
//! are explored in an order of its own. Any order will do, also a different one each time that a
//! state is met.

use super::current::{CurrentState, HandedOn, Way, put};
use super::frames::{Frame, Frames, Next};
use super::sleep::{Again, Sleep};
use super::{DescentStats, PULSE, SleepStats, Steps, contradiction, start, trail};
use crate::contract::model::{Model, RuleId};
use crate::expansion::starts::Starts;
use crate::frontier::Level;
use crate::memory::MemoryError;
use crate::search::site::{Halt, SearchContext};
use crate::search::worker::{NOT_INDEPENDENT, Worker};
use crate::search::{Ending, Repeated};
use crate::settings::Settings;
use crate::spool::Supply;
use crate::visited::bounded::outlook::Outlook;
use crate::visited::{Entered, Segmentation, StateIndex};

/// Steps between two estimates of how many different states there are.
const ESTIMATE: u64 = PULSE << 6;

/// What is before the start states was expanded.
const NOBODY: &str = "the path has no end";

/// How a successor stands when its predecessor is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It is known, and there is nothing to explore.
    Done,
    /// It is known, but rules slept in it that do not now.
    Awake,
    New,
}

/// The search along a path, from one pause to the next.
pub struct AlongPath<'a> {
    current: CurrentState,
    sleep: Option<Sleep<'a>>,
    frames: Frames,
    /// The end of the path. Before the start states there is nobody's state.
    end: Frame,
    /// The successor to which the path goes on at once, if there is one. It is the current state.
    at_hand: Option<Next>,
    /// A violating state: it is kept until it was reported.
    violating: Option<(StateIndex, RuleId)>,
    figures: DescentStats,
    repeated: Option<Repeated>,
    // What goes with the successors.
    known: Vec<Option<StateIndex>>,
    standings: Vec<Standing>,
    sums: Vec<u64>,
}

impl<'a> AlongPath<'a> {
    /// For a visited set of these segments.
    pub fn new(
        model: &'a dyn Model,
        settings: &'a Settings,
        segmentation: Segmentation,
        supply: &Supply,
    ) -> Result<Self, Ending> {
        let sleep = match settings.sleep_along_path() {
            None => None,
            Some(sets) => match Sleep::new(model, sets, segmentation, &supply.part(1, 8)) {
                None => {
                    return Err(Ending::Internal(
                        "nothing is known about which rules are independent".into(),
                    ));
                }
                Some(sleep) => Some(sleep.map_err(|MemoryError| Ending::Memory)?),
            },
        };
        let figures =
            DescentStats { slept: sleep.as_ref().map(|_| SleepStats::default()), ..DescentStats::default() };
        let words = settings.codec(model.description()).stored_words();
        Ok(AlongPath {
            current: CurrentState::new(settings, supply.budget()),
            sleep,
            frames: Frames::new(words, &supply.part(7, 8)),
            end: Frame::ROOT,
            at_hand: None,
            violating: None,
            figures,
            repeated: None,
            known: Vec::new(),
            standings: Vec::new(),
            sums: Vec::new(),
        })
    }

    /// Explores the next of the rules that wait at the end of the path.
    fn go_on(&mut self, worker: &mut Worker<'_>, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        let next = match self.at_hand.take() {
            Some(next) => next,
            None => {
                self.end.waiting -= 1;
                let next = self.frames.take(self.current.place())?;
                next.ok_or_else(|| contradiction("a state that waits is lost"))?
            }
        };
        let entered = self.current.enter(next.rule, self.end.state, next.hash, worker, site)?;
        if let Some(hash) = self.frames.peek() {
            trail(site)?.ask(hash);
        }
        match entered {
            Entered::Known(state) => match again(&mut self.sleep, next.rule, state) {
                Again::Nothing => self.matched(next.rule, next.sum),
                Again::Awake => self.revisit(next, state, worker, site),
            },
            Entered::Fresh(state) => self.visit(next, state, worker, site),
        }
    }

    /// Goes on to a new state.
    fn visit(
        &mut self,
        next: Next,
        index: StateIndex,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        let level = self.frames.next_level();
        let way = Way { rule: next.rule, origin: self.end.state, level };
        let valid = self.current.meet(way, index, worker, site);
        if !valid && self.sleep.is_none() {
            self.violating = Some((index, next.rule));
            return Ok(());
        }
        if let Some(sleep) = &mut self.sleep {
            sleep.descend(next.rule, index, next.sum, worker.expander.successors_mut())?;
        }
        self.push(Frame { state: index.into(), rule: next.rule, waiting: 0, sum: next.sum })?;
        self.expand(worker, site, level, valid)
    }

    fn push(&mut self, frame: Frame) -> Result<(), Halt> {
        self.frames.push(std::mem::replace(&mut self.end, frame))?;
        self.figures.longest = self.figures.longest.max(u64::from(self.frames.next_level().0));
        Ok(())
    }

    /// Fires the rules that do not sleep in the state at the end of the path, which is new.
    fn expand(
        &mut self,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
        level: Level,
        valid: bool,
    ) -> Result<(), Halt> {
        self.current.begin(&mut worker.expander);
        let mut is_first = true;
        loop {
            match &mut self.sleep {
                None => self.current.fire(worker),
                Some(sleep) => {
                    self.current.fire_awake(worker);
                    let Some(asleep) = sleep.expanded(worker.expander.successors()) else {
                        return Err(contradiction(NOT_INDEPENDENT));
                    };
                    if let Some(slept) = &mut self.figures.slept {
                        slept.rules += asleep;
                    }
                    if is_first {
                        sleep.drop_those_to_path(self.end.sum);
                    }
                }
            }
            is_first = false;
            let state = self.end.state.predecessor().ok_or_else(|| contradiction(NOBODY))?;
            self.current.settle(state, level, valid, worker)?;
            self.look_up(!worker.expander.successors().is_cut(), worker, site)?;
            if !self.current.go_on(worker, site)? {
                return Ok(());
            }
        }
    }

    /// Goes on to a known state, for rules that slept there.
    fn revisit(
        &mut self,
        next: Next,
        index: StateIndex,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        self.figures.matched += 1;
        trail(site)?.enter_again(index, self.end.state);
        let Some(sleep) = &mut self.sleep else { return Ok(()) };
        let awake = sleep.revisit(next.rule, index, worker.expander.successors_mut())?;
        if let Some(slept) = &mut self.figures.slept {
            slept.woken += awake;
            slept.revisits += 1;
        }
        self.push(Frame { state: index.into(), rule: next.rule, waiting: 0, sum: next.sum })?;
        self.current.begin(&mut worker.expander);
        loop {
            self.current.fire_woken(awake, worker)?;
            self.look_up(!worker.expander.successors().is_cut(), worker, site)?;
            if !self.current.go_on(worker, site)? {
                return Ok(());
            }
        }
    }

    /// Separates the successors that are known from those to be explored. `is_last`: no others
    /// follow, and it may be the turn of one of them.
    fn look_up(
        &mut self,
        is_last: bool,
        worker: &mut Worker<'_>,
        site: &mut SearchContext<'_>,
    ) -> Result<(), Halt> {
        if !self.end.is_root() {
            worker.inserter.tally.count(worker.expander.successors());
        }
        let count = worker.expander.successors().len();
        if count == 0 {
            return Ok(());
        }
        self.sums.clear();
        if let Some(sleep) = self.sleep.as_ref().filter(|sleep| sleep.has_sums()) {
            self.sums.extend((0..count).map(|at| sleep.sum(worker.expander.successors().state(at))));
        }
        self.current.hash(&worker.expander, worker.inserter.codec, site);
        let too_deep =
            worker.inserter.settings.max_depth.is_some_and(|depth| self.frames.next_level().0 > depth);
        self.standings.clear();
        if !too_deep && (count == 1 || self.sleep.as_ref().is_some_and(|sleep| !sleep.has_sums())) {
            // Hardly any is known where rules sleep, and it is early enough to find that out when
            // it is their turn. (Along the path of the paper's algorithm it is worth more to know
            // it before: a rule that leads to a known state sleeps from then on.)
            self.standings.resize(count, Standing::New);
        } else {
            self.stand(worker, site)?;
        }
        let words = worker.inserter.codec.stored_words();
        let HandedOn { states, rules, hashes, place } =
            self.current.hand_on(&worker.expander, worker.inserter.codec);
        let mut left = self.standings.iter().filter(|standing| **standing != Standing::Done).count();
        if left > 0 && too_deep {
            worker.inserter.beyond_depth = true;
            return Ok(());
        }
        // Those that are known come before those that are new, each in the order of the rules. What
        // is put down last is on top.
        for standing in [Standing::New, Standing::Awake] {
            for (at, _) in self.standings.iter().enumerate().rev().filter(|(_, own)| **own == standing) {
                let state = &states[at * words..(at + 1) * words];
                let sum = self.sums.get(at).copied().unwrap_or(0);
                let next = Next { rule: rules[at], hash: hashes[at], sum };
                left -= 1;
                if left == 0 && is_last {
                    // Its turn is now.
                    put(state, place);
                    self.at_hand = Some(next);
                } else {
                    self.frames.wait(state, next)?;
                    self.end.waiting += 1;
                }
            }
        }
        Ok(())
    }

    /// Finds out how each successor stands.
    fn stand(&mut self, worker: &Worker<'_>, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        self.current.look_up(worker, site, &mut self.known)?;
        for at in 0..worker.expander.successors().len() {
            let rule = worker.expander.successors().rules()[at];
            let standing = match self.known[at] {
                None => Standing::New,
                Some(state) if again(&mut self.sleep, rule, state) == Again::Awake => Standing::Awake,
                Some(_) => {
                    let sum = self.sums.get(at).copied().unwrap_or(0);
                    self.matched(rule, sum)?;
                    Standing::Done
                }
            };
            self.standings.push(standing);
        }
        Ok(())
    }

    /// A rule led to a state that is known.
    fn matched(&mut self, rule: RuleId, sum: u64) -> Result<(), Halt> {
        self.figures.matched += 1;
        if let Some(sleep) = self.sleep.as_mut().filter(|_| !self.end.is_root()) {
            sleep.explored(rule, self.end.sum, sum)?;
        }
        Ok(())
    }

    /// Leaves the state at the end of the path. False: there is none.
    fn go_back(&mut self, site: &mut SearchContext<'_>) -> Result<bool, Halt> {
        if self.end.is_root() {
            return Ok(false);
        }
        let Some(before) = self.frames.pop()? else {
            return Err(contradiction("the path is lost"));
        };
        let left = std::mem::replace(&mut self.end, before);
        let state = left.state.predecessor().ok_or_else(|| contradiction(NOBODY))?;
        trail(site)?.leave(state, left.rule);
        if let Some(sleep) = &mut self.sleep {
            sleep.ascend(left.sum)?;
            if !self.end.is_root() {
                sleep.explored(left.rule, self.end.sum, left.sum)?;
            }
        }
        Ok(true)
    }
}

impl Steps for AlongPath<'_> {
    fn start(&mut self, worker: &mut Worker<'_>, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        let mut starts = Starts::default();
        loop {
            let more = start(&mut starts, worker)?;
            self.look_up(!more, worker, site)?;
            self.current.pause(worker, site)?;
            if !more {
                return Ok(());
            }
        }
    }

    fn resume(&mut self, site: &mut SearchContext<'_>) -> Result<(), Halt> {
        if let Some((index, rule)) = self.violating.take() {
            trail(site)?.leave(index, rule);
        }
        Ok(())
    }

    #[inline(always)]
    fn step(&mut self, worker: &mut Worker<'_>, site: &mut SearchContext<'_>) -> Result<bool, Halt> {
        if self.at_hand.is_some() || self.end.waiting > 0 {
            self.go_on(worker, site)?;
            return Ok(true);
        }
        self.go_back(site)
    }

    fn pause(&mut self, worker: &Worker<'_>, site: &SearchContext<'_>) -> Result<(), Halt> {
        self.current.pause(worker, site)
    }

    fn steps(&mut self) -> &mut u64 {
        &mut self.current.steps
    }

    fn figures(&self) -> DescentStats {
        self.figures
    }

    fn waiting(&self) -> u64 {
        self.frames.waiting() + u64::from(self.at_hand.is_some())
    }

    fn repeated(&mut self, worker: &Worker<'_>, site: &mut SearchContext<'_>) -> Option<Repeated> {
        if self.current.steps.is_multiple_of(ESTIMATE) {
            let bounds = site.share.trail().and_then(|trail| trail.bounds());
            let (visits, rules) = (worker.inserter.tally.states, worker.inserter.tally.rules);
            self.repeated = bounds.map(|bounds| Repeated {
                visits: 100 * visits / bounds.distinct.max(1),
                outlook: Outlook::of(&bounds, visits, rules, self.figures.matched, self.figures.longest),
            });
        }
        self.repeated
    }
}

/// Whether a known state is to be explored for rules that slept there.
fn again(sleep: &mut Option<Sleep<'_>>, rule: RuleId, state: StateIndex) -> Again {
    sleep.as_mut().map_or(Again::Nothing, |sleep| sleep.again(rule, state))
}
