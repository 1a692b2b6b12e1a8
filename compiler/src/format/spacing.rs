//! Which tokens have a space between them when they stand on one line.

use crate::syntax::concrete::{Concrete, Node, Rule};

/// What is special about a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Role {
    #[default]
    Plain,
    /// A sign before its operand.
    Prefix,
    /// A bracket that belongs to the word before it, as of a call or an index.
    Attached,
    /// The second half of `a ? b : c`.
    Alternative,
    /// Part of the sign that the token before begins.
    Continued,
    /// Of text that is only recognised, not parsed: its spaces stay.
    Unread,
}

/// The roles of all tokens.
pub(super) fn roles(concrete: &Concrete) -> Vec<Role> {
    let mut roles = vec![Role::Plain; concrete.tokens.len()];
    let mut finder = Finder { concrete, roles: &mut roles };
    for piece in &concrete.pieces {
        match &piece.node {
            Some(node) => finder.node(node, node.rule),
            None => piece.tokens.clone().skip(1).for_each(|at| finder.set(at, Role::Unread)),
        }
    }
    roles
}

struct Finder<'concrete> {
    concrete: &'concrete Concrete,
    roles: &'concrete mut [Role],
}

impl Finder<'_> {
    fn set(&mut self, at: usize, role: Role) {
        if let Some(slot) = self.roles.get_mut(at) {
            *slot = role;
        }
    }

    fn node(&mut self, node: &Node, parent: Rule) {
        for child in &node.children {
            self.node(child, node.rule);
        }
        if !node.children.is_empty() {
            return;
        }
        let tokens = self.concrete.range(node.span);
        let parenthesised = matches!(parent, Rule::parenthesised | Rule::formula_parenthesised);
        let role = match node.rule {
            Rule::prefix_operator => Role::Prefix,
            Rule::open_parenthesis if !parenthesised => Role::Attached,
            Rule::open_bracket if parent == Rule::selector => Role::Attached,
            Rule::colon if matches!(parent, Rule::conditional | Rule::formula_conditional) => {
                Role::Alternative
            }
            _ => Role::Plain,
        };
        self.set(tokens.start, role);
        tokens.skip(1).for_each(|at| self.set(at, Role::Continued));
    }
}

/// Whether there is a space between two neighbours. Where there is none, they must not read as one
/// sign.
pub(super) fn is_apart(left: (&str, Role), right: (&str, Role), were_apart: bool) -> bool {
    match (left.0, right.0) {
        _ if right.1 == Role::Continued => false,
        _ if right.1 == Role::Unread => were_apart,
        ("{", "}") => false,
        (_, ";" | "," | ")" | "]" | "." | "..") => false,
        ("(" | "[" | "." | "..", _) => false,
        _ if left.1 == Role::Prefix => left.0 == "-" && right.0.starts_with('-'),
        (_, ":") => right.1 == Role::Alternative,
        _ => right.1 != Role::Attached,
    }
}
