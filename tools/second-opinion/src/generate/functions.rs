//! Functions and procedures, and calls of them.

use crate::generate::scope::Variable;
use crate::generate::types::{BOOLEAN, Kind, TypeId, Types};
use crate::generate::{Body, Generator};
use crate::tree;
use crate::tree::Tree;

#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    /// Each with its type, and whether it is a `var` parameter.
    pub parameters: Vec<(TypeId, bool)>,
    /// `None` for a procedure.
    pub returns: Option<TypeId>,
    pub writes_globals: bool,
}

impl Generator {
    pub fn call_returning(&mut self, ty: TypeId, depth: usize) -> Option<Tree> {
        self.call_where(depth, |_, other| other == ty)
    }

    /// A call of a function whose result is wanted.
    pub fn call_where(&mut self, depth: usize, wanted: impl Fn(&Types, TypeId) -> bool) -> Option<Tree> {
        let functions = self.functions.iter();
        let functions =
            functions.filter(|function| function.returns.is_some_and(|ty| wanted(&self.types, ty)));
        let functions: Vec<Function> =
            functions.filter(|function| self.may_call(function)).cloned().collect();
        if functions.is_empty() {
            return None;
        }
        let function = self.random.pick(&functions).clone();
        self.call(&function, depth.saturating_sub(1))
    }

    pub fn may_call(&self, function: &Function) -> bool {
        let by_reference = function.parameters.iter().any(|(_, by_reference)| *by_reference);
        (self.globals_writable || !function.writes_globals) && !(self.pure && by_reference)
    }

    pub fn call(&mut self, function: &Function, depth: usize) -> Option<Tree> {
        self.call_with(function, None, depth)
    }

    /// A call whose first argument may be given.
    fn call_with(&mut self, function: &Function, first: Option<Tree>, depth: usize) -> Option<Tree> {
        let mut call = tree!(Value, format!("{}(", function.name));
        let given = first.is_some();
        call.parts.extend(first.map(Into::into));
        for (at, (ty, by_reference)) in function.parameters.iter().enumerate().skip(usize::from(given)) {
            if at > 0 {
                call.parts.push(", ".into());
            }
            let (ty, simple) = (*ty, self.types.is_simple(*ty));
            let argument = if *by_reference {
                self.place(&|_, other| other == ty, true, depth)?.tree
            } else if self.is_full() && simple && self.risky() {
                tree!(Value, "undefined")
            } else {
                self.value(ty, depth)?
            };
            call.parts.push(argument.into());
        }
        call.parts.push(")".into());
        Some(call)
    }

    /// A statement that calls a function or procedure.
    pub fn use_of_function(&mut self) -> Option<Tree> {
        if self.functions.is_empty() {
            return None;
        }
        let functions = self.functions.clone();
        let function = self.random.pick(&functions).clone();
        let call = self.call(&function, 1)?;
        let Some(returns) = function.returns else { return Some(tree!(Statement, call, ";\n")) };
        if let Some(target) = self.place(&|_, ty| ty == returns, true, 0) {
            return Some(tree!(Statement, target.tree, " := ", call, ";\n"));
        }
        let other = self.value(returns, 0)?;
        Some(tree!(Statement, "if ", call, " = ", other, " then\n", self.block(1, 0), "end;\n"))
    }

