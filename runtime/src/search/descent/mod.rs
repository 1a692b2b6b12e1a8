//! Depth-first search state by state: what sleep sets and a cache of states need.
//!
//! Sleep sets alone need no path, and have a loop of their own if there are not too many rules ([`pathless`]). What follows is the other one. The search of [`super::expansion`] takes states off a frontier, a batch at a time. It does not know from which path they come, and depth first
//! the states on its stack are those that wait. Here the stack is the path: a state is left when everything behind it is done.
//!
//! When a state is expanded, its successors are looked up together, unless hardly any of them will be known. Those that are known, and have
//! nothing more to explore, are done with. The others wait ([`frames`]), and are looked up once more when it is their turn. So the rules of
//! a state are explored in an order of its own. Any order is right, also a different one each time that a state is met.
//!
//! With sleep sets, a state that breaks a property is expanded nevertheless, if the search goes on at all. Otherwise what
//! lies behind it would be missing where a rule sleeps because it was explored on the way through that state.

mod frames;
pub mod outlook;
mod pathless;
pub mod sleep;
mod stored;
mod sums;

use super::expansion::{Before, NOT_INDEPENDENT, problem_in, reduce, start_states, symmetry_check};
use super::keeping::{Keeper, Pending};
use super::problem::problem_of;
use super::site::{Halt, Pause, Site};
use super::sleeping::Sets;
use super::{Counts, Ending, Repeated, Settings, SleepSets};
use crate::frontier::Level;
use crate::independence::Rows;
use crate::memory::Exhausted;
use crate::model::{Model, RuleId};
use crate::reduction::canonical::Canonicaliser;
use crate::reduction::check::SymmetryCheck;
use crate::reduction::form::canonicaliser;
use crate::spool::Supply;
use crate::successors::Successors;
use crate::sync::Ordering;
use crate::visited::{Batch, Entered, Origin, Segmentation, StateIndex, Trail};
use frames::{Frame, Frames, Next};
use outlook::Outlook;
use pathless::Pathless;
use sleep::{Again, Sleep};

/// Progress is told every so many steps.
const PULSE: u64 = 1 << 10;
/// How many different states there are is estimated every so many steps.
const ESTIMATE: u64 = PULSE << 6;

/// How a successor stands when its predecessor is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Standing {
    /// It is known, and there is nothing to explore.
    Done,
    /// It is known, but rules slept in it that do not now.
    Awake,
    New,
}

/// What a search along a path has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descended {
    /// Rules that led to states that were known.
    pub matched: u64,
    /// What sleep sets left out, if there are any.
    pub slept: Option<Slept>,
    /// The most states on the path.
    pub longest: u64,
}

/// What sleep sets left out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Slept {
    /// Rules that were enabled in a state and slept when it was first met.
    pub rules: u64,
    /// Those that were fired there later.
    pub woken: u64,
    /// How often the search went to a known state again for that.
    pub revisits: u64,
}

/// A search that goes state by state.
pub trait Dive {
    /// Goes on from where it was, until something is to be told or nothing is left.
    fn run(&mut self, from_start: bool, keeper: &mut Keeper<'_>, site: &mut Site<'_>) -> Result<Pause, Halt>;

    fn figures(&self) -> Descended;

    /// States that wait.
    fn waiting(&self) -> u64;

    /// Tells how far it has come.
    fn pulse(&mut self, keeper: &Keeper<'_>, site: &mut Site<'_>);
}

/// Whichever of them it is.
pub type Diving<'a> = Box<dyn Dive + 'a>;

