//! Places and conditions in the words of the model.

use super::formula::Formula;
use super::path::{Condition, Index, StatePath, StateStep};
use super::range::Range;
use crate::semantics::model::{Model, Rule, Scope, TypeId, TypeKind};

/// A parameter as it is called where two rules are compared.
#[derive(Clone, Debug)]
pub struct Parameter {
    pub name: String,
    pub ty: Option<TypeId>,
}

/// The names of the parameters of two rules. Those of the second one that the first has too get a
/// prime.
pub fn parameters(left: &Rule, right: &Rule) -> (Vec<Parameter>, Vec<Parameter>) {
    let left = own_parameters(left);
    let mut right = own_parameters(right);
    for parameter in &mut right {
        if left.iter().any(|other| other.name == parameter.name) {
            parameter.name.push('\'');
        }
    }
    (left, right)
}

pub fn own_parameters(rule: &Rule) -> Vec<Parameter> {
    let local = |scope: &Scope| match scope {
        Scope::Parameter(binder) => Some(binder.variable),
        Scope::Choose { variable, .. } => Some(*variable),
        Scope::Alias(_) => None,
    };
    let parameter =
        |local: &crate::semantics::model::Local| Parameter { name: local.name.clone(), ty: Some(local.ty) };
    let locals = rule.scopes.iter().filter_map(local);
    locals.filter_map(|local| rule.frame.locals.get(local.index())).map(parameter).collect()
}

pub struct Words<'m> {
    pub model: &'m Model,
}

