//! Constants, types and variables, at the top level and inside rules and functions.

use super::checker::{Checker, LocalFacts, Origin, Role};
use super::model::{Global, GlobalId, LocalKind, NameKind, TypeId};
use super::scopes::Binding;
use super::types::POISON;
use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{Declaration, Expression, Name, TypeExpression};

/// The largest state, in bits: 64 MiB.
pub(super) const MAX_STATE_BITS: u64 = 64 << 23;
/// Parts of a state that hold nothing, at most.
pub(super) const MAX_EMPTY_PARTS: u64 = 1 << 16;
/// Variables that one rule, start state or function may declare. Parts of its code get all that
/// they use as parameters.
const MAX_VARIABLES: usize = 1_000;

impl Checker {
    pub fn global_declaration(&mut self, declaration: &Declaration) {
        match declaration {
            Declaration::Constant { name, value, set } => {
                self.constant_declaration(name, value, set.as_deref());
            }
            Declaration::Type { name, definition } => self.type_declaration(name, definition),
            Declaration::Variables { names, definition } => {
                let ty = self.type_expression(definition, None);
                for name in names {
                    self.later.remove(&name.text);
                    let binding = if ty == POISON {
                        Binding::Poison
                    } else {
                        let id = GlobalId(self.globals.len() as u32);
                        self.globals.push(Global {
                            name: name.text.clone(),
                            ty,
                            hidden: false,
                            span: name.span,
                        });
                        Binding::Global(id)
                    };
                    self.declare(name, binding);
                }
            }
            Declaration::Unparsed(lost) => self.lose(lost),
        }
    }

    /// The declarations of a rule, start state or function.
    pub fn local_declarations(&mut self, declarations: &[Declaration]) {
        for declaration in declarations {
            match declaration {
                Declaration::Constant { name, value, set } => {
                    self.constant_declaration(name, value, set.as_deref());
                }
                Declaration::Type { name, definition } => self.type_declaration(name, definition),
                Declaration::Variables { names, definition } => {
                    let ty = self.type_expression(definition, None);
                    for name in names {
                        self.local_variable(name, ty);
                    }
                }
                Declaration::Unparsed(lost) => self.poison(lost),
            }
        }
    }

    fn local_variable(&mut self, name: &Name, ty: TypeId) {
        if ty == POISON {
            self.declare(name, Binding::Poison);
            return;
        }
        if self.frame.variables.len() == MAX_VARIABLES {
            self.report(
                Diagnostic::error(
                    "too-many-variables",
                    name.span,
                    format!("mcc allows {MAX_VARIABLES} variables in one rule or function"),
                )
                .help("an array or a record holds many values in one variable"),
            );
        }
        let facts = LocalFacts { role: Role::Variable, origin: Origin::Own, writable: true };
        let local = self.add_local(name, ty, LocalKind::Storage, facts);
        self.frame.variables.push(local);
    }

    fn constant_declaration(&mut self, name: &Name, value: &Expression, set: Option<&str>) {
        let mut folded = self.constant_expression(value, "what `const` declares");
        if let (Some(set), Some(written)) = (set, folded) {
            folded = self.defined_constant(name, set, written);
        }
        self.later.remove(&name.text);
        self.names.declare(name, NameKind::Constant);
        if set.is_some() {
            self.names.mark(name.span);
        }
        let binding = match folded {
            Some((value, ty)) => Binding::Constant { value, ty },
            None => Binding::Poison,
        };
        self.declare(name, binding);
    }

    fn type_declaration(&mut self, name: &Name, definition: &TypeExpression) {
        let ty = self.type_expression(definition, Some(name));
        self.later.remove(&name.text);
        self.names.declare(name, NameKind::Type);
        self.declare(name, if ty == POISON { Binding::Poison } else { Binding::Type(ty) });
    }

    /// Refuses a state that no machine could store many of.
    pub fn check_state_size(&mut self) {
        let mut total = 0u64;
        let mut largest: Option<(u64, &Global)> = None;
        for global in &self.globals {
            let bits = self.types.bits(global.ty);
            total = total.saturating_add(bits);
            if largest.is_none_or(|(most, _)| bits > most) {
                largest = Some((bits, global));
            }
        }
        if let Some((bits, global)) = largest
            && total > MAX_STATE_BITS
        {
            let diagnostic = Diagnostic::error(
                "state-too-large",
                global.span,
                format!("one state would take {} MiB; mcc allows 64 MiB", total >> 23),
            )
            .label(format!("`{}` takes {} MiB of it", global.name, bits >> 23))
            .help("smaller index types and subranges make smaller states");
            self.report(diagnostic);
        }
    }

    /// Refuses a state of very many parts that hold nothing.
    pub fn check_empty_parts(&mut self) {
        let empty_parts = |global: &&Global| self.types.empty_parts(global.ty);
        let sum = self.globals.iter().map(|global| empty_parts(&global)).fold(0u64, u64::saturating_add);
        if let Some(most) = self.globals.iter().max_by_key(empty_parts)
            && sum > MAX_EMPTY_PARTS
        {
            let diagnostic = Diagnostic::error(
                "too-many-parts",
                most.span,
                format!("the state would have {sum} parts that hold nothing; mcc allows {MAX_EMPTY_PARTS}"),
            )
            .label(format!("`{}` has {} of them", most.name, self.types.empty_parts(most.ty)))
            .help("a record without fields has one value only: leave it out");
            self.report(diagnostic);
        }
    }
}
