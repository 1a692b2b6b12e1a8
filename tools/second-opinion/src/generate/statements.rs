//! Statements, and the local declarations before them.

use crate::generate::scope::{Place, Variable};
use crate::generate::types::{Kind, TypeId, Types};
use crate::generate::{Body, Generator};
use crate::tree;
use crate::tree::{Class, Tree};

impl Generator {
    /// Local variables, and the statements that give most of them a value.
    pub fn locals(&mut self) -> (Tree, Vec<Tree>) {
        let (mut declarations, mut statements) = (Vec::new(), Vec::new());
        let first = self.scope.len();
        for _ in 0..*self.random.pick(&[0, 0, 1, 1, 2]) {
            let ty = self.usable_type();
            let name = self.new_name("w");
            if self.fixed_names.contains(&name) || self.types.leaves(ty) > 12 {
                continue;
            }
            self.fixed_names.push(name.clone());
            declarations.push(tree!(Fixed, format!("var {name}: "), self.types.spelling(ty), ";\n"));
            self.scope.push(Variable { hides: true, ..Variable::named(&name, ty) });
        }
        for at in first..self.scope.len() {
            let Variable { declares, ty, .. } = self.scope[at].clone();
            if !self.risky() {
                statements.extend(self.initialise(&declares, ty));
            }
        }
        self.scope[first..].iter_mut().for_each(|variable| variable.hides = false);
        (Tree::list(declarations), statements)
    }

    /// Gives a variable its first value; of what cannot have one, only the rest.
    pub fn initialise(&mut self, name: &str, ty: TypeId) -> Vec<Tree> {
        let mut statements = Vec::new();
        if self.types.has_scalarset(ty) || self.random.percent(50) {
            self.fill(tree!(Value, name), ty, &mut statements);
        } else {
            statements.push(tree!(Statement, format!("clear {name};\n")));
        }
        statements
    }

    fn fill(&mut self, place: Tree, ty: TypeId, statements: &mut Vec<Tree>) {
        match self.types.kind(ty).clone() {
            Kind::Array(index, element) => {
                let name = self.fresh_name("i");
                let mark = self.scope.len();
                self.declare_value(&name, index);
                let mut inner = Vec::new();
                self.fill(tree!(Value, place, format!("[{name}]")), element, &mut inner);
                self.scope.truncate(mark);
                let header = tree!(Fixed, format!("for {name}: "), self.types.spelling(index), " do\n");
                statements.push(tree!(Statement, header, Tree::list(inner), "end;\n"));
            }
            Kind::Record(fields) => {
                for (field, ty) in fields {
                    self.fill(tree!(Value, place.clone(), format!(".{field}")), ty, statements);
                }
            }
            Kind::Multiset(_, element) => {
                statements.push(tree!(Statement, "undefine ", place.clone(), ";\n"));
                if self.random.percent(60)
                    && let Some(value) = self.value(element, 0)
                {
                    statements.push(tree!(Statement, "multisetadd(", value, ", ", place, ");\n"));
                }
            }
            _ => {
                if let Some(value) = self.value(ty, 0) {
                    statements.push(tree!(Statement, place, " := ", value, ";\n"));
                }
            }
        }
    }

    /// One to `most` statements.
    pub fn block(&mut self, most: usize, depth: usize) -> Tree {
        let mut statements = Vec::new();
        for _ in 0..1 + self.random.below(most) {
            statements.extend(self.statement(depth));
        }
        Tree::list(statements)
    }

    fn statement(&mut self, depth: usize) -> Option<Tree> {
        if depth == 0 || self.statements == 0 {
            return self.assignment(1);
        }
        self.statements -= 1;
        let depth = depth - 1;
        match self.random.below(100) {
            0..38 => self.assignment(2),
            38..47 => self.conditional(depth),
            47..52 => self.switch(depth),
            52..59 => self.for_loop(depth),
            59..62 => self.while_loop(depth),
            62..68 => self.alias(depth),
            68..74 => self.procedure_call(),
            74..80 => self.reset(),
            80..86 => self.claim(),
            86 => self.put(),
            87 => self.early_return(),
            88..98 => self.multiset_statement(),
            _ if self.risky() => Some(tree!(Statement, "error \"reached\";\n")),
            _ => self.assignment(1),
        }
    }

