//! How far each token is indented if it begins a line, and which tokens must begin one.

use std::ops::Range;

use crate::source::Source;
use crate::syntax::concrete::{Concrete, Node, Place, Rule};

/// What is known of a token.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Facts {
    /// How far it is indented where it begins a line.
    pub level: usize,
    /// How far a comment on a line before it is indented.
    pub comment_level: usize,
    pub begins_line: bool,
}

pub(super) struct Structure {
    tokens: Vec<Facts>,
}

impl Structure {
    /// Behind the last token, everything begins at the left.
    pub fn token(&self, at: usize) -> Facts {
        self.tokens.get(at).copied().unwrap_or_default()
    }
}

/// `breaks` says before which tokens there is a line end in the text.
pub(super) fn structure(source: &Source, concrete: &Concrete, breaks: &[bool]) -> Structure {
    let tokens = vec![Facts::default(); concrete.tokens.len()];
    let mut walk = Walk { source, concrete, breaks, tokens, line: 0, reached: 0 };
    walk.pieces();
    Structure { tokens: walk.tokens }
}

struct Walk<'model> {
    source: &'model Source,
    concrete: &'model Concrete,
    breaks: &'model [bool],
    tokens: Vec<Facts>,
    /// The token that begins the line of the token `reached`.
    line: usize,
    reached: usize,
}

