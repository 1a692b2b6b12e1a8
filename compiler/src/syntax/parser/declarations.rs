//! Constants, types, variables, functions and procedures.

use super::grammar::Rule;
use super::{Builder, Pair};
use crate::diagnostics::Diagnostic;
use crate::syntax::tree::{Declaration, Function, Item, Name, Parameter};

/// How many names may be declared with one value or one type.
const MAXIMUM_COPIES: usize = 100;

impl Builder {
    /// Adds what a section, or one declaration of it, declares.
    pub(super) fn declarations(&mut self, pair: Pair<'_, Rule>, found: &mut Vec<Declaration>) -> Option<()> {
        match pair.as_rule() {
            Rule::constants | Rule::types | Rule::variables | Rule::locals => {
                for inner in pair.into_inner() {
                    self.declarations(inner, found)?;
                }
            }
            Rule::const_word | Rule::type_word | Rule::var_word => {}
            Rule::constant => {
                let mut inner = pair.into_inner();
                let names = self.names_of_copies(inner.next()?)?;
                self.refuse_boolean(&names);
                let value = self.expression(inner.nth(1)?)?;
                let constant = |name| Declaration::Constant { name, value: value.clone(), set: None };
                found.extend(names.into_iter().map(constant));
            }
            Rule::named_type => {
                let mut inner = pair.into_inner();
                let names = self.names_of_copies(inner.next()?)?;
                self.refuse_boolean(&names);
                let definition = self.type_expression(inner.nth(1)?)?;
                let named = |name| Declaration::Type { name, definition: definition.clone() };
                found.extend(names.into_iter().map(named));
            }
            Rule::variable => {
                let mut inner = pair.into_inner();
                let names = self.names(inner.next()?)?;
                self.refuse_boolean(&names);
                let definition = self.type_expression(inner.nth(1)?)?;
                found.push(Declaration::Variables { names, definition });
            }
            _ => return None,
        }
        Some(())
    }

    /// `boolean` is a name like any other to the grammar, but nothing else may be called so.
    fn refuse_boolean(&mut self, names: &[Name]) {
        for name in names.iter().filter(|name| name.text == "boolean") {
            self.diagnostics.push(
                Diagnostic::error("syntax", name.span, "expected a name, found `boolean`")
                    .help("`boolean` is a keyword; choose another name"),
            );
        }
    }

    /// Names of which each gets a copy of what comes after the `:`.
    pub(super) fn names_of_copies(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Name>> {
        let names = self.names(pair)?;
        let Some(beyond) = names.get(MAXIMUM_COPIES) else { return Some(names) };
        self.diagnostics.push(
            Diagnostic::error("too-many-names", beyond.span, "too many names are declared at once")
                .help(format!("at most {MAXIMUM_COPIES} names may share a constant, a type or an alias")),
        );
        None
    }

    pub(super) fn function(&mut self, pair: Pair<'_, Rule>) -> Option<Function> {
        let span = self.span(&pair);
        let mut name = None;
        let mut parameters = Vec::new();
        let mut returns = None;
        let mut declarations = Vec::new();
        let mut body = Vec::new();
        for inner in pair.into_inner() {
            match inner.as_rule() {
                Rule::identifier => name = Some(self.name(&inner)?),
                Rule::parameters => parameters = self.parameters(inner)?,
                Rule::returns => returns = Some(self.type_expression(inner.into_inner().nth(1)?)?),
                Rule::locals => self.declarations(inner, &mut declarations)?,
                Rule::statements => body = self.statements(inner)?,
                Rule::function_word | Rule::procedure_word | Rule::begin_word | Rule::end_of_function => {}
                _ => return None,
            }
        }
        Some(Function { name: name?, parameters, returns, declarations, body, span })
    }

    fn parameters(&mut self, pair: Pair<'_, Rule>) -> Option<Vec<Parameter>> {
        pair.into_inner()
            .filter(|inner| inner.as_rule() == Rule::parameter)
            .map(|inner| self.parameter(inner))
            .collect()
    }

    fn parameter(&mut self, pair: Pair<'_, Rule>) -> Option<Parameter> {
        let mut inner = pair.into_inner().peekable();
        let by_reference = inner.next_if(|word| word.as_rule() == Rule::var_word).is_some();
        let names = self.names(inner.next()?)?;
        let definition = self.type_expression(inner.nth(1)?)?;
        Some(Parameter { by_reference, names, definition })
    }

    pub(super) fn external(&mut self, pair: Pair<'_, Rule>) -> Option<Item> {
        let span = self.span(&pair);
        let name = pair.into_inner().find(|inner| inner.as_rule() == Rule::identifier)?;
        Some(Item::External(self.name(&name)?, span))
    }
}
