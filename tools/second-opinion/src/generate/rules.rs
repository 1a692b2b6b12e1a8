//! Rules, start states and properties, and what stands around them.

use crate::generate::Generator;
use crate::generate::scope::Place;
use crate::generate::types::{BOOLEAN, Kind, TypeId};
use crate::tree;
use crate::tree::{Class, Tree};

impl Generator {
    /// Start states: all variables get a value, but for the daring.
    pub fn start(&mut self) -> Tree {
        let mark = self.scope.len();
        let fixed = self.fixed_names.len();
        let mut headers = Vec::new();
        let scalarsets = (0..self.types.list.len())
            .filter(|ty| matches!(self.types.kind(*ty), Kind::Scalarset(_)))
            .collect::<Vec<TypeId>>();
        for ty in scalarsets {
            let name = self.fresh_name("s");
            headers.push(tree!(Fixed, format!("ruleset {name}: "), self.types.spelling(ty), " do\n"));
            self.declare_value(&name, ty);
        }
        if self.random.percent(20) {
            let ty = self.simple_type(3);
            let name = self.parameter_name();
            headers.push(tree!(Fixed, format!("ruleset {name}: "), self.types.spelling(ty), " do\n"));
            self.declare_value(&name, ty);
        }
        let mut statements = Vec::new();
        let globals: Vec<_> = self.scope[..mark].iter().map(|one| (one.declares.clone(), one.ty)).collect();
        let hidden: Vec<String> = self.scope[mark..].iter().map(|one| one.declares.clone()).collect();
        for (name, ty) in globals {
            if !hidden.contains(&name) && !self.risky() {
                statements.extend(self.initialise_global(&name, ty));
            }
        }
        if self.random.percent(30) {
            statements.push(self.block(2, 2));
        }
        self.scope.truncate(mark);
        self.fixed_names.truncate(fixed);
        let name = if self.random.percent(80) { "\"start\"\n" } else { "\n" };
        let start = tree!(Rule, "startstate ", name, "begin\n", Tree::list(statements), "end;\n");
        around(headers, start)
    }

    /// As for a local variable; its first value may not depend on variables, which are undefined
    /// yet.
    fn initialise_global(&mut self, name: &str, ty: TypeId) -> Vec<Tree> {
        let scope = self.scope.clone();
        self.scope.retain(|variable| variable.is_value);
        let functions = std::mem::take(&mut self.functions);
        let statements = self.initialise(name, ty);
        self.functions = functions;
        self.scope = scope;
        statements
    }

    /// The name of a ruleset's parameter; Rumur does not want it to hide a variable.
    fn parameter_name(&mut self) -> String {
        match self.is_full() {
            true => self.new_name("i"),
            false => self.fresh_name("i"),
        }
    }

    /// Rules, one or several, perhaps nested in rulesets, aliases and choices.
    pub fn rules(&mut self, depth: usize) -> Option<Tree> {
        let mark = self.scope.len();
        let made = match self.random.below(if depth == 0 { 40 } else { 100 }) {
            0..40 => Some(self.rule()),
            40..75 => {
                let mut header = tree!(Fixed, "ruleset ");
                for at in 0..self.random.between(1, if self.is_full() { 2 } else { 1 }) {
                    let ty = self.simple_type(4);
                    let name = self.parameter_name();
                    header.parts.push(if at > 0 { "; ".into() } else { "".into() });
                    match self.random.percent(80) {
                        true => {
                            header.parts.push(format!("{name}: ").into());
                            header.parts.push(self.types.spelling(ty).into());
                            self.declare_value(&name, ty);
                        }
                        false => {
                            let (text, high) =
                                *self.random.pick(&[("0 to 2", 2), ("0 to 4 by 2", 4), ("1 to 1", 1)]);
                            header.parts.push(format!("{name} := {text}").into());
                            let ty = self.range_type(0, high);
                            self.declare_value(&name, ty);
                        }
                    }
                }
                header.parts.push(" do\n".into());
                self.nested(header, depth)
            }
            75..85 => {
                self.pure = true;
                let binding = self.binding();
                self.pure = false;
                let made =
                    binding.and_then(|binding| self.nested(tree!(Fixed, "alias ", binding, " do\n"), depth));
                if made.is_some() {
                    self.note("an alias around rules");
                }
                made
            }
            _ => {
                self.pure = true;
                let bag = self.place(&|types, ty| matches!(types.kind(ty), Kind::Multiset(..)), false, 0);
                self.pure = false;
                bag.and_then(|bag| {
                    let name = self.parameter_name();
                    self.declare_slot(&name, &bag);
                    self.nested(tree!(Fixed, format!("choose {name}: "), bag.tree, " do\n"), depth)
                })
            }
        };
        self.scope.truncate(mark);
        made
    }

