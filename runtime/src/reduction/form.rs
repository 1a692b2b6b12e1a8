//! The form in which a search stores its states: bags sorted, and scalarset elements in canonical
//! order.

use super::canonical::Canonicaliser;
use super::extent::Extent;
use super::tables::rename;
use super::usual::usual;
use crate::contract::bags::Bags;
use crate::contract::model::{Description, Model};

/// Brings concrete states into the form of the search, for going over what it did.
pub struct Form<'m> {
    description: &'static Description,
    canonicaliser: Option<Canonicaliser<'m>>,
    bags: Bags,
    identity: Vec<u16>,
}

impl<'m> Form<'m> {
    pub fn new(model: &'m dyn Model, extent: &Extent) -> Self {
        let description = model.description();
        Form {
            description,
            canonicaliser: canonicaliser(model, extent).map(Canonicaliser::patient),
            bags: extent.bags(),
            identity: (0..description.elements()).map(|element| element as u16).collect(),
        }
    }

    /// Whether there was a state whose form was not found, so that others of its orbit may have got
    /// another one.
    pub fn gave_up(&self) -> bool {
        self.canonicaliser.as_ref().is_some_and(|canonicaliser| canonicaliser.unfinished > 0)
    }

    pub fn of(&mut self, state: &[u64]) -> Vec<u64> {
        let mut form = vec![0; state.len()];
        rename(self.description, &self.identity, self.bags, state, &mut form);
        if let Some(canonicaliser) = &mut self.canonicaliser {
            canonicaliser.canonicalise(&mut form);
        }
        form
    }
}

/// What reduces the states of a model, if there are elements that may be renamed.
pub fn canonicaliser<'m>(model: &'m dyn Model, extent: &Extent) -> Option<Canonicaliser<'m>> {
    let symmetric = model.symmetry()?;
    let description = model.description();
    let reduction = extent.renaming.filter(|_| extent.renames_any(description))?;
    Some(Canonicaliser::new(symmetric, description, (reduction, extent), usual(model)))
}
