//! The code of monitors: hidden variables, the procedures that step them, and the properties.
//!
//! For a part of a formula with parameters `p…`, conditions `c…` and a monitor with more than one
//! state beside the violated one:
//!
//! ```murphi
//! var monitor: array [P] of 0..n;
//! procedure step(); begin
//!   for p: P do alias c: condition do
//!     switch monitor[p] case 1: if c then monitor[p] := 2; end; … end;
//!   end; end;
//! end;
//! ```
//!
//! All conditions are evaluated, whatever the monitor asks for: one that cannot be evaluated in a
//! state is an error there, as with formulas that are decided when the search is over. Start states
//! call a procedure that does as the monitor's first state says.

use super::parts::{Index, Part};
use super::{Analysis, Monitor, Watched};
use crate::analysis::independence::Disturbing;
use crate::semantics::model::{
    AliasBinding, AliasValue, Binder, Call, CompareOperator, Expression, ExpressionKind, Frame, Function,
    FunctionId, Global, GlobalId, Local, LocalId, LocalKind, Model, Place, PropertyKind, Root, Statement,
    StatementKind, Step, SwitchCase, Type, TypeId, TypeKind,
};
use crate::source::Span;

/// The type of conditions, which every model has at this position.
const BOOLEAN: TypeId = TypeId(1);

/// The model with the code of these formulas. `None`: there are none.
pub(super) fn woven(model: &Model, analysis: &Analysis, watched: &[Watched]) -> Option<Model> {
    if watched.is_empty() {
        return None;
    }
    let disturbing = Disturbing::new(model, &analysis.reach, analysis.accesses(model));
    let mut woven = model.clone();
    for one in watched {
        let frame = frame(model, &one.parts)?;
        let claim = model.claims.get(one.claim)?;
        let span = model.properties.get(claim.property)?.header;
        let mut conditions = Vec::new();
        for part in &one.parts {
            let mut code = Code { model: &mut woven, part, frame: frame.clone(), span };
            conditions.push(if part.remembers() {
                code.remembering(&disturbing)?
            } else {
                code.invariant()?
            });
        }
        let property = woven.properties.get_mut(claim.property)?;
        property.kind = PropertyKind::Safety;
        property.frame = frame;
        property.condition = conjunction(conditions, span);
    }
    Some(woven)
}

/// The locals of all conditions of a formula: what is declared while it is checked is only ever
/// added to. `None`: that is not so.
pub(super) fn frame(model: &Model, parts: &[Part]) -> Option<Frame> {
    let atoms = parts.iter().flat_map(|part| &part.atoms);
    let frames: Vec<&Frame> =
        atoms.filter_map(|atom| model.atoms.get(*atom)).map(|atom| &atom.frame).collect();
    let longest = frames.iter().max_by_key(|frame| frame.locals.len())?;
    let is_same = |one: &Local, other: &Local| {
        one.name == other.name && one.ty == other.ty && one.kind == other.kind && one.span == other.span
    };
    let begins_like_it =
        |frame: &Frame| frame.locals.iter().zip(&longest.locals).all(|(one, other)| is_same(one, other));
    frames.iter().all(|frame| begins_like_it(frame)).then(|| (*longest).clone())
}

/// Writes the code of one part into a model.
struct Code<'a> {
    model: &'a mut Model,
    part: &'a Part,
    /// Of the conditions.
    frame: Frame,
    /// Of the property.
    span: Span,
}

