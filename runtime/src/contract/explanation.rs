//! Why a property is false in a state: the part of its condition that decides, with values.
//!
//! Generated code evaluates the condition of a violated property once more, through [`Why`]: each
//! operator notes what its operands say, and drops what did not decide. It evaluates in the order
//! of the property itself, and stops where that stops.

use super::fault::Fault;
use super::model::Simple;
use super::values::label;

/// Longer texts are cut.
const LONGEST: usize = 160;
/// More lines than these explain nothing any more.
const MOST: usize = 40;

/// One line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// How deep inside the condition the part is.
    pub depth: usize,
    /// The part as it is written in the model, or the witness of a quantifier.
    pub text: String,
    /// What it is in this state: `false`, or the values of its sides.
    pub value: String,
}

/// A part of the model's text: its first byte, and the one after its last.
pub type Part = (u32, u32);

/// A part, as generated code names it: by what follows its name, places are found there.
pub const fn part(begin: u32, end: u32) -> Part {
    (begin, end)
}

/// A side of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Side {
    pub part: Part,
    /// `None`: it is undefined.
    pub value: Option<i64>,
    pub ty: &'static Simple,
}

/// A part of a condition that notes its reasons.
pub type Noted<'a, 't> = &'a dyn Fn(&mut Why<'t>) -> Result<bool, Fault>;
/// The body of a quantifier.
pub type NotedBody<'a, 't> = &'a dyn Fn(&mut Why<'t>, i64) -> Result<bool, Fault>;

/// The variable of a quantifier.
#[derive(Clone, Copy, Debug)]
pub struct Bound<'t> {
    pub name: &'t str,
    pub ty: &'static Simple,
}

/// What was noted, to be written once it is known what decides.
#[derive(Clone, Debug)]
enum Note<'t> {
    Value(Part, bool),
    Compared(Part, bool, Vec<Side>),
    Witness(Bound<'t>, i64),
}

/// Notes why conditions have their values.
#[derive(Debug)]
pub struct Why<'t> {
    source: &'t str,
    /// The values of the property's own parameters.
    parameters: Vec<Note<'t>>,
    notes: Vec<(usize, Note<'t>)>,
}

impl<'t> Why<'t> {
    /// Parts are those of this text.
    pub fn new(source: &'t str) -> Self {
        Why { source, parameters: Vec::new(), notes: Vec::new() }
    }

    /// Nothing was noted.
    pub fn clear(&mut self) {
        self.parameters.clear();
        self.notes.clear();
    }

    /// The value of a parameter of the property.
    pub fn parameter(&mut self, name: &'t str, ty: &'static Simple, value: i64) {
        self.parameters.push(Note::Witness(Bound { name, ty }, value));
    }

    /// A condition of which nothing but its value is said.
    pub fn value(&mut self, part: Part, value: bool) -> bool {
        self.notes.push((0, Note::Value(part, value)));
        value
    }

    /// A comparison, with its sides that are no constants.
    pub fn compared(&mut self, part: Part, value: bool, sides: &[Side]) -> bool {
        self.notes.push((0, Note::Compared(part, value, sides.to_vec())));
        value
    }

    /// `&`: the first operand that is false says more than the whole.
    pub fn all(&mut self, operands: &[Noted<'_, 't>]) -> Result<bool, Fault> {
        self.joined(operands, false)
    }

    /// `|`: the first operand that is true says more than the whole.
    pub fn any(&mut self, operands: &[Noted<'_, 't>]) -> Result<bool, Fault> {
        self.joined(operands, true)
    }

    fn joined(&mut self, operands: &[Noted<'_, 't>], decides: bool) -> Result<bool, Fault> {
        let begin = self.notes.len();
        for operand in operands {
            let own = self.notes.len();
            if operand(self)? == decides {
                self.notes.drain(begin..own);
                return Ok(decides);
            }
        }
        Ok(!decides)
    }

    /// `left -> right`: the side that decides, or both if it is false.
    pub fn implies(&mut self, part: Part, left: Noted<'_, 't>, right: Noted<'_, 't>) -> Result<bool, Fault> {
        let begin = self.notes.len();
        if !left(self)? {
            return Ok(true);
        }
        let own = self.notes.len();
        if right(self)? {
            self.notes.drain(begin..own);
            return Ok(true);
        }
        self.head(begin, Note::Value(part, false));
        Ok(false)
    }

    /// `condition ? then : otherwise`.
    pub fn conditional(
        &mut self,
        part: Part,
        condition: Noted<'_, 't>,
        then: Noted<'_, 't>,
        otherwise: Noted<'_, 't>,
    ) -> Result<bool, Fault> {
        let begin = self.notes.len();
        let value = if condition(self)? { then(self)? } else { otherwise(self)? };
        self.head(begin, Note::Value(part, value));
        Ok(value)
    }

    /// `forall`: the first value for which the body is false.
    pub fn forall(
        &mut self,
        part: Part,
        bound: Bound<'t>,
        values: &mut dyn Iterator<Item = i64>,
        body: NotedBody<'_, 't>,
    ) -> Result<bool, Fault> {
        self.quantified(part, bound, values, body, false)
    }

