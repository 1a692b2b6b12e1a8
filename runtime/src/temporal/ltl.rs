//! Formulas of linear temporal logic in negation normal form, each stored once.

use std::collections::HashMap;

/// The position of a formula among [`Formulas`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FormulaId(pub u32);

/// A formula in negation normal form.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    True,
    False,
    /// The proposition with this number is true, or false.
    Literal {
        proposition: u32,
        positive: bool,
    },
    And(FormulaId, FormulaId),
    Or(FormulaId, FormulaId),
    Next(FormulaId),
    Until(FormulaId, FormulaId),
    Release(FormulaId, FormulaId),
}

/// Formulas that share their parts.
#[derive(Clone, Debug, Default)]
pub struct Formulas {
    nodes: Vec<Node>,
    known: HashMap<Node, FormulaId>,
}

impl Formulas {
    pub fn node(&self, formula: FormulaId) -> Node {
        self.nodes.get(formula.0 as usize).copied().unwrap_or(Node::False)
    }

    fn intern(&mut self, node: Node) -> FormulaId {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let id = FormulaId(self.nodes.len() as u32);
        self.nodes.push(node);
        self.known.insert(node, id);
        id
    }

    pub fn constant(&mut self, value: bool) -> FormulaId {
        self.intern(if value { Node::True } else { Node::False })
    }

    pub fn literal(&mut self, proposition: u32, positive: bool) -> FormulaId {
        self.intern(Node::Literal { proposition, positive })
    }

    pub fn and(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.node(left), self.node(right)) {
            (Node::False, _) | (_, Node::False) => self.constant(false),
            (Node::True, _) => right,
            (_, Node::True) => left,
            _ if left == right => left,
            _ if self.contradict(left, right) => self.constant(false),
            _ => self.intern(Node::And(left.min(right), left.max(right))),
        }
    }

    pub fn or(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.node(left), self.node(right)) {
            (Node::True, _) | (_, Node::True) => self.constant(true),
            (Node::False, _) => right,
            (_, Node::False) => left,
            _ if left == right => left,
            _ if self.contradict(left, right) => self.constant(true),
            _ => self.intern(Node::Or(left.min(right), left.max(right))),
        }
    }

    pub fn next(&mut self, inner: FormulaId) -> FormulaId {
        match self.node(inner) {
            Node::True | Node::False => inner,
            _ => self.intern(Node::Next(inner)),
        }
    }

    pub fn until(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.node(left), self.node(right)) {
            (_, Node::True | Node::False) => right,
            (Node::False, _) => right,
            // a U (a U b) = a U b; eventually of eventually is the case a = true.
            (_, Node::Until(inner, _)) if inner == left => right,
            _ => self.intern(Node::Until(left, right)),
        }
    }

    pub fn release(&mut self, left: FormulaId, right: FormulaId) -> FormulaId {
        match (self.node(left), self.node(right)) {
            (_, Node::True | Node::False) => right,
            (Node::True, _) => right,
            (_, Node::Release(inner, _)) if inner == left => right,
            _ => self.intern(Node::Release(left, right)),
        }
    }

    /// Whether they are a proposition and its negation.
    fn contradict(&self, left: FormulaId, right: FormulaId) -> bool {
        match (self.node(left), self.node(right)) {
            (
                Node::Literal { proposition, positive },
                Node::Literal { proposition: other, positive: sign },
            ) => proposition == other && positive != sign,
            _ => false,
        }
    }

    /// Whether a violation of it shows in a finite prefix of a run, by its form: no `until` in it.
    pub fn is_safety(&self, formula: FormulaId) -> bool {
        match self.node(formula) {
            Node::True | Node::False | Node::Literal { .. } => true,
            Node::Until(..) => false,
            Node::Next(inner) => self.is_safety(inner),
            Node::And(left, right) | Node::Or(left, right) | Node::Release(left, right) => {
                self.is_safety(left) && self.is_safety(right)
            }
        }
    }
}
