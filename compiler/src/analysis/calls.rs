//! Which functions are called by given code, directly or through what they call.

use crate::semantics::code::Code;
use crate::semantics::model::{Call, Model};
use crate::semantics::visit::{Visit, walk_call};

/// For each function of a model, whether it is called by some of this code.
pub(super) fn called<'m>(model: &'m Model, codes: impl Iterator<Item = Code<'m>>) -> Vec<bool> {
    let mut called = Called { functions: vec![false; model.functions.len()], open: Vec::new() };
    codes.for_each(|code| code.visit(&mut called));
    while let Some(function) = called.open.pop() {
        if let Some(function) = model.functions.get(function) {
            function.code().visit(&mut called);
        }
    }
    called.functions
}

/// The functions that are called, and those of them whose own calls are still to be followed.
struct Called {
    functions: Vec<bool>,
    open: Vec<usize>,
}

impl<'m> Visit<'m> for Called {
    fn visit_call(&mut self, call: &'m Call) {
        let number = call.function.index();
        if let Some(called) = self.functions.get_mut(number)
            && !std::mem::replace(called, true)
        {
            self.open.push(number);
        }
        walk_call(self, call);
    }
}
