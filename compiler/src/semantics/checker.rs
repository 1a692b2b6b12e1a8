//! The state of a check: what has been declared, the frame at hand, and what there is to complain
//! about.

use std::collections::{HashMap, HashSet};

use super::effects::{Effects, PureUse};
use super::model::{
    CoverStatement, Expression, Frame, Function, FunctionId, Global, Local, LocalId, LocalKind, Model,
    Property, Rule, Scope, Start, TypeId,
};
use super::rules::Around;
use super::scopes::{Binding, Scopes};
use super::temporal::{Claim, Firing};
use super::types::TypeTable;
use super::usage::Names;
use crate::diagnostics::Diagnostic;
use crate::source::Span;
use crate::syntax::definitions;
use crate::syntax::tree::{self, Declaration, Fairness, Item, Name, Program};

/// What a local is to the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Variable,
    RulesetParameter,
    LoopVariable,
    QuantifierVariable,
    Slot,
    ReadOnlyParameter,
    ReferenceParameter,
    Alias,
}

/// Whose storage a place belongs to: what a write to it changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Global,
    /// The `var` parameter at this position.
    Parameter(usize),
    /// The frame's own storage, or no storage at all.
    Own,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct LocalFacts {
    pub role: Role,
    pub origin: Origin,
    pub writable: bool,
}

/// The frame of the rule, function, start state or property that is being checked.
#[derive(Clone, Default)]
pub(super) struct FrameInProgress {
    pub locals: Vec<Local>,
    pub facts: Vec<LocalFacts>,
    pub variables: Vec<LocalId>,
    pub scopes: Vec<Scope>,
}

impl FrameInProgress {
    pub fn frame(&self) -> Frame {
        Frame { locals: self.locals.clone() }
    }
}

pub(super) struct SignatureParameter {
    pub name: Name,
    pub ty: TypeId,
    pub by_reference: bool,
}

/// What a call needs to know of a function.
pub(super) struct Signature {
    pub name: Name,
    pub parameters: Vec<SignatureParameter>,
    pub returns: Option<TypeId>,
}

/// What kind of body is being checked: decides what `return` may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Body {
    Function(FunctionId),
    Rule,
    /// No statements here: guards, properties, bounds.
    Expression,
}

pub(super) struct Checker {
    pub types: TypeTable,
    pub scopes: Scopes,
    /// Top-level names that the first pass has not reached yet.
    pub later: HashMap<String, Span>,
    /// Names of the body at hand that were reported as unknown: once is enough.
    pub unknown: HashSet<String>,
    /// Names in text that could not be parsed: what they mean is unknown, and not their mistake.
    pub lost: HashSet<String>,
    pub diagnostics: Vec<Diagnostic>,
    /// Which constants and types are used.
    pub names: Names,
    /// Which constants there are, in words, where some are set from outside.
    pub constants: String,
    pub globals: Vec<Global>,
    pub signatures: Vec<Signature>,
    pub function_names: HashMap<String, FunctionId>,
    pub frame: FrameInProgress,
    pub body: Body,
    /// Whether the expression at hand must be a constant: then a failing operation is an error.
    pub constant_needed: bool,
    /// Whether constants show that the code at hand is never reached: then it cannot fail.
    pub unreached: bool,
    pub returns_seen: bool,
    pub covers: Vec<CoverStatement>,
    pub effects: Effects,
    pub function_effects: Vec<Effects>,
    pub pure_uses: Vec<PureUse>,
    pub starts: Vec<Start>,
    pub rules: Vec<Rule>,
    pub properties: Vec<Property>,
    /// Conditions in temporal formulas.
    pub atoms: Vec<Property>,
    pub claims: Vec<Claim>,
    pub firings: Vec<Firing>,
    /// What `fair` says before the rulesets around the rule at hand.
    pub fair_around: Option<Fairness>,
    pub instances: u128,
    /// Where rules have priorities.
    pub priorities: Vec<Span>,
}

impl Checker {
    pub fn new() -> Self {
        Checker {
            types: TypeTable::new(),
            scopes: Scopes::new(),
            later: HashMap::new(),
            unknown: HashSet::new(),
            lost: HashSet::new(),
            diagnostics: Vec::new(),
            names: Names::default(),
            constants: String::new(),
            globals: Vec::new(),
            signatures: Vec::new(),
            function_names: HashMap::new(),
            frame: FrameInProgress::default(),
            body: Body::Expression,
            constant_needed: false,
            unreached: false,
            returns_seen: false,
            covers: Vec::new(),
            effects: Effects::default(),
            function_effects: Vec::new(),
            pure_uses: Vec::new(),
            starts: Vec::new(),
            rules: Vec::new(),
            properties: Vec::new(),
            atoms: Vec::new(),
            claims: Vec::new(),
            firings: Vec::new(),
            fair_around: None,
            instances: 0,
            priorities: Vec::new(),
        }
    }

    pub fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// Checks a part of the model that is never reached if `dead`.
    pub fn reached_unless<T>(&mut self, dead: bool, check: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.unreached;
        self.unreached |= dead;
        let result = check(self);
        self.unreached = outer;
        result
    }

    pub fn program(mut self, program: &Program) -> (Model, Vec<Diagnostic>) {
        let functions = self.items(program);
        self.finish(functions)
    }

