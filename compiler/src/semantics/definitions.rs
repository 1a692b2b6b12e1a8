//! Constants whose values come from the command line: each must be what the model's own value is.

use super::checker::Checker;
use super::model::{TypeId, TypeKind};
use super::scopes::Binding;
use super::types::{BOOLEAN, INTEGER, POISON};
use crate::diagnostics::Diagnostic;
use crate::suggestions::nearest;
use crate::syntax::tree::Name;

impl Checker {
    /// The value that `-D` gives to a constant, where the text of the model gives it another one;
    /// `None` after an error.
    pub fn defined_constant(
        &mut self,
        name: &Name,
        set: &str,
        (_, ty): (i64, TypeId),
    ) -> Option<(i64, TypeId)> {
        // What follows from `POISON` has been reported.
        if ty == POISON {
            return None;
        }
        let found = match set.parse::<i64>() {
            Ok(number) => Some((number, INTEGER)),
            Err(_) => self.word_value(set),
        };
        if let Some((value, found)) = found
            && (found == ty || (found == INTEGER && self.types.is_number(ty)))
        {
            return Some((value, found));
        }
        self.report_definition(name, set, ty, found.map(|(_, found)| found));
        None
    }

    /// What a word stands for where the constant is declared: `true`, `false` or an enum member.
    fn word_value(&self, word: &str) -> Option<(i64, TypeId)> {
        match self.scopes.lookup(word).map(|entry| entry.binding) {
            Some(Binding::Constant { value, ty }) => match self.types.kind(ty) {
                Some(TypeKind::Enum { members }) => {
                    let member = usize::try_from(value).ok().and_then(|value| members.get(value));
                    member.is_some_and(|member| member == word).then_some((value, ty))
                }
                _ => None,
            },
            Some(
                Binding::Type(_)
                | Binding::Global(_)
                | Binding::Local(_)
                | Binding::Function(_)
                | Binding::Poison,
            ) => None,
            None => match word {
                "true" => Some((1, BOOLEAN)),
                "false" => Some((0, BOOLEAN)),
                _ => None,
            },
        }
    }

    fn report_definition(&mut self, name: &Name, set: &str, wanted: TypeId, found: Option<TypeId>) {
        let words = self.types.describe(wanted);
        let mut message = format!("-D {}={set}: `{}` is {words}, but ", name.text, name.text);
        match found {
            Some(found) => message.push_str(&format!("`{set}` is {}", self.types.describe(found))),
            None if set.is_empty() => message.push_str("nothing stands after the `=`"),
            None if is_number(set) => message.push_str(&format!("{set} does not fit into 64 bits")),
            None => message.push_str(&format!("`{set}` is no value of a constant")),
        }
        let near = match self.types.kind(wanted) {
            Some(TypeKind::Enum { members }) => nearest(set, members.iter().map(String::as_str)),
            Some(TypeKind::Boolean) => nearest(set, ["true", "false"]),
            _ => None,
        };
        let near = near.map_or(String::new(), |near| format!("did you mean `{near}`? "));
        let help = format!("{near}{}", self.constants);
        self.report(
            Diagnostic::error("wrong-definition", name.span, message).label("declared here").help(help),
        );
    }
}

/// Whether a text is a number, however large.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}
