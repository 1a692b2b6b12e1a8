//! Values and rules as people read them: `deliver (m = {kind: recall, sender: home})`.

use crate::contract::values::{Instance, Value};
use crate::text::printable;

/// A value on one line.
pub fn compact(value: &Value) -> String {
    written(value, false)
}

/// A value on one line, without the parts of records that are undefined.
pub fn short(value: &Value) -> String {
    written(value, true)
}

fn written(value: &Value, leave_out_undefined: bool) -> String {
    let part = |value: &Value| written(value, leave_out_undefined);
    match value {
        Value::Undefined => "undefined".to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Boolean(value) => value.to_string(),
        Value::Name(name) => printable(name).into_owned(),
        Value::Array(elements) => {
            let parts = elements.iter().map(|(index, element)| format!("{index}: {}", part(element)));
            format!("[{}]", parts.collect::<Vec<_>>().join(", "))
        }
        Value::Record(fields) => {
            let kept = fields.iter().filter(|(_, field)| !leave_out_undefined || *field != Value::Undefined);
            let parts = kept.map(|(name, field)| format!("{}: {}", printable(name), part(field)));
            format!("{{{}}}", parts.collect::<Vec<_>>().join(", "))
        }
        Value::Bag(slots) => {
            let parts: Vec<String> = slots.iter().flatten().map(part).collect();
            if parts.is_empty() { "empty".to_owned() } else { format!("{{| {} |}}", parts.join(", ")) }
        }
    }
}

/// A rule or start state with its parameters. `element` returns what a parameter chooses from a
/// multiset, where it is the number of a slot.
pub fn title(instance: &Instance, element: &dyn Fn(usize) -> Option<Value>) -> String {
    let name = printable(instance.family.name);
    let arguments = instance.arguments.iter().enumerate().map(|(at, argument)| {
        let value = match element(at) {
            Some(element) => short(&element),
            None => argument.label().into_owned(),
        };
        format!("{} = {value}", printable(argument.parameter.name))
    });
    let arguments: Vec<String> = arguments.collect();
    if arguments.is_empty() { name.into_owned() } else { format!("{name} ({})", arguments.join(", ")) }
}
