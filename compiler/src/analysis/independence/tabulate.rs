//! The relations of a model as the engines get them: each that occurs once, and rows of numbers.

use super::Independence;
use super::relation::Relation;
use std::collections::HashMap;

/// See `mcc_runtime::independence::Independence`.
#[derive(Clone, Debug)]
pub struct Table {
    pub relations: Vec<Relation>,
    pub rows: Vec<Vec<u16>>,
}

/// The number of the relation that is always in the table: it is safe in the place of every other.
const DEPENDENT: u16 = 0;

impl Independence {
    pub fn table(&self) -> Table {
        let mut relations = vec![&Relation::Dependent];
        let mut numbers: HashMap<&Relation, u16> = HashMap::from([(&Relation::Dependent, DEPENDENT)]);
        let mut number = |relation| {
            if let Some(number) = numbers.get(relation) {
                return *number;
            }
            let Ok(number) = u16::try_from(relations.len()) else { return DEPENDENT };
            relations.push(relation);
            numbers.insert(relation, number);
            number
        };
        let rows = self.relations.iter().map(|row| row.iter().map(&mut number).collect()).collect();
        Table { relations: relations.into_iter().cloned().collect(), rows }
    }
}