    /// Declares a function or procedure, and makes it callable.
    pub fn function(&mut self) -> Option<Tree> {
        let is_function = self.random.percent(60);
        let name = self.fresh_name(if is_function { "g" } else { "p" });
        let returns = is_function.then(|| self.usable_type());
        let returns = returns.filter(|ty| !matches!(self.types.kind(*ty), Kind::Multiset(..)));
        let is_recursive = self.random.percent(25);
        let writes_globals = match returns {
            Some(_) => self.is_full() && self.random.percent(45),
            None => true,
        };
        // So that guards find functions to call.
        let returns = match writes_globals && returns.is_some() && self.random.percent(60) {
            true => Some(BOOLEAN),
            false => returns,
        };
        let outer = self.scope.clone();
        let mut parameters = Vec::new();
        let mut list = Vec::new();
        let counter = self.fresh_name("n");
        if is_recursive {
            let ty = self.range_type(0, 3);
            parameters.push((ty, false));
            list.push(tree!(Fixed, format!("{counter}: 0..3")));
            self.scope.push(Variable { writable: false, ..Variable::named(&counter, ty) });
        }
        let mut taken = vec![counter.clone()];
        for _ in 0..self.random.below(4) {
            let ty = self.usable_type();
            let by_reference = self.random.percent(40) && (returns.is_none() || self.is_full());
            let parameter = self.new_name("x");
            if taken.contains(&parameter) {
                continue;
            }
            taken.push(parameter.clone());
            parameters.push((ty, by_reference));
            let word = if by_reference { "var " } else { "" };
            list.push(tree!(Fixed, format!("{word}{parameter}: "), self.types.spelling(ty)));
            self.scope.push(Variable { writable: by_reference, ..Variable::named(&parameter, ty) });
        }
        let function = Function { name: name.clone(), parameters, returns, writes_globals };
        self.globals_writable = writes_globals;
        self.body = returns.map_or(Body::Procedure, Body::Function);
        let fixed = self.fixed_names.len();
        self.fixed_names.extend(taken);
        let made = self.function_text(&function, list, is_recursive.then_some(counter));
        self.fixed_names.truncate(fixed);
        self.body = Body::Rule;
        self.globals_writable = true;
        self.scope = outer;
        let made = made?;
        self.functions.push(function);
        Some(made)
    }

    fn function_text(
        &mut self,
        function: &Function,
        parameters: Vec<Tree>,
        counter: Option<String>,
    ) -> Option<Tree> {
        let word = if function.returns.is_some() { "function" } else { "procedure" };
        let mut header = tree!(Fixed, format!("{word} {}(", function.name));
        for (at, parameter) in parameters.into_iter().enumerate() {
            header.parts.push(if at > 0 { "; ".into() } else { "".into() });
            header.parts.push(parameter.into());
        }
        header.parts.push(")".into());
        if let Some(returns) = function.returns {
            header.parts.push(": ".into());
            header.parts.push(self.types.spelling(returns).into());
        }
        header.parts.push(";\n".into());

        let (declarations, mut statements) = self.locals();
        let mut declared = vec![declarations];
        let result = function.returns.map(|ty| (self.fresh_name("r"), ty));
        if let (Some((result, ty)), Some(_)) = (&result, &counter) {
            declared.push(tree!(Fixed, format!("var {result}: "), self.types.spelling(*ty), ";\n"));
            statements.extend(self.initialise(result, *ty));
            self.scope.push(Variable::named(result, *ty));
        }
        if let Some(counter) = counter {
            // Downwards, or not at all.
            let step = if self.is_full() && self.daring(30) { "" } else { " - 1" };
            let first = tree!(Number, format!("{counter}{step}"));
            let call = self.call_with(function, Some(first), 1)?;
            let recursion = match &result {
                Some((result, _)) => tree!(Statement, format!("{result} := "), call, ";\n"),
                None => tree!(Statement, call, ";\n"),
            };
            let before = self.block(1, 1);
            let inner = Tree::list(vec![before, recursion]);
            statements.push(tree!(Statement, format!("if {counter} > 0 then\n"), inner, "end;\n"));
        }
        statements.push(self.block(2, 2));
        // Its `cover` and `put` must have their effect once per call, whoever calls it.
        if self.is_full() && self.random.percent(35) {
            statements.push(match self.random.percent(80) {
                true => tree!(Statement, "cover \"called\" ", self.boolean(1), ";\n"),
                false => tree!(Statement, "put \"called\";\n"),
            });
        }
        if let Some(returns) = function.returns {
            let risk = self.risk;
            // Rumur does not check the result.
            self.risk = if self.is_full() { risk } else { 0 };
            let value = self.value(returns, 2);
            self.risk = risk;
            match value {
                Some(_) if self.is_full() && self.daring(20) => {}
                Some(value) => statements.push(tree!(Fixed, "return ", value, ";\n")),
                None => return None,
            }
        }
        Some(tree!(Rule, header, Tree::list(declared), "begin\n", Tree::list(statements), "end;\n"))
    }
}
