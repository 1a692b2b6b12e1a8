//! Which instances of rules a model says are independent.
//!
//! Two instances are independent if, in every state, neither changes whether the other is enabled,
//! fires or fails, and they write to different places. So firing both leads to the same state in
//! either order, and what one of them changes is the same before and after the other: the same
//! bytes, from the same values to the same values. The model's text settles it, see
//! `docs/independence.md`; for two families it is a condition on their parameters, which is a
//! static table here and is decided for two instances on demand ([`Rows`]). Nothing is
//! computed before that.
//!
//! An instance depends on itself. The numbers of instances are those of the concrete state: nothing
//! follows for elements of scalarsets that got other names.

use crate::contract::model::{Description, Family, Model, RuleId};

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
    /// The relation between two families, whichever comes first.
    fn relation(&self, one: usize, other: usize) -> Option<&Relation> {
        let (row, column) = (one.min(other), one.max(other));
        let relation = self.rows.get(row).and_then(|relations| relations.get(column - row));
        relation.and_then(|relation| self.relations.get(usize::from(*relation)))
    }

    /// Whether two instances are independent, from the beginning. What the tables do not contain is
    /// dependent.
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
        match self.relation(row, column) {
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

/// Words of rows that are kept: 8 MiB.
const MOST_KEPT: usize = 1 << 20;
/// Rows that are kept however long they are.
const LEAST_ROWS: usize = 64;

/// For each instance, a *row*: a bit for every instance that is independent of it. Computed when it
/// is first asked for; where there are too many, those asked for last are kept. Every thread has
/// its own.
///
/// Sets of rules are rows as well, so what goes on sleeping behind a rule is the intersection of
/// two.
#[derive(Debug)]
pub struct Rows<'m> {
    description: &'static Description,
    independence: &'m Independence,
    instances: usize,
    width: usize,
    /// Whose row is kept in each place, plus one.
    owners: Vec<u32>,
    rows: Vec<u64>,
    values: [Vec<i64>; 2],
}

impl<'m> Rows<'m> {
    /// `None`: the model says nothing about its rules.
    pub fn new(model: &'m dyn Model) -> Option<Self> {
        let independence = model.independence()?;
        let description = model.description();
        let instances = description.rule_instances() as usize;
        let width = instances.div_ceil(64).max(1);
        let places = instances.min((MOST_KEPT / width).max(LEAST_ROWS)).max(1);
        let (owners, rows) = (vec![0; places], vec![0; places * width]);
        let values = Default::default();
        Some(Rows { description, independence, instances, width, owners, rows, values })
    }

    /// Words of a row.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Bytes of memory in use.
    pub fn bytes(&self) -> u64 {
        (size_of_val(&*self.owners) + size_of_val(&*self.rows)) as u64
    }

    /// The instances that are independent of this one.
    #[inline]
    pub fn of(&mut self, rule: RuleId) -> &[u64] {
        let mut place = rule.0 as usize;
        if place >= self.owners.len() {
            place %= self.owners.len();
        }
        if self.owners.get(place) != Some(&(rule.0 + 1)) {
            self.fill(rule, place);
        }
        self.rows.get(place * self.width..(place + 1) * self.width).unwrap_or(&[])
    }

    pub fn independent(&mut self, one: RuleId, other: RuleId) -> bool {
        has(self.of(one), other)
    }

    #[cold]
    #[inline(never)]
    fn fill(&mut self, rule: RuleId, place: usize) {
        let Rows { description, independence, instances, width, owners, rows, values } = self;
        let row = rows.get_mut(place * *width..(place + 1) * *width).unwrap_or(&mut []);
        row.fill(0);
        if let Some(owner) = owners.get_mut(place) {
            *owner = rule.0 + 1;
        }
        let own = description.rules.iter().position(|family| contains(family, rule));
        let Some(own) = own.filter(|_| (rule.0 as usize) < *instances) else { return };
        for (at, family) in description.rules.iter().enumerate() {
            let instances = family.first..family.first + family.instances;
            match independence.relation(own, at) {
                None | Some(Relation::Dependent) => {}
                Some(Relation::Independent) => instances.for_each(|other| put(row, RuleId(other))),
                Some(Relation::Unless(_)) => {
                    for other in instances.map(RuleId) {
                        if independence.decide(description, rule, other, values) {
                            put(row, other);
                        }
                    }
                }
            }
        }
        remove(row, rule);
    }
}

/// Whether an instance belongs to a family.
fn contains(family: &Family, rule: RuleId) -> bool {
    rule.0.checked_sub(family.first).is_some_and(|within| within < family.instances)
}

/// Whether a rule is in a set.
#[inline(always)]
pub fn has(set: &[u64], rule: RuleId) -> bool {
    set.get(rule.0 as usize / 64).is_some_and(|word| word >> (rule.0 % 64) & 1 == 1)
}

/// Puts a rule into a set.
#[inline(always)]
pub fn put(set: &mut [u64], rule: RuleId) {
    if let Some(word) = set.get_mut(rule.0 as usize / 64) {
        *word |= 1 << (rule.0 % 64);
    }
}

/// Takes a rule out of a set.
#[inline(always)]
pub fn remove(set: &mut [u64], rule: RuleId) {
    if let Some(word) = set.get_mut(rule.0 as usize / 64) {
        *word &= !(1 << (rule.0 % 64));
    }
}

/// How many rules are in a set.
#[inline(always)]
pub fn count(set: &[u64]) -> u64 {
    set.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// The rules of a set, in order.
pub fn rules(set: &[u64]) -> impl Iterator<Item = RuleId> + '_ {
    set.iter().zip(0u32..).flat_map(|(&word, at)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let bit = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(RuleId(64 * at + bit))
        })
    })
}