impl Code<'_> {
    /// Adds a monitor with its steps; the condition under which it is not violated.
    fn remembering(&mut self, disturbing: &Disturbing<'_>) -> Option<Expression> {
        let values = self.range(0, self.part.monitor.states() as i64 - 1);
        let mut ty = values;
        for parameter in self.part.parameters.iter().rev() {
            let index = match parameter.index {
                Index::Known(ty) => ty,
                Index::Range(low, high) => self.range(low, high),
            };
            ty = self.ty(TypeKind::Array { index, element: ty });
        }
        let variable = GlobalId(self.model.globals.len() as u32);
        let number = self.model.globals.iter().filter(|global| global.hidden).count() + 1;
        let name = format!("monitor_{number}");
        self.model.globals.push(Global { name, ty, hidden: true, span: self.span });
        let place = Place {
            root: Root::Global(variable),
            steps: self
                .part
                .parameters
                .iter()
                .map(|parameter| {
                    let (local, ty) = (parameter.quantified.binder.variable, parameter.quantified.local.ty);
                    let kind = ExpressionKind::Value(local);
                    Step::Index(Box::new(Expression { kind, ty, span: self.span }))
                })
                .collect(),
            ty: values,
            span: self.span,
        };
        let read = Expression { kind: ExpressionKind::Read(place.clone()), ty: values, span: self.span };
        let frame = self.with_letters();
        let monitor = &self.part.monitor;
        let states = 1..monitor.states() as u8;
        let cases = states.filter_map(|state| {
            let body = self.decide(&place, state, Some(state));
            let values = vec![self.constant(i64::from(state), values)];
            (!body.is_empty()).then_some(SwitchCase { values, body })
        });
        let step =
            StatementKind::Switch { subject: read.clone(), cases: cases.collect(), otherwise: Vec::new() };
        let begin = self.decide(&place, monitor.first(), None);
        let step = self.procedure(format!("step_{number}"), &frame, vec![self.statement(step)])?;
        let begin = self.procedure(format!("begin_{number}"), &frame, begin)?;
        let (step, begin) = (self.call(step), self.call(begin));
        for start in &mut self.model.starts {
            start.body.push(begin.clone());
        }
        for (at, rule) in self.model.rules.iter_mut().enumerate() {
            if disturbing.is_disturbed(at, &self.part.atoms) {
                rule.body.push(step.clone());
            }
        }
        let violated = self.constant(i64::from(Monitor::VIOLATED), values);
        let (left, right) = (Box::new(read), Box::new(violated));
        let kind = ExpressionKind::Compare { operator: CompareOperator::NotEqual, left, right };
        Some(self.for_all(Expression { kind, ty: BOOLEAN, span: self.span }))
    }

    /// The condition under which a part that remembers nothing is not violated.
    fn invariant(&mut self) -> Option<Expression> {
        let conditions: Option<Vec<Expression>> =
            (0..self.part.atoms.len()).map(|at| self.condition(at)).collect();
        let conditions = conditions?;
        let holds = self.holds(&conditions, 0, 0);
        // Each is evaluated, also where others decide.
        let all = match conditions.len() {
            0 | 1 => vec![holds],
            _ => {
                let truth = self.constant(1, BOOLEAN);
                let evaluated = conditions.into_iter().map(|condition| {
                    let kind = ExpressionKind::Or(vec![condition, truth.clone()]);
                    Expression { kind, ty: BOOLEAN, span: self.span }
                });
                evaluated.chain([holds]).collect()
            }
        };
        Some(self.for_all(conjunction(all, self.span)))
    }

    /// Whether the monitor stays in its first state, with the conditions before `at` as in
    /// `letter`.
    fn holds(&self, conditions: &[Expression], at: usize, letter: u64) -> Expression {
        let Some(condition) = conditions.get(at) else {
            let monitor = &self.part.monitor;
            let holds = monitor.next(monitor.first(), letter) != Monitor::VIOLATED;
            return self.constant(i64::from(holds), BOOLEAN);
        };
        let then = self.holds(conditions, at + 1, letter | 1 << at);
        let otherwise = self.holds(conditions, at + 1, letter);
        let kind = match (&then.kind, &otherwise.kind) {
            (ExpressionKind::Constant(yes), ExpressionKind::Constant(no)) if yes == no => return then,
            (ExpressionKind::Constant(1), ExpressionKind::Constant(_)) => return condition.clone(),
            (ExpressionKind::Constant(_), ExpressionKind::Constant(_)) => {
                ExpressionKind::Not(Box::new(condition.clone()))
            }
            _ => ExpressionKind::Conditional {
                condition: Box::new(condition.clone()),
                then: Box::new(then),
                otherwise: Box::new(otherwise),
            },
        };
        Expression { kind, ty: BOOLEAN, span: self.span }
    }

    /// Statements that set the monitor to where a state leads, by the letters of all conditions.
    /// Nothing is written where it is there already.
    fn decide(&self, place: &Place, state: u8, already: Option<u8>) -> Vec<Statement> {
        self.decide_from(place, state, already, (0, 0))
    }

    fn decide_from(
        &self,
        place: &Place,
        state: u8,
        already: Option<u8>,
        (at, letter): (usize, u64),
    ) -> Vec<Statement> {
        let leads = |low: u64| self.part.monitor.next(state, letter | low << at);
        let open = self.part.atoms.len() - at;
        let first = leads(0);
        if (0..1u64 << open).all(|low| leads(low) == first) {
            if already == Some(first) {
                return Vec::new();
            }
            let value = self.constant(i64::from(first), place.ty);
            return vec![self.statement(StatementKind::Assign { target: place.clone(), value })];
        }
        let then = self.decide_from(place, state, already, (at + 1, letter | 1 << at));
        let otherwise = self.decide_from(place, state, already, (at + 1, letter));
        let kind = ExpressionKind::Value(self.letter(at));
        let condition = Expression { kind, ty: BOOLEAN, span: self.span };
        vec![self.statement(StatementKind::If { arms: vec![(condition, then)], otherwise })]
    }

    /// The local that has the value of a condition, behind those of the conditions.
    fn letter(&self, at: usize) -> LocalId {
        LocalId((self.frame.locals.len() + at) as u32)
    }

    fn with_letters(&self) -> Frame {
        let letters = (0..self.part.atoms.len()).map(|at| Local {
            name: format!("condition_{}", at + 1),
            ty: BOOLEAN,
            kind: LocalKind::Value,
            span: self.span,
        });
        Frame { locals: self.frame.locals.iter().cloned().chain(letters).collect() }
    }

    /// Adds a procedure that does this for all parameters, with the values of the conditions.
    fn procedure(&mut self, name: String, frame: &Frame, body: Vec<Statement>) -> Option<FunctionId> {
        let mut body = body;
        for at in (0..self.part.atoms.len()).rev() {
            let value = AliasValue::Expression(self.condition(at)?);
            let binding = AliasBinding { local: self.letter(at), value };
            body = vec![self.statement(StatementKind::Alias { binding, body })];
        }
        for parameter in self.part.parameters.iter().rev() {
            let binder: Binder = parameter.quantified.binder.clone();
            body = vec![self.statement(StatementKind::For { binder, body })];
        }
        let id = FunctionId(self.model.functions.len() as u32);
        self.model.functions.push(Function {
            name: format!("monitor_{name}"),
            frame: frame.clone(),
            parameters: Vec::new(),
            returns: None,
            variables: Vec::new(),
            body,
            recursive: false,
            span: self.span,
            name_span: self.span,
        });
        Some(id)
    }

    fn call(&self, function: FunctionId) -> Statement {
        self.statement(StatementKind::Call(Call { function, arguments: Vec::new(), span: self.span }))
    }

    fn condition(&self, at: usize) -> Option<Expression> {
        let atom = self.part.atoms.get(at)?;
        Some(self.model.atoms.get(*atom)?.condition.clone())
    }

    fn for_all(&self, body: Expression) -> Expression {
        self.part.parameters.iter().rev().fold(body, |body, parameter| {
            let binder = parameter.quantified.binder.clone();
            let kind = ExpressionKind::Forall { binder, body: Box::new(body) };
            Expression { kind, ty: BOOLEAN, span: self.span }
        })
    }

    fn constant(&self, value: i64, ty: TypeId) -> Expression {
        Expression { kind: ExpressionKind::Constant(value), ty, span: self.span }
    }

    fn statement(&self, kind: StatementKind) -> Statement {
        Statement { kind, span: self.span }
    }

    fn range(&mut self, low: i64, high: i64) -> TypeId {
        self.ty(TypeKind::Range { low, high })
    }

    fn ty(&mut self, kind: TypeKind) -> TypeId {
        self.model.types.push(Type { name: None, kind, span: self.span });
        TypeId(self.model.types.len() as u32 - 1)
    }
}

fn conjunction(mut all: Vec<Expression>, span: Span) -> Expression {
    match (all.pop(), all.is_empty()) {
        (Some(only), true) => only,
        (Some(last), false) => {
            all.push(last);
            Expression { kind: ExpressionKind::And(all), ty: BOOLEAN, span }
        }
        (None, _) => Expression { kind: ExpressionKind::Constant(1), ty: BOOLEAN, span },
    }
}