impl Words<'_> {
    /// `channel[i].head`
    pub fn path(&self, path: &StatePath, parameters: &[Parameter]) -> String {
        let Some(global) = self.model.globals.get(path.root.index()) else { return String::new() };
        let mut text = global.name.clone();
        let mut ty = Some(global.ty);
        for step in &path.steps {
            let kind = ty.and_then(|ty| self.model.types.get(ty.index())).map(|ty| &ty.kind);
            match (step, kind) {
                (StateStep::Field(field), Some(TypeKind::Record { fields })) => {
                    let field = fields.get(*field as usize);
                    text += &field.map_or_else(String::new, |field| format!(".{}", field.name));
                    ty = field.map(|field| field.ty);
                }
                (StateStep::Element(index, of), Some(TypeKind::Array { element, .. })) => {
                    text += &format!("[{}]", self.index(index, *of, parameters));
                    ty = Some(*element);
                }
                (_, _) => ty = None,
            }
        }
        text
    }

    fn index(&self, index: &Index, ty: Option<TypeId>, parameters: &[Parameter]) -> String {
        match index {
            Index::Known(formula) => self.formula(formula, ty, parameters),
            Index::Within(range) => {
                let all = ty.and_then(|ty| self.model.bounds(ty)).map(|(low, high)| Range { low, high });
                match all {
                    Some(all) if !range.covers(all) => self.range(*range, ty),
                    _ => "any".to_owned(),
                }
            }
        }
    }

    fn range(&self, range: Range, ty: Option<TypeId>) -> String {
        format!("{}..{}", self.value(range.low, ty), self.value(range.high, ty))
    }

    fn formula(&self, formula: &Formula, ty: Option<TypeId>, parameters: &[Parameter]) -> String {
        let part = |formula: &Formula| match formula {
            Formula::Constant(_) | Formula::Parameter(_) | Formula::Convert(..) => {
                self.formula(formula, None, parameters)
            }
            Formula::Arithmetic(..) | Formula::Compare(..) | Formula::Conditional(..) => {
                format!("({})", self.formula(formula, None, parameters))
            }
        };
        match formula {
            Formula::Constant(value) => self.value(*value, ty),
            Formula::Parameter(position) => {
                parameters.get(*position).map_or_else(String::new, |parameter| parameter.name.clone())
            }
            Formula::Arithmetic(operator, left, right) => {
                format!("{} {} {}", part(left), operator.symbol(), part(right))
            }
            Formula::Compare(operator, left, right) => {
                let of = self.parameter_type(left, parameters).or(self.parameter_type(right, parameters));
                let side = |side: &Formula| match side {
                    Formula::Constant(value) => self.value(*value, of),
                    _ => part(side),
                };
                format!("{} {} {}", side(left), operator.symbol(), side(right))
            }
            Formula::Conditional(condition, then, otherwise) => {
                let branch = |branch: &Formula| match branch {
                    Formula::Constant(value) => self.value(*value, ty),
                    _ => part(branch),
                };
                format!("{} ? {} : {}", part(condition), branch(then), branch(otherwise))
            }
            // The same value, counted in another way.
            Formula::Convert(value, _) => self.formula(value, None, parameters),
        }
    }

    fn parameter_type(&self, formula: &Formula, parameters: &[Parameter]) -> Option<TypeId> {
        match formula {
            Formula::Parameter(position) => parameters.get(*position)?.ty,
            _ => None,
        }
    }

    fn value(&self, value: i64, ty: Option<TypeId>) -> String {
        let ty = ty.and_then(|ty| self.model.types.get(ty.index()));
        let name = match ty.map(|ty| (&ty.kind, &ty.name)) {
            Some((TypeKind::Enum { members }, _)) => {
                usize::try_from(value).ok().and_then(|value| members.get(value)).cloned()
            }
            Some((TypeKind::Boolean, _)) => Some((value != 0).to_string()),
            Some((TypeKind::Scalarset { .. }, Some(name))) => {
                Some(format!("{name}_{}", value.saturating_add(1)))
            }
            Some((TypeKind::Union(union), _)) => {
                let member =
                    union.members.iter().find(|member| (0..member.count).contains(&(value - member.first)));
                member.map(|member| self.value(value - member.first, Some(member.ty)))
            }
            _ => None,
        };
        name.unwrap_or_else(|| value.to_string())
    }

    /// `i = j`, or the opposite.
    fn condition(&self, condition: &Condition, holds: bool, names: (&[Parameter], &[Parameter])) -> String {
        match condition {
            Condition::Equal(left, right) => {
                let of = self.parameter_type(left, names.0).or(self.parameter_type(right, names.1));
                let sign = if holds { "=" } else { "≠" };
                let side = |formula: &Formula, parameters| match formula {
                    Formula::Conditional(..) | Formula::Compare(..) => {
                        format!("({})", self.formula(formula, of, parameters))
                    }
                    Formula::Constant(_)
                    | Formula::Parameter(_)
                    | Formula::Arithmetic(..)
                    | Formula::Convert(..) => self.formula(formula, of, parameters),
                };
                let (left_text, right_text) = (side(left, names.0), side(right, names.1));
                match **left {
                    Formula::Constant(_) => format!("{right_text} {sign} {left_text}"),
                    _ => format!("{left_text} {sign} {right_text}"),
                }
            }
            Condition::LeftWithin(formula, range) => self.within(formula, *range, holds, names.0),
            Condition::RightWithin(formula, range) => self.within(formula, *range, holds, names.1),
        }
    }

    fn within(&self, formula: &Formula, range: Range, holds: bool, parameters: &[Parameter]) -> String {
        let ty = self.parameter_type(formula, parameters);
        let sign = if holds { "in" } else { "not in" };
        format!("{} {sign} {}", self.formula(formula, ty, parameters), self.range(range, ty))
    }

    /// When a conflict arises: all of these hold.
    pub fn all(&self, when: &[Condition], names: (&[Parameter], &[Parameter])) -> String {
        let parts: Vec<String> =
            when.iter().map(|condition| self.condition(condition, true, names)).collect();
        parts.join(" and ")
    }

    /// When none arises: of each list, one does not hold.
    pub fn none(&self, lists: &[Vec<Condition>], names: (&[Parameter], &[Parameter])) -> String {
        let parts: Vec<String> = lists
            .iter()
            .map(|list| {
                let parts: Vec<String> =
                    list.iter().map(|condition| self.condition(condition, false, names)).collect();
                if parts.len() > 1 && lists.len() > 1 {
                    format!("({})", parts.join(" or "))
                } else {
                    parts.join(" or ")
                }
            })
            .collect();
        parts.join(" and ")
    }
}