    pub fn lone_expression(
        mut self,
        program: &Program,
        tree: &tree::Expression,
    ) -> (Model, Frame, Expression, Vec<Diagnostic>) {
        let functions = self.items(program);
        // The program was checked before: what there is to say about it has been said.
        self.diagnostics.clear();
        self.unknown.clear();
        self.frame = FrameInProgress::default();
        self.body = Body::Expression;
        let expression = self.expression(tree);
        let frame = self.frame.frame();
        let (model, diagnostics) = self.finish(functions);
        (model, frame, expression, diagnostics)
    }

    /// Checks everything in a program.
    fn items(&mut self, program: &Program) -> Vec<Function> {
        self.collect_later(program);
        self.constants = definitions::list(program);
        for item in &program.items {
            match item {
                Item::Declaration(declaration) => self.global_declaration(declaration),
                Item::Function(function) => self.signature(function),
                Item::External(name, span) => {
                    self.report(
                        Diagnostic::error(
                            "unsupported-external",
                            *span,
                            format!("mcc does not support external functions such as `{}`", name.text),
                        )
                        .help("write it as a Murphi function or procedure"),
                    );
                    self.declare(name, Binding::Poison);
                }
                Item::Formula(span) => self.report(
                    Diagnostic::error(
                        "unsupported-pctl",
                        *span,
                        "mcc does not support formulas over probabilities",
                    )
                    .help("an invariant says what must always hold"),
                ),
                Item::Rule(_) => {}
            }
        }
        self.check_state_size();
        self.check_empty_parts();
        let mut functions = Vec::new();
        for item in &program.items {
            match item {
                Item::Function(function) => {
                    let id = FunctionId(functions.len() as u32);
                    functions.push(self.function_body(id, function));
                }
                Item::Rule(rule) => self.rule_item(rule, Around::NOTHING),
                Item::Declaration(_) | Item::External(..) | Item::Formula(_) => {}
            }
        }
        self.check_rules_exist(program);
        self.warn_of_priorities();
        self.resolve_fired();
        self.check_purity();
        self.mark_recursion(&mut functions);
        functions
    }

    fn finish(mut self, functions: Vec<Function>) -> (Model, Vec<Diagnostic>) {
        let unused_names = self.names.unused();
        let model = Model {
            types: self.types.into_types(),
            globals: self.globals,
            functions,
            starts: self.starts,
            rules: self.rules,
            properties: self.properties,
            atoms: self.atoms,
            claims: self.claims,
            cover_statements: self.covers,
            unused_names,
        };
        (model, self.diagnostics)
    }

    /// Notes where each top-level name is declared, for what is used too early.
    fn collect_later(&mut self, program: &Program) {
        for item in &program.items {
            match item {
                Item::Declaration(Declaration::Constant { name, .. } | Declaration::Type { name, .. }) => {
                    self.later.entry(name.text.clone()).or_insert(name.span);
                }
                Item::Declaration(Declaration::Variables { names, .. }) => {
                    for name in names {
                        self.later.entry(name.text.clone()).or_insert(name.span);
                    }
                }
                Item::Function(function) => {
                    self.later.entry(function.name.text.clone()).or_insert(function.name.span);
                }
                Item::Declaration(Declaration::Unparsed(lost)) => self.lose(lost),
                Item::External(..) | Item::Formula(_) | Item::Rule(_) => {}
            }
        }
    }

    /// Adds a local to the frame, and its name to the scope.
    pub fn add_local(&mut self, name: &Name, ty: TypeId, kind: LocalKind, facts: LocalFacts) -> LocalId {
        let local = self.hidden_local(&name.text, ty, kind, facts, name.span);
        self.declare(name, Binding::Local(local));
        local
    }

    /// Adds a local that no name of the model refers to.
    pub fn hidden_local(
        &mut self,
        name: &str,
        ty: TypeId,
        kind: LocalKind,
        facts: LocalFacts,
        span: Span,
    ) -> LocalId {
        let local = LocalId(self.frame.locals.len() as u32);
        self.frame.locals.push(Local { name: name.to_owned(), ty, kind, span });
        self.frame.facts.push(facts);
        local
    }

    /// Adds a variable that runs through a domain.
    pub fn add_value(&mut self, name: &Name, ty: TypeId, role: Role) -> LocalId {
        self.add_local(name, ty, LocalKind::Value, LocalFacts { role, origin: Origin::Own, writable: false })
    }

    pub fn local(&self, local: LocalId) -> Option<(&Local, LocalFacts)> {
        let facts = self.frame.facts.get(local.index())?;
        self.frame.locals.get(local.index()).map(|local| (local, *facts))
    }

    /// What a local is, in words that fit after "is".
    pub fn role_words(&self, local: LocalId) -> &'static str {
        match self.local(local).map(|(_, facts)| facts.role) {
            Some(Role::Variable) | None => "a variable",
            Some(Role::RulesetParameter) => "a parameter of a ruleset",
            Some(Role::LoopVariable) => "a loop variable",
            Some(Role::QuantifierVariable) => "the variable of a quantifier",
            Some(Role::Slot) => "the number of a multiset's slot",
            Some(Role::ReadOnlyParameter) => "a read-only parameter",
            Some(Role::ReferenceParameter) => "a `var` parameter",
            Some(Role::Alias) => "an alias",
        }
    }
}