    fn nested(&mut self, header: Tree, depth: usize) -> Option<Tree> {
        let mut inner = Vec::new();
        for _ in 0..self.random.between(1, 2) {
            inner.extend(match self.random.percent(12) {
                true => Some(self.property()),
                false => self.rules(depth - 1),
            });
        }
        if inner.is_empty() {
            return None;
        }
        Some(tree!(Rule, header, Tree::list(inner), "end;\n"))
    }

    fn rule(&mut self) -> Tree {
        let mut header = tree!(Fixed, "rule ");
        if self.priorities && self.random.percent(50) {
            header.parts.push(format!("{} ", self.random.below(3)).into());
        }
        if self.random.percent(85) {
            self.names += 1;
            header.parts.push(format!("\"r{}\"", self.names).into());
        }
        if self.random.percent(85) {
            // A guard may change the state, but seldom does.
            self.pure = !self.is_full() || self.random.percent(70);
            self.globals_writable = !self.pure;
            let mut guard = self.boolean(2);
            let percent = if self.pure { 20 } else { 90 };
            if self.is_full()
                && self.random.percent(percent)
                && let Some(call) = self.call_returning(BOOLEAN, 1)
            {
                guard = tree!(Boolean, "(", guard, " & ", Tree { class: Class::Boolean, ..call }, ")");
            }
            self.pure = false;
            self.globals_writable = true;
            header.parts.extend([" ".into(), guard.into(), " ==>".into()]);
        }
        header.parts.push("\n".into());
        let (mark, fixed) = (self.scope.len(), self.fixed_names.len());
        let (declarations, mut statements) = self.locals();
        statements.push(self.block(3, 3));
        if self.random.percent(35) {
            statements.extend(self.use_of_function());
        }
        let percent = if self.scope.iter().any(|variable| variable.slot.is_some()) { 30 } else { 12 };
        if self.daring(percent) {
            statements.extend(self.trap());
        }
        self.scope.truncate(mark);
        self.fixed_names.truncate(fixed);
        tree!(Rule, header, declarations, "begin\n", Tree::list(statements), "end;\n")
    }

    /// A rule that is always enabled and changes the state, against deadlocks.
    pub fn tick(&mut self) -> Option<Tree> {
        if let Some(flag) = self.place(&|_, ty| ty == BOOLEAN, true, 0) {
            let again = flag.tree.clone();
            return Some(tree!(Rule, "rule \"tick\"\nbegin\n", flag.tree, " := !", again, ";\nend;\n"));
        }
        let narrow = |types: &super::types::Types, ty: TypeId| {
            matches!(types.kind(ty), Kind::Range(..)) && (2..10).contains(&types.count(ty))
        };
        let Place { tree, ty, .. } = self.place(&narrow, true, 0)?;
        let Kind::Range(low, high) = *self.types.kind(ty) else { return None };
        let next = format!(" = {high} ? {} : ", Self::literal(low));
        let (once, twice) = (tree.clone(), tree.clone());
        Some(tree!(Rule, "rule \"tick\"\nbegin\n", tree, " := (", once, next, twice, " + 1);\nend;\n"))
    }

    pub fn property(&mut self) -> Tree {
        self.pure = true;
        self.globals_writable = false;
        let condition = self.boolean(2);
        let made = match self.random.below(100) {
            0..50 => {
                let condition = self.mostly_true(condition);
                tree!(Rule, "invariant \"inv\" ", condition, ";\n")
            }
            50..75 => {
                let (second, third) = (self.boolean(1), self.boolean(0));
                let whole = tree!(Boolean, "!(", condition, " & ", second, " & ", third, ")");
                tree!(Rule, "invariant \"inv\" ", whole, ";\n")
            }
            75..85 => {
                let whole = tree!(Boolean, "(", condition, " | ", self.boolean(1), ")");
                tree!(Rule, "assume \"ass\" ", whole, ";\n")
            }
            _ => tree!(Rule, "cover \"cov\" ", condition, ";\n"),
        };
        self.pure = false;
        self.globals_writable = true;
        made
    }
}

fn around(headers: Vec<Tree>, inner: Tree) -> Tree {
    headers
        .into_iter()
        .rev()
        .fold(inner, |inner, header| tree!(Rule, header, Tree::list(vec![inner]), "end;\n"))
}
