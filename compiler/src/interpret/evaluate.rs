//! Evaluates an expression that is no part of the model in a state, and says which elements of
//! multisets a rule has chosen.

use super::instances;
use super::machine::Machine;
use super::sites::SiteTable;
use super::slots::Slots;
use super::value_tree::ValueTree;
use super::{Interpreter, Scope};
use crate::diagnostics::{Diagnostic, Severity};
use crate::semantics::model::{Binder, Domain, Expression, ExpressionKind, Frame, Model, TypeKind};
use crate::semantics::visit::{Visit, walk_expression};
use crate::semantics::{self, code::Code};
use crate::source::{Position, Source};
use crate::syntax;
use crate::syntax::tree::Program;
use mcc_runtime::context::Context;
use mcc_runtime::fault::{Fault, Site};
use mcc_runtime::model::RuleId;

/// An expression in which quantifiers turn more often than this is refused: it would take minutes.
const MOST_TURNS: u128 = 10_000_000;

/// An expression, ready to be evaluated in any state.
pub struct Evaluation {
    /// The model, with the types that the expression needs behind its own.
    model: Model,
    slots: Slots,
    sites: SiteTable,
    /// The sites of the model come first.
    first_site: usize,
    frame: Frame,
    expression: Expression,
    /// Where the expression begins in its source, which is the model's text and then its own.
    offset: u32,
    source: Source,
}

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoValue {
    pub message: String,
    pub help: Option<String>,
    /// Whether the place is in the expression; otherwise it is in the model.
    pub in_expression: bool,
    pub place: Option<Position>,
    /// As long as what is wrong, in characters.
    pub length: u32,
}

impl Evaluation {
    /// Parses and types an expression in the scope of the model's rules.
    pub fn new(
        interpreter: &Interpreter,
        program: &Program,
        source: &Source,
        text: &str,
    ) -> Result<Evaluation, NoValue> {
        let whole = Source::new(source.name.clone(), format!("{}\n{text}", source.text));
        let offset = source.text.len() as u32 + 1;
        let refuse = |diagnostic: &Diagnostic| {
            let span = diagnostic.primary.span;
            let (in_expression, place) = place(&whole, offset, span.start);
            let length = span.text(&whole.text).chars().count() as u32;
            let (message, help) = (diagnostic.message.clone(), diagnostic.help.clone());
            NoValue { message, help, in_expression, place: Some(place), length }
        };
        let first = |found: &[Diagnostic]| {
            let error = found.iter().find(|one| one.severity == Severity::Error);
            error.map(refuse)
        };
        let unclear = || NoValue::whole("this cannot be understood");
        let tree =
            syntax::parse_expression(text, offset).map_err(|found| first(&found).unwrap_or_else(unclear))?;
        let (model, frame, expression, found) = semantics::check_expression(program, &tree);
        if let Some(refused) = first(&found) {
            return Err(refused);
        }
        if model.types.get(expression.ty.index()).is_none() {
            return Err(unclear());
        }
        let mut effort = Effort { model: &model, around: 1, most: 0 };
        effort.visit_expression(&expression);
        if effort.most > MOST_TURNS {
            let message = format!("its quantifiers would turn {} times", effort.most);
            let help = Some(format!("at most {MOST_TURNS} are evaluated here; use smaller ranges"));
            return Err(NoValue { help, ..NoValue::whole(&message) });
        }
        let slots = Slots::new(&model, &interpreter.analysis.symmetry);
        let code =
            Code { frame: &frame, scopes: &[], condition: Some(&expression), variables: &[], body: &[] };
        let first_site = interpreter.description.sites.len();
        let sites = interpreter.sites.with(&model, &whole, first_site as u32, code);
        Ok(Evaluation { model, slots, sites, first_site, frame, expression, offset, source: whole })
    }

    /// The value in a state.
    pub fn value(
        &self,
        interpreter: &Interpreter,
        context: &Context,
        state: &[u64],
    ) -> Result<ValueTree, NoValue> {
        let memory = self.slots.load(&self.model, state);
        let mut machine = Machine::new(&self.model, &self.slots, &self.sites, context, memory);
        machine.enter(&self.frame);
        let ty = self.expression.ty;
        let value = match self.model.ty(ty).kind {
            TypeKind::Array { .. } | TypeKind::Record { .. } | TypeKind::Multiset { .. } => {
                machine.compound(&self.expression)
            }
            TypeKind::Integer
            | TypeKind::Boolean
            | TypeKind::Enum { .. }
            | TypeKind::Range { .. }
            | TypeKind::Scalarset { .. }
            | TypeKind::Union(_) => machine.maybe(&self.expression).map(|slot| vec![slot]),
        };
        match value {
            Ok(slots) => Ok(ValueTree::of_slots(&self.model, &self.slots, ty, &slots)),
            Err(fault) => Err(self.fault(interpreter, fault)),
        }
    }

