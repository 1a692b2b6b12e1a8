//! What is in scope at a place of the model, and how to name a part of it.

use crate::generate::Generator;
use crate::generate::types::{Kind, TypeId, Types};
use crate::tree;
use crate::tree::Tree;

/// Something that can be read, and perhaps written.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The name, or for an element of a multiset all of `m[i]`.
    pub designator: Tree,
    pub ty: TypeId,
    pub writable: bool,
    /// Part of the state.
    pub global: bool,
    /// Always defined and without storage: the value of a quantifier.
    pub is_value: bool,
    /// There is nothing to read here: the name only hides others.
    pub hides: bool,
    /// The name that hides others of the same name.
    pub declares: String,
    /// The names that must not be hidden for this to have its meaning.
    pub mentions: Vec<String>,
    /// For the element of a multiset: its slot, and the multiset with its type.
    pub slot: Option<(String, Tree, TypeId)>,
}

impl Variable {
    pub fn named(name: &str, ty: TypeId) -> Variable {
        Variable {
            designator: tree!(Value, name),
            ty,
            writable: true,
            global: false,
            is_value: false,
            hides: false,
            declares: name.to_owned(),
            mentions: vec![name.to_owned()],
            slot: None,
        }
    }
}

/// A designator that was found, with what is known of it.
#[derive(Clone, Debug)]
pub struct Place {
    pub tree: Tree,
    pub ty: TypeId,
    pub variable: Variable,
}

/// Whether a type, or a part that a designator can reach, is wanted.
fn contains(types: &Types, ty: TypeId, wanted: &dyn Fn(&Types, TypeId) -> bool) -> bool {
    wanted(types, ty)
        || match types.kind(ty) {
            Kind::Array(_, element) => contains(types, *element, wanted),
            Kind::Record(fields) => fields.iter().any(|(_, field)| contains(types, *field, wanted)),
            _ => false,
        }
}

impl Generator {
    pub fn visible(&self) -> Vec<usize> {
        let is_visible = |at: &usize| {
            let mentions = &self.scope[*at].mentions;
            !self.scope[*at].hides
                && !self.scope[at + 1..].iter().any(|later| mentions.contains(&later.declares))
        };
        (0..self.scope.len()).filter(is_visible).collect()
    }

    /// A part of a variable whose type is wanted.
    pub fn place(
        &mut self,
        wanted: &dyn Fn(&Types, TypeId) -> bool,
        writable: bool,
        depth: usize,
    ) -> Option<Place> {
        let mut candidates = self.visible();
        candidates.retain(|at| {
            let variable = &self.scope[*at];
            let may_write = variable.writable && (!variable.global || self.globals_writable);
            (!writable || may_write) && contains(&self.types, variable.ty, wanted)
        });
        let result = match !writable && depth > 0 && self.is_full() && self.random.percent(20) {
            true => self.result_with(wanted, depth),
            false => None,
        };
        let variable = match result {
            Some(result) => {
                self.note("a part of a function's result");
                result
            }
            None if candidates.is_empty() => return None,
            None => self.scope[*self.random.pick(&candidates)].clone(),
        };
        let (mut tree, mut ty) = (variable.designator.clone(), variable.ty);
        loop {
            let here = wanted(&self.types, ty);
            match self.types.kind(ty).clone() {
                Kind::Array(index, element) if contains(&self.types, element, wanted) => {
                    if here && self.random.percent(50) {
                        break;
                    }
                    let index = self.index(index, depth)?;
                    tree = tree!(Value, tree, "[", index, "]");
                    ty = element;
                }
                Kind::Record(fields) if !here || self.random.percent(50) => {
                    let fields = fields.iter().filter(|(_, field)| contains(&self.types, *field, wanted));
                    let fields: Vec<_> = fields.cloned().collect();
                    if fields.is_empty() {
                        break;
                    }
                    let (name, field) = self.random.pick(&fields).clone();
                    tree = tree!(Value, tree, format!(".{name}"));
                    ty = field;
                }
                _ => break,
            }
        }
        Some(Place { tree, ty, variable })
    }

    /// The record or array that a function returns, as if it were a variable.
    fn result_with(&mut self, wanted: &dyn Fn(&Types, TypeId) -> bool, depth: usize) -> Option<Variable> {
        let functions = self.functions.iter().filter(|function| {
            let is_wanted = |ty| {
                !self.types.is_simple(ty) && !wanted(&self.types, ty) && contains(&self.types, ty, wanted)
            };
            function.returns.is_some_and(is_wanted) && self.may_call(function)
        });
        let functions: Vec<_> = functions.cloned().collect();
        if functions.is_empty() {
            return None;
        }
        let function = self.random.pick(&functions).clone();
        let ty = function.returns?;
        let call = self.call(&function, depth - 1)?;
        // What the arguments mention must not be hidden.
        let words = call.text();
        let known = self.scope.iter().filter(|variable| words.contains(&variable.declares));
        let mentions = known.map(|variable| variable.declares.clone()).collect();
        Some(Variable { designator: call, writable: false, mentions, ..Variable::named("", ty) })
    }