/// The search that the settings ask for, with a visited set of these segments.
pub fn dive<'a>(
    model: &'a dyn Model,
    settings: &'a Settings,
    segmentation: Segmentation,
    supply: &Supply,
) -> Result<Diving<'a>, Ending> {
    // A path is needed to tell which states are on it, or to know when a state may be forgotten.
    let keeps_all = settings.path_cache.is_none()
        && matches!(settings.sleep, Some(SleepSets::Revisit | SleepSets::Levels));
    if keeps_all && let Some(rows) = Rows::new(model) {
        match rows.width() {
            1 => return Ok(Box::new(Pathless::<1>::new(model, settings, rows, segmentation, supply)?)),
            2 => return Ok(Box::new(Pathless::<2>::new(model, settings, rows, segmentation, supply)?)),
            3 => return Ok(Box::new(Pathless::<3>::new(model, settings, rows, segmentation, supply)?)),
            4 => return Ok(Box::new(Pathless::<4>::new(model, settings, rows, segmentation, supply)?)),
            _ => {}
        }
    }
    Ok(Box::new(AlongPath::new(model, settings, segmentation, supply)?))
}

/// The search along a path, from one pause to the next.
pub struct AlongPath<'a> {
    canonicaliser: Option<Canonicaliser<'a>>,
    symmetry_check: Option<SymmetryCheck>,
    successors: Successors,
    sleep: Option<Sleep<'a>>,
    frames: Frames,
    /// The end of the path. Before the start states there is nobody's state.
    end: Frame,
    /// The successor to which the path goes on at once, if there is one. Its words are in `stored`.
    at_hand: Option<Next>,
    /// A state that is wrong: it is kept until it was told of.
    wrong: Option<(StateIndex, RuleId)>,
    figures: Descended,
    steps: u64,
    repeated: Option<Repeated>,
    // The state at hand, as it is stored and as the model computes on it.
    stored: Vec<u64>,
    decoded: Vec<u64>,
    // What goes with its successors.
    encoded: Vec<u64>,
    hashes: Vec<u64>,
    signatures: Vec<u64>,
    origins: Vec<Origin>,
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
        let sleep = match settings.sleep {
            None => None,
            Some(sets) => match Sleep::new(model, sets, segmentation, &supply.part(1, 8)) {
                None => {
                    return Err(Ending::Internal(
                        "nothing is known about which rules are independent".into(),
                    ));
                }
                Some(sleep) => Some(sleep.map_err(|Exhausted| Ending::Memory)?),
            },
        };
        let description = model.description();
        let figures = Descended { slept: sleep.as_ref().map(|_| Slept::default()), ..Descended::default() };
        let words = settings.codec(description).stored_words();
        Ok(AlongPath {
            canonicaliser: canonicaliser(model, settings.symmetry, settings.keep_slots),
            symmetry_check: symmetry_check(description, settings, 0),
            successors: Successors::new(description.words),
            sleep,
            frames: Frames::new(words, &supply.part(7, 8)),
            end: Frame::ROOT,
            at_hand: None,
            wrong: None,
            figures,
            steps: 0,
            repeated: None,
            stored: Vec::new(),
            decoded: Vec::new(),
            encoded: Vec::new(),
            hashes: Vec::new(),
            signatures: Vec::new(),
            origins: Vec::new(),
            known: Vec::new(),
            standings: Vec::new(),
            sums: Vec::new(),
        })
    }

    fn start(&mut self, keeper: &mut Keeper<'_>, site: &mut Site<'_>) -> Result<(), Halt> {
        self.successors.clear();
        start_states(keeper, &mut self.successors);
        if self.successors.is_empty() && keeper.problems.is_empty() {
            return Err(Halt::Ended(Ending::NoStart));
        }
        reduce(&mut self.canonicaliser, &mut self.successors, 0);
        self.look_up(keeper, site)
    }

    /// Explores the next of the rules that wait at the end of the path.
    fn go_on(&mut self, keeper: &mut Keeper<'_>, site: &mut Site<'_>) -> Result<(), Halt> {
        let next = match self.at_hand.take() {
            Some(next) => next,
            None => {
                self.end.waiting -= 1;
                let next = self.frames.take(&mut self.stored)?;
                next.ok_or_else(|| contradiction("a state that waits is lost"))?
            }
        };
        let (hashes, origins) = ([next.hash], [Origin(self.end.index)]);
        let batch = Batch {
            states: &self.stored,
            hashes: &hashes,
            signatures: &[],
            origins: &origins,
            sets: Sets::default(),
        };
        let trail = trail(site)?;
        let entered = trail.enter(&batch, next.rule);
        if let Some(hash) = self.frames.peek() {
            trail.ask(hash);
        }
        match entered.map_err(|full| keeper.halt(full))? {
            Entered::Known(state) => match again(&mut self.sleep, next.rule, state) {
                Again::Nothing => self.matched(next.rule, next.sum),
                Again::Awake => self.revisit(next, state, keeper, site),
            },
            Entered::Fresh(state) => self.visit(next, state, keeper, site),
        }
    }

    /// Goes on to a new state.
    fn visit(
        &mut self,
        next: Next,
        index: StateIndex,
        keeper: &mut Keeper<'_>,
        site: &mut Site<'_>,
    ) -> Result<(), Halt> {
        let level = self.frames.next_level();
        keeper.tally.states += 1;
        keeper.tally.depth = keeper.tally.depth.max(level);
        let state = keeper.codec.decode(&mut self.stored, 1, &mut self.decoded);
        keeper.settings.watch.see(state, &mut keeper.watched);
        if let (true, Some(observer)) = (keeper.settings.show_states, &mut site.observer) {
            let origin = Origin(self.end.index).predecessor().map(|index| u64::from(index.0));
            observer.state(state, u64::from(index.0), origin);
        }
        // With sleep sets, states that are wrong are expanded too: what they lead to is checked in full.
        let violation = match self.end.is_root() || self.sleep.is_some() {
            true => keeper.model.check(&keeper.context, state).err(),
            false => keeper.model.check_after(&keeper.context, next.rule, state).err(),
        };
        if let Some(violation) = violation {
            let (problem, words) = (problem_of(violation), (&*state).into());
            keeper.problems.push(Pending { from: 0, level, state: Some(index), words, problem });
            if self.sleep.is_none() {
                self.wrong = Some((index, next.rule));
                return Ok(());
            }
        }
        if let Some(sleep) = &mut self.sleep {
            sleep.descend(next.rule, index, next.sum, &mut self.successors)?;
        }
        self.push(Frame { index: index.0, rule: next.rule, waiting: 0, sum: next.sum })?;
        self.expand(keeper, site, level, violation.is_none())
    }

    fn push(&mut self, frame: Frame) -> Result<(), Halt> {
        self.frames.push(std::mem::replace(&mut self.end, frame))?;
        self.figures.longest = self.figures.longest.max(u64::from(self.frames.next_level().0));
        Ok(())
    }

    /// Fires the rules that do not sleep in the state at the end of the path, which is new.
    fn expand(
        &mut self,
        keeper: &mut Keeper<'_>,
        site: &mut Site<'_>,
        level: Level,
        right: bool,
    ) -> Result<(), Halt> {
        let state = match keeper.codec.converts() {
            true => &mut self.decoded,
            false => &mut self.stored,
        };
        self.successors.clear();
        match &mut self.sleep {
            None => keeper.model.expand(&keeper.context, state, &mut self.successors),
            Some(sleep) => {
                keeper.model.expand_some(&keeper.context, state, &mut self.successors);
                let Some(asleep) = sleep.expanded(&self.successors) else {
                    return Err(contradiction(NOT_INDEPENDENT));
                };
                if let Some(slept) = &mut self.figures.slept {
                    slept.rules += asleep;
                }
                sleep.drop_those_to_path(self.end.sum);
            }
        }
        let problem = problem_in(&self.successors, Before::default(), keeper.settings);
        if let Some(problem) = problem.filter(|_| right) {
            let (index, words) = (StateIndex(self.end.index), (&**state).into());
            keeper.problems.push(Pending { from: 0, level, state: Some(index), words, problem });
        }
        if let Some(check) = &mut self.symmetry_check {
            let examined = check.examine(keeper.model, state);
            examined.map_err(|difference| Halt::Ended(Ending::Asymmetric(difference)))?;
        }
        reduce(&mut self.canonicaliser, &mut self.successors, 0);
        keeper.tally.unreduced =
            self.canonicaliser.as_ref().map_or(0, |canonicaliser| canonicaliser.unfinished);
        self.look_up(keeper, site)
    }

    /// Goes on to a known state, for rules that slept there.
    fn revisit(
        &mut self,
        next: Next,
        index: StateIndex,
        keeper: &mut Keeper<'_>,
        site: &mut Site<'_>,
    ) -> Result<(), Halt> {
        self.figures.matched += 1;
        trail(site)?.enter_again(index, Origin(self.end.index));
        let Some(sleep) = &mut self.sleep else { return Ok(()) };
        let awake = sleep.revisit(next.rule, index, &mut self.successors)?;
        self.successors.clear();
        let state = keeper.codec.decode(&mut self.stored, 1, &mut self.decoded);
        keeper.model.expand_some(&keeper.context, state, &mut self.successors);
        if self.successors.len() as u64 != awake {
            return Err(contradiction(NOT_INDEPENDENT));
        }
        if let Some(slept) = &mut self.figures.slept {
            slept.woken += awake;
            slept.revisits += 1;
        }
        self.push(Frame { index: index.0, rule: next.rule, waiting: 0, sum: next.sum })?;
        self.look_up(keeper, site)
    }

    /// Tells the successors that are known from those that are to be explored.
    fn look_up(&mut self, keeper: &mut Keeper<'_>, site: &mut Site<'_>) -> Result<(), Halt> {
        if !self.end.is_root() {
            keeper.tally.count(&self.successors);
        }
        let count = self.successors.len();
        if count == 0 {
            return Ok(());
        }
        self.sums.clear();
        if let Some(sleep) = self.sleep.as_ref().filter(|sleep| sleep.has_sums()) {
            self.sums.extend((0..count).map(|at| sleep.sum(self.successors.state(at))));
        }
        let states = keeper.codec.encode(self.successors.words(), count, &mut self.encoded);
        self.hashes.clear();
        self.signatures.clear();
        site.share.hash(states, &mut self.hashes, &mut self.signatures);
        let too_deep = keeper.settings.max_depth.is_some_and(|depth| self.frames.next_level().0 > depth);
        self.standings.clear();
        if !too_deep && (count == 1 || self.sleep.as_ref().is_some_and(|sleep| !sleep.has_sums())) {
            // Hardly any is known where rules sleep, and it is early enough to find that out when it is their turn. (Along the path of
            // the paper's algorithm it is worth more to know it before: a rule that leads to a known state sleeps from then on.)
            self.standings.resize(count, Standing::New);
        } else {
            self.stand(keeper, site)?;
        }
        let words = keeper.codec.stored_words();
        let states = keeper.codec.encoded(self.successors.words(), &self.encoded);
        let mut left = self.standings.iter().filter(|standing| **standing != Standing::Done).count();
        if left > 0 && too_deep {
            keeper.beyond_depth = true;
            return Ok(());
        }
        // Those that are known come before those that are new, each in the order of the rules. What is put down last is on top.
        for standing in [Standing::New, Standing::Awake] {
            for (at, _) in self.standings.iter().enumerate().rev().filter(|(_, own)| **own == standing) {
                let state = &states[at * words..(at + 1) * words];
                let sum = self.sums.get(at).copied().unwrap_or(0);
                let next = Next { rule: self.successors.rules()[at], hash: self.hashes[at], sum };
                left -= 1;
                if left == 0 {
                    // Its turn is now.
                    self.stored.clear();
                    self.stored.extend_from_slice(state);
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
    fn stand(&mut self, keeper: &Keeper<'_>, site: &mut Site<'_>) -> Result<(), Halt> {
        let count = self.successors.len();
        self.origins.resize(count.max(self.origins.len()), Origin::START);
        let batch = Batch {
            states: keeper.codec.encoded(self.successors.words(), &self.encoded),
            hashes: &self.hashes,
            signatures: &[],
            origins: &self.origins[..count],
            sets: Sets::default(),
        };
        self.known.clear();
        trail(site)?.known(&batch, self.successors.rules(), &mut self.known);
        for at in 0..count {
            let rule = self.successors.rules()[at];
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
    fn go_back(&mut self, site: &mut Site<'_>) -> Result<bool, Halt> {
        if self.end.is_root() {
            return Ok(false);
        }
        let Some(before) = self.frames.pop()? else {
            return Err(contradiction("the path is lost"));
        };
        let left = std::mem::replace(&mut self.end, before);
        trail(site)?.leave(StateIndex(left.index), left.rule);
        if let Some(sleep) = &mut self.sleep {
            sleep.ascend(left.sum)?;
            if !self.end.is_root() {
                sleep.explored(left.rule, self.end.sum, left.sum)?;
            }
        }
        Ok(true)
    }
}

impl Dive for AlongPath<'_> {
    fn run(&mut self, from_start: bool, keeper: &mut Keeper<'_>, site: &mut Site<'_>) -> Result<Pause, Halt> {
        if from_start {
            self.start(keeper, site)?;
        }
        if let Some((index, rule)) = self.wrong.take() {
            trail(site)?.leave(index, rule);
        }
        loop {
            if !keeper.problems.is_empty() {
                keeper.stop_early()?;
                return Ok(Pause::Problems);
            }
            self.steps += 1;
            if self.steps.is_multiple_of(PULSE) {
                self.pulse(keeper, site);
                if site.interrupted.load(Ordering::Relaxed) {
                    return Err(Halt::Ended(Ending::Interrupted));
                }
            }
            if self.at_hand.is_some() || self.end.waiting > 0 {
                self.go_on(keeper, site)?;
            } else if !self.go_back(site)? {
                return Ok(Pause::Done);
            }
        }
    }

    fn figures(&self) -> Descended {
        self.figures
    }

    fn waiting(&self) -> u64 {
        self.frames.waiting() + u64::from(self.at_hand.is_some())
    }

    fn pulse(&mut self, keeper: &Keeper<'_>, site: &mut Site<'_>) {
        if self.steps.is_multiple_of(ESTIMATE) {
            let bounds = site.share.trail().and_then(|trail| trail.bounds());
            let (visits, rules) = (keeper.tally.states, keeper.tally.rules);
            self.repeated = bounds.map(|bounds| Repeated {
                visits: 100 * visits / bounds.distinct.max(1),
                outlook: Outlook::of(&bounds, visits, rules, self.figures.matched, self.figures.longest),
            });
        }
        if let Some(observer) = &mut site.observer {
            observer.progress(&Counts {
                states: keeper.tally.states,
                rules: keeper.tally.rules,
                depth: keeper.tally.depth,
                queue: self.waiting(),
                memory: site.budget.used(),
                repeated: self.repeated,
            });
        }
    }
}

/// The visited set, as it serves a path.
fn trail<'s>(site: &'s mut Site<'_>) -> Result<&'s mut dyn Trail, Halt> {
    site.share.trail().ok_or_else(|| contradiction("the visited set does not serve a path"))
}

/// Whether a known state is to be explored for rules that slept there.
fn again(sleep: &mut Option<Sleep<'_>>, rule: RuleId, state: StateIndex) -> Again {
    sleep.as_mut().map_or(Again::Nothing, |sleep| sleep.again(rule, state))
}

fn contradiction(what: &str) -> Halt {
    Halt::Ended(Ending::Internal(what.to_owned()))
}
