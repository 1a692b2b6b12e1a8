//! What each name in the text of a model stands for, as far as it can be parsed: what editors need
//! for definitions, references and names to choose from.
//!
//! The type checker resolves names as well, but keeps values and types, not places; and it may stop
//! at mistakes. Here nothing is a mistake: a name that stands for nothing is left out.

mod resolve;

use std::rc::Rc;

use crate::source::Span;
use crate::syntax::tree::Program;

/// Position in [`Names::symbols`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub usize);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Constant,
    Member,
    Type,
    Variable,
    /// A variable of a rule or function.
    Local,
    /// A parameter of a function or a ruleset, or what a loop or quantifier runs through.
    Parameter,
    Alias,
    Field,
    Function,
}

impl Kind {
    /// What it is called where people read it.
    pub fn words(self) -> &'static str {
        match self {
            Kind::Constant => "constant",
            Kind::Member => "enum member",
            Kind::Type => "type",
            Kind::Variable => "state variable",
            Kind::Local => "local variable",
            Kind::Parameter => "parameter",
            Kind::Alias => "alias",
            Kind::Field => "field",
            Kind::Function => "function",
        }
    }
}

/// A type, as far as names in it matter.
#[derive(Clone, Debug)]
pub enum Shape {
    Named(SymbolId),
    Record(Vec<SymbolId>),
    /// An array or a multiset of these.
    Sequence(Rc<Shape>),
    Other,
}

#[derive(Clone, Debug)]
pub struct Symbol {
    pub name: String,
    pub kind: Kind,
    /// Its name where it is declared.
    pub span: Span,
    /// What its declaration says after the name: a type or a value.
    pub definition: Span,
    /// Where it can be used.
    pub scope: Span,
    pub shape: Rc<Shape>,
    /// The value of a constant that is a number.
    pub value: Option<i64>,
    /// The parameters of a function, each as it is written.
    pub parameters: Vec<SymbolId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    pub span: Span,
    pub symbol: SymbolId,
}

/// All names of a model.
#[derive(Clone, Debug, Default)]
pub struct Names {
    pub symbols: Vec<Symbol>,
    /// Declarations and uses, in the order of the text.
    pub occurrences: Vec<Occurrence>,
}

impl Names {
    pub fn of(program: &Program, length: usize) -> Names {
        resolve::resolve(program, length)
    }

    pub fn symbol(&self, id: SymbolId) -> Option<&Symbol> {
        self.symbols.get(id.0)
    }

    /// The name at a place, or right before it.
    pub fn at(&self, offset: usize) -> Option<Occurrence> {
        let offset = offset as u32;
        let next = self.occurrences.partition_point(|one| one.span.start <= offset);
        let one = next.checked_sub(1).and_then(|at| self.occurrences.get(at))?;
        (offset <= one.span.end).then_some(*one)
    }

    pub fn uses(&self, symbol: SymbolId) -> impl Iterator<Item = Occurrence> + '_ {
        self.occurrences.iter().copied().filter(move |one| one.symbol == symbol)
    }

    /// What can be named at a place, fields aside; of those with one name, the innermost.
    pub fn visible(&self, offset: usize) -> Vec<&Symbol> {
        let offset = offset as u32;
        let mut visible: Vec<&Symbol> = self
            .symbols
            .iter()
            .filter(|one| one.kind != Kind::Field && one.scope.start <= offset && offset <= one.scope.end)
            .collect();
        visible.sort_by_key(|one| (one.name.as_str(), one.scope.end - one.scope.start));
        visible.dedup_by_key(|one| one.name.as_str());
        visible
    }

    /// The fields of a record.
    pub fn fields<'a>(&'a self, shape: &'a Shape) -> &'a [SymbolId] {
        match self.settle(shape) {
            Some(Shape::Record(fields)) => fields,
            _ => &[],
        }
    }

    /// What an array or a multiset holds.
    pub fn element(&self, shape: &Shape) -> Option<Rc<Shape>> {
        match self.settle(shape) {
            Some(Shape::Sequence(element)) => Some(element.clone()),
            _ => None,
        }
    }

    /// Follows names of types. A type can only be made of those before it, so this ends.
    fn settle<'a>(&'a self, mut shape: &'a Shape) -> Option<&'a Shape> {
        for _ in 0..=self.symbols.len() {
            match shape {
                Shape::Named(id) => shape = &self.symbols.get(id.0)?.shape,
                _ => return Some(shape),
            }
        }
        None
    }
}