    /// An index of an array: simple, for arrays nest.
    fn index(&mut self, ty: TypeId, depth: usize) -> Option<Tree> {
        if self.indices == 0 && matches!(self.types.kind(ty), Kind::Range(..)) && self.daring(4) {
            self.indices += 1;
            let number = self.number(depth.min(1));
            self.indices -= 1;
            return Some(number);
        }
        let variable = match self.random.percent(70) || self.indices > 1 {
            true => self.value_variable(ty),
            false => None,
        };
        if variable.is_some() || self.indices > 1 {
            return variable.or_else(|| self.known_value(ty));
        }
        let depth = if self.random.percent(80) { 0 } else { depth.saturating_sub(1) };
        self.indices += 1;
        let index = self.value(ty, depth);
        self.indices -= 1;
        index
    }

    /// A value that needs nothing in scope.
    fn known_value(&mut self, ty: TypeId) -> Option<Tree> {
        match self.types.kind(ty).clone() {
            Kind::Boolean => Some(tree!(Boolean, *self.random.pick(&["true", "false"]))),
            Kind::Range(low, high) => {
                let value = *self.random.pick(&[low, high]);
                Some(tree!(Number, Self::literal(value)))
            }
            Kind::Enum(members) => Some(tree!(Value, self.random.pick(&members).clone())),
            Kind::Union(members) => {
                let member = *self.random.pick(&members);
                self.value_variable(member).or_else(|| self.known_value(member))
            }
            Kind::Scalarset(_) | Kind::Array(..) | Kind::Record(_) | Kind::Multiset(..) => None,
        }
    }

    /// A quantifier's variable of this type.
    pub fn value_variable(&mut self, ty: TypeId) -> Option<Tree> {
        let mut candidates = self.visible();
        candidates.retain(|at| {
            let variable = &self.scope[*at];
            variable.is_value && variable.slot.is_none() && self.fits(variable.ty, ty)
        });
        if candidates.is_empty() {
            return None;
        }
        Some(self.scope[*self.random.pick(&candidates)].designator.clone())
    }

    /// Whether every value of one simple type is one of another.
    pub fn fits(&self, from: TypeId, to: TypeId) -> bool {
        match (self.types.kind(from), self.types.kind(to)) {
            (Kind::Range(low, high), Kind::Range(least, most)) => least <= low && high <= most,
            (_, Kind::Union(members)) => from == to || members.contains(&from),
            _ => from == to,
        }
    }

    /// A name for something new: often fresh, sometimes one that hides another.
    pub fn new_name(&mut self, stem: &str) -> String {
        if self.shadows && self.random.percent(30) && !self.scope.is_empty() {
            let hidden = self.scope[self.random.below(self.scope.len())].declares.clone();
            if !self.fixed_names.contains(&hidden) {
                self.note("a hidden name");
                return hidden;
            }
        }
        self.fresh_name(stem)
    }

    pub fn fresh_name(&mut self, stem: &str) -> String {
        self.names += 1;
        match self.is_full() && self.random.percent(5) {
            true => format!("_{stem}{}", self.names),
            false => format!("{stem}{}", self.names),
        }
    }

    /// A new value of a quantifier in scope.
    pub fn declare_value(&mut self, name: &str, ty: TypeId) {
        self.scope.push(Variable { writable: false, is_value: true, ..Variable::named(name, ty) });
    }

    /// A slot of a multiset in scope, and with it the element.
    pub fn declare_slot(&mut self, name: &str, bag: &Place) {
        let Kind::Multiset(_, element) = *self.types.kind(bag.ty) else { return };
        let mut mentions = bag.variable.mentions.clone();
        mentions.push(name.to_owned());
        // What else the designator mentions may be hidden as well.
        let words = bag.tree.text();
        for variable in &self.scope {
            if words.contains(&variable.declares) {
                mentions.push(variable.declares.clone());
            }
        }
        self.scope.push(Variable {
            designator: tree!(Value, bag.tree.clone(), format!("[{name}]")),
            ty: element,
            writable: bag.variable.writable,
            global: bag.variable.global,
            is_value: false,
            hides: false,
            declares: name.to_owned(),
            mentions,
            slot: Some((name.to_owned(), bag.tree.clone(), bag.ty)),
        });
    }
}