    fn fault(&self, interpreter: &Interpreter, fault: Fault) -> NoValue {
        if fault == Fault::PRUNED || fault == Fault::EXCLUDED {
            return NoValue::whole("an assumption in a function does not hold");
        }
        let at = fault.site();
        let own = at.checked_sub(self.first_site).and_then(|at| self.sites.sites.get(at));
        let site: Option<&Site> = own.or_else(|| interpreter.description.sites.get(at));
        let Some(site) = site else { return NoValue::whole("it cannot be evaluated") };
        let message = site.message.replacen("{}", &Fault::value().to_string(), 1);
        let found = Position { line: site.position.line, column: site.position.column };
        let first = self.source.position(self.offset).line;
        let (in_expression, place) = match found.line.checked_sub(first) {
            Some(lines) => (true, Position { line: lines + 1, ..found }),
            None => (false, found),
        };
        NoValue { message, help: None, in_expression, place: Some(place), length: 1 }
    }
}

impl NoValue {
    fn whole(message: &str) -> NoValue {
        NoValue { message: message.to_owned(), help: None, in_expression: true, place: None, length: 0 }
    }
}

/// Where an offset is: in the expression, from its own first line, or in the model.
fn place(whole: &Source, offset: u32, at: u32) -> (bool, Position) {
    let found = whole.position(at);
    if at < offset {
        return (false, found);
    }
    (true, Position { line: found.line - whole.position(offset).line + 1, ..found })
}

/// How often the innermost body of quantifiers is evaluated.
struct Effort<'m> {
    model: &'m Model,
    around: u128,
    most: u128,
}

impl<'m> Visit<'m> for Effort<'m> {
    fn visit_expression(&mut self, expression: &'m Expression) {
        let turns = match &expression.kind {
            ExpressionKind::Forall { binder, .. } | ExpressionKind::Exists { binder, .. } => turns(binder),
            ExpressionKind::MultisetCount { multiset, .. } => match self.model.ty(multiset.ty).kind {
                TypeKind::Multiset { capacity, .. } => u128::from(capacity),
                _ => 1,
            },
            _ => 1,
        };
        let before = self.around;
        self.around = before.saturating_mul(turns);
        self.most = self.most.max(self.around);
        walk_expression(self, expression);
        self.around = before;
    }
}

fn turns(binder: &Binder) -> u128 {
    let (low, high, step) = match &binder.domain {
        Domain::Constant { low, high } => (*low, *high, 1),
        Domain::Steps { from, upto, step } => match (&from.kind, &upto.kind, &step.kind) {
            (
                ExpressionKind::Constant(from),
                ExpressionKind::Constant(upto),
                ExpressionKind::Constant(step),
            ) => (*from, *upto, *step),
            // Bounds that depend on the state may be any numbers.
            _ => return 1 << 16,
        },
    };
    (i128::from(high) - i128::from(low)).unsigned_abs() / u128::from(step.unsigned_abs().max(1)) + 1
}

impl Interpreter {
    /// What each parameter of a rule stands for: of a `choose`, the element in the slot.
    pub fn chosen(&self, context: &Context, rule: RuleId, state: &[u64]) -> Vec<Option<ValueTree>> {
        let Some((family, values)) = instances::find(&self.rules, rule.0) else { return Vec::new() };
        let rule = &self.model.rules[family];
        let parameters = rule.scopes.iter().filter(|scope| super::is_parameter(scope)).count();
        if !rule.scopes.iter().any(|scope| matches!(scope, Scope::Choose { .. })) {
            return vec![None; parameters];
        }
        let mut machine = self.machine(context, state);
        machine.enter(&rule.frame);
        // Where a scope cannot be evaluated, nothing was chosen.
        if !machine.scopes(&rule.scopes, &values).unwrap_or(false) {
            return vec![None; parameters];
        }
        let scopes = rule.scopes.iter().filter(|scope| super::is_parameter(scope));
        let element = |(scope, value)| {
            let Scope::Choose { multiset, .. }: &Scope = scope else { return None };
            let TypeKind::Multiset { element, .. } = self.model.ty(multiset.ty).kind else { return None };
            let bag = machine.place(multiset).ok()?;
            let at = machine.occupied(bag, multiset.ty, value)? + 1;
            let slots = machine.slots_at(at, element);
            Some(ValueTree::of_slots(&self.model, &self.slots, element, &slots))
        };
        scopes.zip(values).map(element).collect()
    }
}