impl Walk<'_> {
    /// Sections, routines and properties, and the blocks of rules around them.
    fn pieces(&mut self) {
        let pieces = &self.concrete.pieces;
        let mut open: Vec<bool> = Vec::new();
        let mut next = 0;
        for (number, piece) in pieces.iter().enumerate() {
            let spread = open.last().copied().unwrap_or(true);
            let first = piece.tokens.start;
            // Semicolons between the pieces.
            self.fill(next..first, open.len());
            next = piece.tokens.end;
            match piece.place {
                Place::Item => {
                    let level = open.len();
                    self.fill(piece.tokens.clone(), level + 1);
                    self.unit(first, level, spread);
                    if let Some(item) = piece.node.as_ref().and_then(|node| node.children.first()) {
                        self.item(item, level);
                    }
                }
                Place::Opens => {
                    let level = open.len();
                    self.fill(piece.tokens.clone(), level + 2);
                    self.unit(first, level, spread);
                    if let Some(node) = &piece.node {
                        self.groups(node, level + 2);
                        self.words(node, level);
                    }
                    let end = self.closing(number);
                    open.push(self.is_broken(first..end + 1));
                }
                Place::Closes => {
                    let spread = open.pop().unwrap_or(true);
                    self.end(first, open.len(), spread);
                }
            }
        }
        self.fill(next..self.tokens.len(), open.len());
    }

    /// The token that closes the block of rules which a piece opens.
    fn closing(&self, opens: usize) -> usize {
        let mut depth = 0;
        for piece in self.concrete.pieces.iter().skip(opens) {
            match piece.place {
                Place::Opens => depth += 1,
                Place::Closes => depth -= 1,
                Place::Item => {}
            }
            if depth == 0 {
                return piece.tokens.start;
            }
        }
        self.tokens.len().saturating_sub(1)
    }

    fn item(&mut self, node: &Node, level: usize) {
        match node.rule {
            Rule::constants | Rule::types | Rule::variables => self.section(node, level),
            Rule::function | Rule::simple_rule | Rule::start_state => {
                let spread = self.is_broken(self.concrete.range(node.span));
                self.block(node, level, level + 1, spread);
            }
            _ => self.groups(node, level + 1),
        }
    }

    /// `const`, `type` or `var`, and what it declares.
    fn section(&mut self, node: &Node, level: usize) {
        let range = self.concrete.range(node.span);
        let spread = self.is_broken(range);
        for child in &node.children {
            if matches!(child.rule, Rule::constant | Rule::named_type | Rule::variable) {
                self.declaration(child, level + 1, spread);
            }
        }
    }

    fn declaration(&mut self, node: &Node, level: usize, spread: bool) {
        let range = self.concrete.range(node.span);
        self.fill(range.clone(), level + 1);
        self.unit(range.start, level, spread);
        self.groups(node, level + 1);
    }

    /// The parts of a routine or a statement with a body. Lines that continue its head are indented
    /// to `head`.
    fn block(&mut self, node: &Node, level: usize, head: usize, spread: bool) {
        for child in &node.children {
            let range = self.concrete.range(child.span);
            match child.rule {
                Rule::statements => self.statements(child, level + 1, spread),
                Rule::locals => {
                    for section in &child.children {
                        let first = self.concrete.range(section.span).start;
                        self.unit(first, level, spread);
                        self.section(section, level);
                    }
                }
                Rule::begin_word => self.unit(range.start, level, spread),
                Rule::elsif_part | Rule::else_part | Rule::switch_case => {
                    self.fill(range.clone(), head);
                    self.unit(range.start, level, spread);
                    self.block(child, level, head, spread);
                }
                Rule::end_of_alias
                | Rule::end_of_for
                | Rule::end_of_function
                | Rule::end_of_if
                | Rule::end_of_rule
                | Rule::end_of_startstate
                | Rule::end_of_switch
                | Rule::end_of_while => self.end(range.start, level, spread),
                Rule::guard => {
                    self.groups(child, level + 1);
                    if let Some(arrow) = child.children.last() {
                        let arrow = self.concrete.range(arrow.span).start;
                        self.set(arrow, Facts { level, comment_level: level + 1, begins_line: false });
                    }
                }
                _ => self.group(child, head),
            }
        }
        self.words(node, level);
    }

    /// `then` and `do`, which are not indented where they begin a line.
    fn words(&mut self, node: &Node, level: usize) {
        for child in &node.children {
            if matches!(child.rule, Rule::then_word | Rule::do_word) {
                let at = self.concrete.range(child.span).start;
                self.unit(at, level, false);
            }
        }
    }

    fn statements(&mut self, node: &Node, level: usize, spread: bool) {
        self.fill(self.concrete.range(node.span), level);
        for statement in &node.children {
            let range = self.concrete.range(statement.span);
            self.fill(range.clone(), level + 1);
            self.unit(range.start, level, spread);
            let Some(inner) = statement.children.first() else { continue };
            match inner.rule {
                Rule::if_statement
                | Rule::for_statement
                | Rule::while_statement
                | Rule::switch_statement
                | Rule::alias_statement => {
                    let spread = self.is_broken(range);
                    self.fill(self.concrete.range(inner.span).skip_first(), level + 2);
                    self.block(inner, level, level + 2, spread);
                }
                _ => self.groups(inner, level + 1),
            }
        }
    }

    /// Indents what stands in brackets, quantifiers and records.
    fn groups(&mut self, node: &Node, level: usize) {
        for child in &node.children {
            self.group(child, level);
        }
    }

    fn group(&mut self, node: &Node, level: usize) {
        let range = self.concrete.range(node.span);
        match node.rule {
            Rule::parenthesised
            | Rule::formula_parenthesised
            | Rule::arguments
            | Rule::parameters
            | Rule::enum_type
            | Rule::union_type
            | Rule::scalarset_type
            | Rule::is_member
            | Rule::is_undefined
            | Rule::multiset_count
            | Rule::fired
            | Rule::selector
            | Rule::forall
            | Rule::exists
            | Rule::formula_forall
            | Rule::formula_exists => {
                let inner = level.max(self.line_level(range.start) + 1);
                let last = range.end.saturating_sub(1);
                self.fill(range.start + 1..last, inner);
                let is_name = node.rule == Rule::selector && node.children.len() < 3;
                if !is_name {
                    self.end(last, inner - 1, false);
                }
                self.groups(node, inner);
            }
            Rule::record_type => {
                let outer = self.line_level(range.start);
                let spread = self.is_broken(range.clone());
                self.fill(range.start + 1..range.end, outer + 1);
                for child in &node.children {
                    match child.rule {
                        Rule::field => self.declaration(child, outer + 1, spread),
                        Rule::end_of_record => {
                            self.end(self.concrete.range(child.span).start, outer, spread);
                        }
                        _ => {}
                    }
                }
            }
            _ => self.groups(node, level),
        }
    }

    fn set(&mut self, at: usize, facts: Facts) {
        if let Some(token) = self.tokens.get_mut(at) {
            *token = facts;
        }
    }

    fn fill(&mut self, range: Range<usize>, level: usize) {
        for token in self.tokens.get_mut(range).unwrap_or_default() {
            *token = Facts { level, comment_level: level, begins_line: false };
        }
    }

    /// The first token of something that may have a line of its own.
    fn unit(&mut self, at: usize, level: usize, begins_line: bool) {
        self.set(at, Facts { level, comment_level: level, begins_line });
    }

    /// A token that closes something. Comments before it belong to what it closes.
    fn end(&mut self, at: usize, level: usize, begins_line: bool) {
        self.set(at, Facts { level, comment_level: level + 1, begins_line });
    }

    fn begins_line(&self, at: usize) -> bool {
        let broken = self.breaks.get(at).copied().unwrap_or(false) && !self.is_semicolon(at);
        at == 0 || broken || self.tokens.get(at).is_some_and(|token| token.begins_line)
    }

    fn is_semicolon(&self, at: usize) -> bool {
        self.concrete.tokens.get(at).is_some_and(|token| token.span.text(&self.source.text) == ";")
    }

    /// Whether these tokens stand on more than one line.
    fn is_broken(&self, mut range: Range<usize>) -> bool {
        range.next();
        range.into_iter().any(|at| self.breaks.get(at).copied().unwrap_or(false))
    }

    /// How far the line is indented in which a token stands. What was asked before need not be
    /// looked at again.
    fn line_level(&mut self, at: usize) -> usize {
        let from = if at >= self.reached { self.reached } else { 0 };
        let begins = (from + 1..=at).rev().find(|at| self.begins_line(*at));
        self.line = begins.unwrap_or(if from == 0 { 0 } else { self.line });
        self.reached = at;
        self.tokens.get(self.line).map_or(0, |token| token.level)
    }
}

trait SkipFirst {
    fn skip_first(self) -> Self;
}

impl SkipFirst for Range<usize> {
    fn skip_first(self) -> Range<usize> {
        self.start + 1..self.end
    }
}