    pub fn assignment(&mut self, depth: usize) -> Option<Tree> {
        let target = match self.random.percent(85) {
            true => self.place(&|types, ty| types.is_simple(ty), true, 1)?,
            false => self.place(&|_, _| true, true, 1)?,
        };
        let Place { tree, ty, .. } = target;
        if self.is_full() && self.random.percent(2) {
            return Some(tree!(Statement, tree, " := undefined;\n"));
        }
        // Copies of single variables carry "undefined" along.
        let value = match self.random.percent(15) {
            true => self.place(&|_, other| other == ty, false, 1).map(|place| place.tree),
            false => self.value(ty, depth),
        }?;
        Some(tree!(Statement, tree, " := ", value, ";\n"))
    }

    fn conditional(&mut self, depth: usize) -> Option<Tree> {
        let mut whole = tree!(Statement, "if ", self.boolean(2), " then\n", self.block(2, depth));
        if self.random.percent(25) {
            whole.parts.push(tree!(Fixed, "elsif ", self.boolean(1), " then\n", self.block(1, depth)).into());
        }
        if self.random.percent(40) {
            whole.parts.push(tree!(Fixed, "else\n", self.block(2, depth)).into());
        }
        whole.parts.push("end;\n".into());
        Some(whole)
    }

    fn switch(&mut self, depth: usize) -> Option<Tree> {
        let ty = self.simple_type(8);
        let subject = self.value(ty, 1)?;
        let mut cases = Vec::new();
        for _ in 0..self.random.between(1, 3) {
            let depth_of_case = usize::from(self.random.percent(20));
            let Some(value) = self.value(ty, depth_of_case) else { continue };
            let mut case = tree!(Fixed, "case ", value);
            if self.random.percent(25)
                && let Some(other) = self.value(ty, 0)
            {
                case.parts.extend([", ".into(), other.into()]);
            }
            case.parts.extend([":\n".into(), self.block(1, depth).into()]);
            cases.push(case);
        }
        let otherwise = match self.random.percent(40) {
            true => vec![tree!(Fixed, "else\n", self.block(1, depth))],
            false => Vec::new(),
        };
        Some(tree!(Statement, "switch ", subject, "\n", Tree::list(cases), Tree::list(otherwise), "end;\n"))
    }

    fn for_loop(&mut self, depth: usize) -> Option<Tree> {
        if self.loops > 1 {
            return self.assignment(1);
        }
        let mark = self.scope.len();
        let header = self.quantifier();
        self.loops += 1;
        let body = self.block(2, depth);
        self.loops -= 1;
        self.scope.truncate(mark);
        Some(tree!(Statement, "for ", header, " do\n", body, "end;\n"))
    }

    fn while_loop(&mut self, depth: usize) -> Option<Tree> {
        if self.loops > 0 {
            return self.assignment(1);
        }
        if self.is_full() && self.risk > 0 && self.random.percent(40) && self.body == Body::Rule {
            // This one may turn for ever.
            self.loops += 2;
            let whole = tree!(Statement, "while ", self.boolean(1), " do\n", self.block(1, 0), "end;\n");
            self.loops -= 2;
            return Some(whole);
        }
        // The flag is false after the first turn at the latest, unless an index moves it.
        let flag = self.place(&|_, ty| ty == super::types::BOOLEAN, true, 0)?;
        if flag.tree.text().contains('[') {
            return self.assignment(1);
        }
        let (set, cleared) = (flag.tree.clone(), flag.tree);
        self.loops += 1;
        let body = self.block(1, depth.min(1));
        self.loops -= 1;
        Some(tree!(Statement, "while ", set, " do\n", body, cleared, " := false;\n", "end;\n"))
    }

    fn alias(&mut self, depth: usize) -> Option<Tree> {
        let mark = self.scope.len();
        let binding = self.binding()?;
        self.note("an alias");
        let body = self.block(2, depth);
        self.scope.truncate(mark);
        Some(tree!(Statement, "alias ", binding, " do\n", body, "end;\n"))
    }

