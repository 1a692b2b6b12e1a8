//! Which instances of rules a model says are independent.
//!
//! Two instances are independent if, in every state, neither changes whether the other is enabled, fires or fails, and they write to
//! different places. So firing both leads to the same state in either order, and what one of them changes is the same before
//! and after the other: the same bytes, from the same values to the same values. The model's text settles it, see
//! `docs/independence.md`; for two families it is a condition on their parameters, which is a static table here and is
//! decided for two instances where somebody asks ([`Pairs`]). Nothing is computed before that.
//!
//! An instance depends on itself. The numbers of instances are those of the concrete state: nothing follows for elements of
//! scalarsets that got other names.

use crate::model::{Description, Model, RuleId};

/// The table of a model.
#[derive(Debug)]
pub struct Independence {
    /// All relations between families that occur.
    pub relations: &'static [Relation],
    /// Which of them it is, for each family with itself and with those after it.
    pub rows: &'static [&'static [u16]],
}

/// For which instances of two families it holds. What comes first in the text is on the left.
#[derive(Debug)]
pub enum Relation {
    /// For all, apart from each and itself.
    Independent,
    /// For none.
    Dependent,
    /// They are dependent where all conditions of one of these lists hold.
    Unless(&'static [&'static [Condition]]),
}

#[derive(Debug)]
pub enum Condition {
    /// The left formula, with the parameters of the left instance, has the value of the right one.
    Equal(Formula, Formula),
    /// The formula's value lies between two bounds, with the parameters of the left instance …
    LeftWithin(Formula, i64, i64),
    /// … or those of the right one.
    RightWithin(Formula, i64, i64),
}

/// A value that follows from the parameters of an instance.
#[derive(Debug)]
pub enum Formula {
    Constant(i64),
    /// The position of a parameter.
    Parameter(usize),
    Add(&'static Formula, &'static Formula),
    Subtract(&'static Formula, &'static Formula),
    Multiply(&'static Formula, &'static Formula),
    Divide(&'static Formula, &'static Formula),
    Modulo(&'static Formula, &'static Formula),
    Equal(&'static Formula, &'static Formula),
    NotEqual(&'static Formula, &'static Formula),
    Less(&'static Formula, &'static Formula),
    LessOrEqual(&'static Formula, &'static Formula),
    Greater(&'static Formula, &'static Formula),
    GreaterOrEqual(&'static Formula, &'static Formula),
    Conditional(&'static Formula, &'static Formula, &'static Formula),
    /// From one numbering to another, as `(low, high, shift)`.
    Convert(&'static Formula, &'static [(i64, i64, i64)]),
}

impl Formula {
    /// `None` where computing it is an error.
    fn value(&self, parameters: &[i64]) -> Option<i64> {
        let both =
            |left: &Formula, right: &Formula| Some((left.value(parameters)?, right.value(parameters)?));
        let arithmetic = |left, right, result: fn(i64, i64) -> Option<i64>| {
            both(left, right).and_then(|(left, right)| result(left, right))
        };
        let compare = |left, right, result: fn(&i64, &i64) -> bool| {
            both(left, right).map(|(left, right)| i64::from(result(&left, &right)))
        };
        match *self {
            Formula::Constant(value) => Some(value),
            Formula::Parameter(position) => parameters.get(position).copied(),
            Formula::Add(left, right) => arithmetic(left, right, i64::checked_add),
            Formula::Subtract(left, right) => arithmetic(left, right, i64::checked_sub),
            Formula::Multiply(left, right) => arithmetic(left, right, i64::checked_mul),
            Formula::Divide(left, right) => arithmetic(left, right, i64::checked_div),
            Formula::Modulo(left, right) => {
                arithmetic(left, right, |left, right| (right != 0).then(|| left.wrapping_rem(right)))
            }
            Formula::Equal(left, right) => compare(left, right, i64::eq),
            Formula::NotEqual(left, right) => compare(left, right, i64::ne),
            Formula::Less(left, right) => compare(left, right, i64::lt),
            Formula::LessOrEqual(left, right) => compare(left, right, i64::le),
            Formula::Greater(left, right) => compare(left, right, i64::gt),
            Formula::GreaterOrEqual(left, right) => compare(left, right, i64::ge),
            Formula::Conditional(condition, then, otherwise) => match condition.value(parameters)? {
                0 => otherwise.value(parameters),
                _ => then.value(parameters),
            },
            Formula::Convert(value, pieces) => {
                let value = value.value(parameters)?;
                let (_, _, shift) = pieces.iter().find(|(low, high, _)| (*low..=*high).contains(&value))?;
                value.checked_add(*shift)
            }
        }
    }
}

impl Condition {
    /// Whether it may hold. A value that cannot be computed may be any.
    fn holds(&self, left: &[i64], right: &[i64]) -> bool {
        let within = |value: Option<i64>, low, high| value.is_none_or(|value| (low..=high).contains(&value));
        match self {
            Condition::Equal(own, others) => match (own.value(left), others.value(right)) {
                (Some(own), Some(others)) => own == others,
                (_, _) => true,
            },
            Condition::LeftWithin(own, low, high) => within(own.value(left), *low, *high),
            Condition::RightWithin(others, low, high) => within(others.value(right), *low, *high),
        }
    }
}

impl Independence {
    /// Whether two instances are independent, from the beginning. What the tables do not tell is dependent.
    fn decide(
        &self,
        description: &Description,
        one: RuleId,
        other: RuleId,
        values: &mut [Vec<i64>; 2],
    ) -> bool {
        if one == other {
            return false;
        }
        let [left, right] = if one < other { [one, other] } else { [other, one] };
        let family = |rule: RuleId| {
            description.rules.partition_point(|family| family.first <= rule.0).checked_sub(1).and_then(|at| {
                // Families without instances have the same first number as those after them.
                let family = description.rules.get(at)?;
                (rule.0 - family.first < family.instances).then_some((at, family))
            })
        };
        let (Some((row, left_family)), Some((column, right_family))) = (family(left), family(right)) else {
            return false;
        };
        let relation = self.rows.get(row).and_then(|relations| relations.get(column - row));
        match relation.and_then(|relation| self.relations.get(usize::from(*relation))) {
            None | Some(Relation::Dependent) => false,
            Some(Relation::Independent) => true,
            Some(Relation::Unless(lists)) => {
                let [of_left, of_right] = values;
                of_left.resize(left_family.parameters.len(), 0);
                of_right.resize(right_family.parameters.len(), 0);
                left_family.fill_values(left.0, of_left);
                right_family.fill_values(right.0, of_right);
                let holds = |condition: &Condition| condition.holds(of_left, of_right);
                !lists.iter().any(|conditions| conditions.iter().all(holds))
            }
        }
    }
}

/// Up to so many instances, the answer for each pair is remembered: 16 MiB then.
const MOST_IN_MATRIX: u64 = 1 << 13;
/// Otherwise the last answers, so many of them.
const RECENT: usize = 1 << 16;

/// Answers for pairs of instances, each computed when it is first asked for. Every thread has its own.
#[derive(Debug)]
pub struct Pairs<'m> {
    description: &'static Description,
    independence: &'m Independence,
    instances: u64,
    known: Known,
    values: [Vec<i64>; 2],
}

