//! What a report says of undefined scalarsets and unions that were compared.

use crate::contract::model::{Description, Position};
use crate::contract::undefined::Compared;
use crate::text::{plural, printable};

/// In how many places of the model it happened, and which is the first in the text; `None` if it
/// did not.
pub(super) fn summary(description: &Description, compared: &[Compared]) -> Option<String> {
    let first = compared.first()?;
    let Position { line, column } = first.position;
    let places = plural(compared.len() as u64, "place");
    let first_is = if compared.len() == 1 { "" } else { "first " };
    Some(format!(
        "undefined scalarsets or unions were compared in {places} of the model, {first_is}{}:{line}:{column} ({}): they equal each other and \
         nothing else; --strict-undefined makes it an error",
        printable(description.name),
        printable(first.message)
    ))
}