    /// `a: place` or `a: value`, with the name put in scope.
    pub fn binding(&mut self) -> Option<Tree> {
        // Rumur lets an alias that is called like what it stands for stand for itself.
        let name = if self.is_full() { self.new_name("a") } else { self.fresh_name("a") };
        if self.random.percent(20) {
            let ty = self.simple_type(20);
            let value = self.value(ty, 1)?;
            // A place gives another name to it; anything else a value.
            let may_be_place = !value.text().starts_with('(');
            let variable = Variable::named(&name, ty);
            self.scope.push(Variable { writable: false, is_value: !may_be_place, ..variable });
            return Some(tree!(Fixed, format!("{name}: "), value));
        }
        let place = self.place(&|_, _| true, false, 1)?;
        let Place { tree, ty, variable } = place;
        self.scope.push(Variable {
            writable: variable.writable,
            global: variable.global,
            is_value: variable.is_value,
            ..Variable::named(&name, ty)
        });
        Some(tree!(Fixed, format!("{name}: "), tree))
    }

    fn procedure_call(&mut self) -> Option<Tree> {
        let procedures = self.functions.iter().filter(|function| function.returns.is_none());
        let procedures: Vec<_> = procedures.filter(|function| self.may_call(function)).cloned().collect();
        if procedures.is_empty() {
            return self.assignment(1);
        }
        let procedure = self.random.pick(&procedures).clone();
        let call = self.call(&procedure, 1)?;
        Some(tree!(Statement, call, ";\n"))
    }

    /// `clear` and `undefine`.
    fn reset(&mut self) -> Option<Tree> {
        if self.random.percent(70) {
            let place = self.place(&|types, ty| !types.has_scalarset(ty), true, 1)?;
            return Some(tree!(Statement, "clear ", place.tree, ";\n"));
        }
        if self.risk == 0 && self.random.percent(70) {
            return None;
        }
        let place = self.place(&|_, _| true, true, 1)?;
        Some(tree!(Statement, "undefine ", place.tree, ";\n"))
    }

    fn claim(&mut self) -> Option<Tree> {
        let condition = self.boolean(1);
        match self.random.below(10) {
            0..4 => {
                let condition = self.mostly_true(condition);
                Some(tree!(Statement, "assert ", condition, " \"claimed\";\n"))
            }
            // Rumur has its own ways with these where a property calls the function.
            4..9 if !self.is_full() && self.body != Body::Rule => None,
            4..6 => Some(tree!(Statement, "assume ", condition, ";\n")),
            6..9 => Some(tree!(Statement, "cover \"seen\" ", condition, ";\n")),
            _ => Some(tree!(Statement, "assert ", tree!(Boolean, "true"), ";\n")),
        }
    }

    /// A condition that is false only for the daring.
    pub fn mostly_true(&mut self, condition: Tree) -> Tree {
        let again = condition.clone();
        match self.daring(8) {
            true => tree!(Boolean, "(", condition, " | ", self.boolean(1), ")"),
            false => tree!(Boolean, "(", condition, " | !(", again, "))"),
        }
    }

    /// A statement that goes wrong in some states, in one of the ways that seldom come about by
    /// themselves.
    pub fn trap(&mut self) -> Option<Tree> {
        if self.random.percent(40)
            && let Some(trap) = self.multiset_trap()
        {
            return Some(trap);
        }
        let number = self.number(1);
        let again = number.clone();
        let condition = match self.random.below(8) {
            0 | 1 => return Some(tree!(Statement, "if ", self.boolean(1), " then error \"trap\"; end;\n")),
            2 | 3 => return Some(tree!(Statement, "assert ", self.boolean(1), " \"trap\";\n")),
            4 => tree!(Boolean, "((3 / ", number, ") > 1)"),
            5 => tree!(Boolean, "((9223372036854775806 + ", number, ") > ", again, ")"),
            6 => tree!(Boolean, "((", number, " * 4611686018427387904) < 0)"),
            _ => tree!(Boolean, "(((-9223372036854775807 - 1) / ", number, ") < 0)"),
        };
        Some(tree!(Statement, "if ", condition, " then\n", self.block(1, 0), "end;\n"))
    }