#[derive(Debug)]
enum Known {
    /// Two bits for each pair: it is known, it is independent.
    All(Vec<u64>),
    /// The pair and the answer, where the pair's hash says. No pair is 0.
    Recent(Vec<u64>),
}

impl<'m> Pairs<'m> {
    /// `None`: the model says nothing about its rules.
    pub fn new(model: &'m dyn Model) -> Option<Self> {
        let independence = model.independence()?;
        let description = model.description();
        let instances = u64::from(description.rule_instances());
        let known = match instances <= MOST_IN_MATRIX {
            true => Known::All(vec![0; (instances * instances).div_ceil(32) as usize]),
            false => Known::Recent(vec![0; RECENT]),
        };
        Some(Pairs { description, independence, instances, known, values: Default::default() })
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> u64 {
        let (Known::All(words) | Known::Recent(words)) = &self.known;
        8 * words.len() as u64
    }

    #[inline]
    pub fn independent(&mut self, one: RuleId, other: RuleId) -> bool {
        let pair = u64::from(one.0) * self.instances + u64::from(other.0);
        match &self.known {
            Known::All(bits) => {
                match bits.get((pair / 32) as usize).map_or(0, |word| word >> (2 * (pair % 32)) & 3) {
                    0 => self.decide(one, other, pair),
                    known => known == 3,
                }
            }
            Known::Recent(answers) => {
                let key = (u64::from(one.0) << 32 | u64::from(other.0)) << 1;
                match answers.get(place(key)) {
                    // The highest bit is lost, and no instance has a number that large.
                    Some(answer) if answer & !1 == key && key != 0 => answer & 1 == 1,
                    _ => self.decide(one, other, pair),
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn decide(&mut self, one: RuleId, other: RuleId, pair: u64) -> bool {
        let answer = self.independence.decide(self.description, one, other, &mut self.values);
        match &mut self.known {
            Known::All(bits) => {
                if let Some(word) = bits.get_mut((pair / 32) as usize) {
                    *word |= (1 | u64::from(answer) << 1) << (2 * (pair % 32));
                }
            }
            Known::Recent(answers) => {
                let key = (u64::from(one.0) << 32 | u64::from(other.0)) << 1;
                if let Some(word) = answers.get_mut(place(key)) {
                    *word = key | u64::from(answer);
                }
            }
        }
        answer
    }
}

fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - RECENT.ilog2())) as usize
}