    /// `exists`: the first value for which the body is true.
    pub fn exists(
        &mut self,
        part: Part,
        bound: Bound<'t>,
        values: &mut dyn Iterator<Item = i64>,
        body: NotedBody<'_, 't>,
    ) -> Result<bool, Fault> {
        self.quantified(part, bound, values, body, true)
    }

    fn quantified(
        &mut self,
        part: Part,
        bound: Bound<'t>,
        values: &mut dyn Iterator<Item = i64>,
        body: NotedBody<'_, 't>,
        decides: bool,
    ) -> Result<bool, Fault> {
        let begin = self.notes.len();
        for value in values {
            if body(self, value)? == decides {
                self.head(begin, Note::Witness(bound, value));
                return Ok(decides);
            }
            self.notes.truncate(begin);
        }
        Ok(self.value(part, !decides))
    }

    /// Puts a line above all that was noted since, which moves inside it.
    fn head(&mut self, begin: usize, note: Note<'t>) {
        self.notes.iter_mut().skip(begin).for_each(|(depth, _)| *depth += 1);
        self.notes.insert(begin, (0, note));
    }

    /// What was noted, as text.
    pub fn reasons(self) -> Vec<Reason> {
        let parameters = self.parameters.iter().map(|note| (0, note));
        let notes = self.notes.iter().take(MOST).map(|(depth, note)| (*depth, note));
        parameters.chain(notes).map(|(depth, note)| self.reason(depth, note)).collect()
    }

    fn reason(&self, depth: usize, note: &Note<'_>) -> Reason {
        match note {
            Note::Value(part, value) => self.line(depth, *part, value.to_string()),
            // `false: state[i] is waiting, x is 3`
            Note::Compared(part, value, sides) => {
                let sides = sides.iter().enumerate().map(|(number, side)| {
                    let between = if number == 0 { ": " } else { ", " };
                    let value = side.value.map_or("undefined".into(), |value| label(side.ty, value));
                    format!("{between}{} is {value}", self.excerpt(side.part))
                });
                self.line(depth, *part, format!("{value}{}", sides.collect::<String>()))
            }
            Note::Witness(Bound { name, ty }, value) => {
                Reason { depth, text: format!("for {name} = {}:", label(ty, *value)), value: String::new() }
            }
        }
    }

    fn line(&self, depth: usize, part: Part, value: String) -> Reason {
        Reason { depth, text: self.excerpt(part), value }
    }

    fn excerpt(&self, (begin, end): Part) -> String {
        excerpt(self.source.get(begin as usize..end as usize).unwrap_or(""))
    }
}

/// A part of the model's text on one line.
fn excerpt(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.chars().count() > LONGEST {
        true => text.chars().take(LONGEST - 1).chain(['…']).collect(),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::model::{Labels, Width};

    static NUMBER: Simple =
        Simple { name: "0..9", width: Width::One, low: 0, high: 9, labels: Labels::Numbers, spans: &[] };
    const TEXT: &str = "forall i: 0..9 do a & (i < 3 -> b) end";
    const ALL: Part = (0, TEXT.len() as u32);
    const BOUND: Bound<'static> = Bound { name: "i", ty: &NUMBER };

    fn part(text: &str) -> Part {
        let begin = TEXT.find(text).unwrap() as u32;
        (begin, begin + text.len() as u32)
    }

    /// The lines for these values of `a` and `b`.
    fn lines(a: bool, b: bool) -> (bool, Vec<String>) {
        let mut why = Why::new(TEXT);
        let body: NotedBody<'_, '_> = &|why, i| {
            why.all(&[&|why| Ok(why.value(part("a &"), a)), &|why| {
                why.implies(
                    part("i < 3 -> b"),
                    &|why| {
                        let begin = part("i < 3").0;
                        let side = Side { part: (begin, begin + 1), value: Some(i), ty: &NUMBER };
                        Ok(why.compared(part("i < 3"), i < 3, &[side]))
                    },
                    &|why| Ok(why.value(part("b)"), b)),
                )
            }])
        };
        let holds = why.forall(ALL, BOUND, &mut (2..=3), body).unwrap();
        let line = |reason: Reason| format!("{}|{}|{}", reason.depth, reason.text, reason.value);
        (holds, why.reasons().into_iter().map(line).collect())
    }

    #[test]
    fn what_does_not_decide_is_left_out() {
        assert_eq!(lines(true, true), (true, vec![format!("0|{TEXT}|true")]));
        assert_eq!(lines(false, true), (false, vec!["0|for i = 2:|".to_owned(), "1|a &|false".to_owned()]));
        let expected =
            ["0|for i = 2:|", "1|i < 3 -> b|false", "2|i < 3|true: i is 2", "2|b)|false"].map(str::to_owned);
        assert_eq!(lines(true, false), (false, expected.to_vec()));
    }

    #[test]
    fn a_fault_ends_it() {
        let mut why = Why::new("x");
        assert!(why.all(&[&|_| Err(Fault::at(1)), &|_| Ok(false)]).is_err());
    }
}