    /// Takes from an empty slot, or adds to a multiset that is full.
    fn multiset_trap(&mut self) -> Option<Tree> {
        let slots: Vec<_> = self.visible().into_iter().filter_map(|at| self.scope[at].slot.clone()).collect();
        if !slots.is_empty() && self.random.percent(60) {
            let (slot, bag, _) = self.random.pick(&slots).clone();
            let remove = tree!(Statement, format!("multisetremove({slot}, "), bag, ");\n");
            return Some(tree!(Statement, remove.clone(), remove));
        }
        let is_bag = |types: &Types, ty: TypeId| matches!(types.kind(ty), Kind::Multiset(..));
        let bag = self.place(&is_bag, true, 0)?;
        let Kind::Multiset(capacity, element) = *self.types.kind(bag.ty) else { return None };
        let add = tree!(Statement, "multisetadd(", self.value(element, 0)?, ", ", bag.tree, ");\n");
        let times = self.random.between(1, capacity + 1) as usize;
        Some(Tree { class: Class::Statement, ..Tree::list(vec![add; times]) })
    }

    fn put(&mut self) -> Option<Tree> {
        match self.random.percent(50) {
            true => Some(tree!(Statement, "put \"said\\n\";\n")),
            false => {
                let place = self.place(&|_, _| true, false, 1)?;
                Some(tree!(Statement, "put ", place.tree, ";\n"))
            }
        }
    }

    fn early_return(&mut self) -> Option<Tree> {
        let words = match self.body {
            Body::Rule | Body::Procedure => tree!(Fixed, "return;\n"),
            Body::Function(ty) => tree!(Fixed, "return ", self.value_without_risk(ty)?, ";\n"),
        };
        Some(tree!(Statement, "if ", self.boolean(1), " then\n", words, "end;\n"))
    }

    fn value_without_risk(&mut self, ty: TypeId) -> Option<Tree> {
        let risk = std::mem::take(&mut self.risk);
        let value = self.value(ty, 1);
        self.risk = risk;
        value
    }

    pub fn multiset_statement(&mut self) -> Option<Tree> {
        let is_bag = |types: &Types, ty: TypeId| matches!(types.kind(ty), Kind::Multiset(..));
        let Some(bag) = self.place(&is_bag, true, 1) else { return self.assignment(2) };
        let Kind::Multiset(capacity, element) = *self.types.kind(bag.ty) else { return None };
        // A slot that is in scope fits each multiset of its type.
        let slots: Vec<(String, Tree)> = self
            .visible()
            .into_iter()
            .filter_map(|at| self.scope[at].slot.clone())
            .filter(|(_, _, ty)| *ty == bag.ty)
            .map(|(name, own, _)| (name, own))
            .collect();
        if !slots.is_empty() && self.random.percent(50) {
            let (slot, own) = self.random.pick(&slots).clone();
            let bag = if self.daring(15) { bag.tree } else { own };
            let remove = tree!(Statement, format!("multisetremove({slot}, "), bag, ");\n");
            return Some(match self.daring(10) {
                true => tree!(Statement, remove.clone(), remove),
                false => remove,
            });
        }
        if self.random.percent(30) {
            let name = self.new_name("k");
            let mark = self.scope.len();
            self.declare_slot(&name, &bag);
            let pure = std::mem::replace(&mut self.pure, true);
            let condition = self.boolean(1);
            self.pure = pure;
            self.scope.truncate(mark);
            return Some(tree!(
                Statement,
                format!("multisetremovepred({name}: "),
                bag.tree,
                ", ",
                condition,
                ");\n"
            ));
        }
        let value = self.value(element, 1)?;
        let again = bag.tree.clone();
        let add = tree!(Statement, "multisetadd(", value, ", ", bag.tree, ");\n");
        if self.daring(15) {
            return Some(add);
        }
        let name = self.fresh_name("k");
        Some(tree!(
            Statement,
            format!("if multisetcount({name}: "),
            again,
            format!(", true) < {capacity} then\n"),
            Tree::list(vec![add]),
            "end;\n"
        ))
    }
}
