//! Functions and procedures: signatures first, bodies when everything else is declared.

use super::checker::{
    Body, Checker, FrameInProgress, LocalFacts, Origin, Role, Signature, SignatureParameter,
};
use super::model::{Function, FunctionId, FunctionParameter, LocalKind};
use super::scopes::Binding;
use super::types::POISON;
use crate::diagnostics::Diagnostic;
use crate::syntax::tree;

/// Parameters that one function may have.
const MAX_PARAMETERS: usize = 250;

impl Checker {
    /// Declares a function, without looking into it. Functions are numbered in the order of the
    /// text.
    pub fn signature(&mut self, tree: &tree::Function) {
        let id = FunctionId(self.signatures.len() as u32);
        let mut parameters = Vec::new();
        for group in &tree.parameters {
            let ty = self.type_expression(&group.definition, None);
            for name in &group.names {
                let name = name.clone();
                parameters.push(SignatureParameter { name, ty, by_reference: group.by_reference });
            }
        }
        if let Some(beyond) = parameters.get(MAX_PARAMETERS) {
            let message = format!("mcc allows {MAX_PARAMETERS} parameters of one function");
            let diagnostic = Diagnostic::error("too-many-parameters", beyond.name.span, message)
                .help("an array or a record holds many values in one parameter");
            self.report(diagnostic);
        }
        let returns = tree.returns.as_ref().map(|definition| self.type_expression(definition, None));
        self.later.remove(&tree.name.text);
        self.signatures.push(Signature { name: tree.name.clone(), parameters, returns });
        self.function_effects.push(Default::default());
        self.declare(&tree.name, Binding::Function(id));
        self.function_names.entry(tree.name.text.clone()).or_insert(id);
    }

    pub fn function_body(&mut self, id: FunctionId, tree: &tree::Function) -> Function {
        self.frame = FrameInProgress::default();
        self.effects = Default::default();
        self.unknown.clear();
        self.returns_seen = false;
        self.body = Body::Function(id);
        self.scopes.enter();
        let parameters = self.parameters(id);
        self.scopes.enter();
        self.local_declarations(&tree.declarations);
        let body = self.statements(&tree.body);
        self.scopes.leave();
        self.scopes.leave();
        self.body = Body::Expression;
        let returns = self.signatures.get(id.index()).and_then(|signature| signature.returns);
        if returns.is_some() && !self.returns_seen {
            self.report(
                Diagnostic::warning(
                    "no-return",
                    tree.name.span,
                    format!("the function `{}` never returns a value", tree.name.text),
                )
                .label("every call ends in a run-time error")
                .help("make it a procedure, or add a `return`"),
            );
        }
        if let Some(effects) = self.function_effects.get_mut(id.index()) {
            *effects = std::mem::take(&mut self.effects);
        }
        let frame = std::mem::take(&mut self.frame);
        Function {
            name: tree.name.text.clone(),
            frame: frame.frame(),
            parameters,
            returns,
            variables: frame.variables,
            body,
            recursive: false,
            span: tree.span,
            name_span: tree.name.span,
        }
    }

    fn parameters(&mut self, id: FunctionId) -> Vec<FunctionParameter> {
        let Some(signature) = self.signatures.get(id.index()) else { return Vec::new() };
        let parameters: Vec<_> =
            signature.parameters.iter().map(|one| (one.name.clone(), one.ty, one.by_reference)).collect();
        let mut declared = Vec::with_capacity(parameters.len());
        for (position, (name, ty, by_reference)) in parameters.into_iter().enumerate() {
            if ty == POISON {
                self.declare(&name, Binding::Poison);
                continue;
            }
            let (kind, facts) = if by_reference {
                let origin = Origin::Parameter(position);
                (LocalKind::Reference, LocalFacts { role: Role::ReferenceParameter, origin, writable: true })
            } else {
                let facts =
                    LocalFacts { role: Role::ReadOnlyParameter, origin: Origin::Own, writable: false };
                (LocalKind::Storage, facts)
            };
            let local = self.add_local(&name, ty, kind, facts);
            declared.push(FunctionParameter { local, by_reference });
        }
        declared
    }
}
