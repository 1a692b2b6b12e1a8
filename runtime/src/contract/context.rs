//! What generated code may ask of the search that runs it: limits, counters, output.

use crate::contract::bags::Bags;
use crate::contract::fault::Fault;
use crate::contract::model::{Simple, Type};
use crate::contract::undefined::{Places, UNDEFINED};
use crate::contract::values::{label, lines};
use std::cell::{Cell, RefCell};
use std::io::Write;

/// How deep recursive functions may call each other.
pub const RECURSION_LIMIT: u32 = 1000;

/// One per thread.
#[derive(Debug)]
pub struct Context {
    /// How often a loop may run (`-loop<n>`).
    pub loop_limit: u64,
    /// How deep recursive functions may call each other.
    pub recursion_limit: u32,
    /// Copying an undefined simple variable is an error, and so is comparing one
    /// (`--strict-undefined`).
    pub strict_undefined: bool,
    /// Of the enabled rules only those with the smallest priority number fire (unless
    /// `--no-priorities`).
    pub priorities: bool,
    /// Which multisets are sorted when a rule ends.
    pub bags: Bags,
    /// Whether `put` statements write anything, and where to.
    pub put: Put,
    /// Other threads write there too, so whole lines only; this is one that has not ended yet.
    whole_lines: Cell<bool>,
    line: RefCell<String>,
    depth: Cell<u32>,
    covered: Vec<Cell<u64>>,
    undefined_compared: RefCell<Places>,
}

/// Where `put` statements write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Put {
    Nowhere,
    StandardOutput,
    StandardError,
    /// Into a text that [`Context::take_put`] returns.
    Kept,
}

impl Context {
    /// `counters`: see [`Description::counters`](crate::contract::model::Description::counters).
    pub fn new(counters: usize) -> Self {
        Context {
            loop_limit: 1000,
            recursion_limit: RECURSION_LIMIT,
            strict_undefined: false,
            priorities: true,
            bags: Bags::Proved,
            put: Put::Nowhere,
            whole_lines: Cell::new(false),
            line: RefCell::new(String::new()),
            depth: Cell::new(0),
            covered: (0..counters).map(|_| Cell::new(0)).collect(),
            undefined_compared: RefCell::default(),
        }
    }

    /// A context with the same limits, for doing again what was done in this one: it prints
    /// nothing, and its counters begin anew.
    pub fn quiet(&self) -> Self {
        Context {
            loop_limit: self.loop_limit,
            recursion_limit: self.recursion_limit,
            strict_undefined: self.strict_undefined,
            priorities: self.priorities,
            bags: self.bags,
            ..Context::new(self.covered.len())
        }
    }

    /// The variable or result at `site`, a scalarset or a union, is undefined and takes part in a
    /// comparison.
    #[cold]
    #[inline(never)]
    pub fn compares_undefined(&self, site: u32) -> Result<i64, Fault> {
        if self.strict_undefined {
            return Err(Fault::at(site));
        }
        self.undefined_compared.borrow_mut().add(site);
        Ok(UNDEFINED)
    }

    /// The variable at `site`, a scalarset or a union, is undefined and becomes a result, an
    /// element of a multiset, or another variable.
    #[cold]
    #[inline(never)]
    pub fn copies_undefined(&self, site: u32) -> Result<i64, Fault> {
        if self.strict_undefined { Err(Fault::at(site)) } else { Ok(UNDEFINED) }
    }

    /// The places at which undefined values were compared.
    pub fn undefined_compared(&self) -> Places {
        self.undefined_compared.borrow().clone()
    }

    /// Goes on from there: these places are known already.
    pub fn set_undefined_compared(&self, places: &Places) {
        self.undefined_compared.replace(places.clone());
    }

    /// A `cover` property or statement was reached.
    #[inline]
    pub fn cover(&self, counter: usize) {
        if let Some(count) = self.covered.get(counter) {
            count.set(count.get() + 1);
        }
    }

    /// How often each property, then each `cover` statement, and then each counted part of the text
    /// was reached.
    pub fn covered(&self) -> impl Iterator<Item = u64> + '_ {
        self.covered.iter().map(Cell::get)
    }

    /// Goes on counting from there.
    pub fn set_covered(&self, counts: &[u64]) {
        self.covered.iter().zip(counts).for_each(|(counter, &count)| counter.set(count));
    }

    /// Entering a recursive function; [`Context::leave`] must follow, also after a fault.
    #[inline]
    pub fn enter(&self, site: u32) -> Result<(), Fault> {
        let depth = self.depth.get() + 1;
        if depth > self.recursion_limit || !crate::contract::stack::has_room() {
            return Err(Fault::with(site, i64::from(depth - 1)));
        }
        self.depth.set(depth);
        Ok(())
    }

    #[inline]
    pub fn leave(&self) {
        self.depth.set(self.depth.get() - 1);
    }

    /// One more turn of a loop that has turned `turns` times.
    #[inline]
    pub fn turn(&self, turns: &mut u64, site: u32) -> Result<(), Fault> {
        *turns += 1;
        if *turns > self.loop_limit {
            return Err(Fault::with(site, self.loop_limit as i64));
        }
        Ok(())
    }

    /// `put` of a string.
    pub fn put_text(&self, text: &str) {
        self.put(|| text.to_owned());
    }

    /// `put` of a value.
    pub fn put_value(&self, ty: &'static Simple, value: i64) {
        self.put(|| label(ty, value).into_owned());
    }

    /// `put` of a value of a scalarset or union, which may be [`UNDEFINED`].
    pub fn put_optional(&self, ty: &'static Simple, value: i64) {
        match value {
            UNDEFINED => self.put_text("Undefined"),
            value => self.put_value(ty, value),
        }
    }

    /// `put` of a variable or a part of one, which may be undefined.
    pub fn put_place(&self, name: &str, ty: &'static Type, bytes: &[u8]) {
        self.put(|| lines(name, ty, bytes));
    }

    /// Makes `put` write whole lines only, because other threads write too; or, with `false`, each
    /// piece of text at once.
    pub fn put_whole_lines(&self, on: bool) {
        self.whole_lines.set(on);
        if !on {
            self.write(&self.line.take());
        }
    }

    /// What was printed since the last time, where that is kept ([`Put::Kept`]).
    pub fn take_put(&self) -> String {
        self.line.take()
    }

    fn put(&self, text: impl FnOnce() -> String) {
        if self.put == Put::Nowhere {
            return;
        }
        if self.put == Put::Kept {
            return self.line.borrow_mut().push_str(&text());
        }
        if !self.whole_lines.get() {
            return self.write(&text());
        }
        let mut line = self.line.borrow_mut();
        line.push_str(&text());
        if let Some(end) = line.rfind('\n') {
            self.write(&line[..=end]);
            line.drain(..=end);
        }
    }

    fn write(&self, text: &str) {
        // Nobody can do anything about an output that is closed; the search goes on.
        let _ = match self.put {
            Put::Nowhere | Put::Kept => Ok(()),
            Put::StandardOutput => std::io::stdout().write_all(text.as_bytes()),
            Put::StandardError => std::io::stderr().write_all(text.as_bytes()),
        };
    }
}
