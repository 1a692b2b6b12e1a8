//! A value of a constant that comes from the command line (`-D NAME=VALUE`) instead of the text.

use std::str::FromStr;

/// A constant and the value that it gets. The value stays text until the constant's declaration is
/// checked, since it is the declaration that says what the value has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub value: String,
}

impl FromStr for Definition {
    type Err = DefinitionError;

    fn from_str(text: &str) -> Result<Self, DefinitionError> {
        let (name, value) = text.split_once('=').ok_or(DefinitionError::NoEqualsSign)?;
        let (name, value) = (name.trim(), value.trim());
        let is_name = name.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_')
            && name.chars().all(|one| one.is_ascii_alphanumeric() || one == '_');
        if !is_name {
            return Err(DefinitionError::NoName(name.to_owned()));
        }
        Ok(Definition { name: name.to_owned(), value: canonical(value) })
    }
}

/// Why a text is no definition of a constant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DefinitionError {
    NoEqualsSign,
    /// What stands before the `=` cannot be the name of a constant.
    NoName(String),
}

impl std::fmt::Display for DefinitionError {
    fn fmt(&self, to: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            DefinitionError::NoEqualsSign => to.write_str("there is no `=`; write it as NAME=VALUE"),
            DefinitionError::NoName(name) => {
                write!(to, "`{name}` cannot be the name of a constant; write it as NAME=VALUE")
            }
        }
    }
}

impl std::error::Error for DefinitionError {}

/// One spelling for each value, so that equal values make equal verifiers.
fn canonical(value: &str) -> String {
    match (value.parse::<i64>(), value.to_ascii_lowercase()) {
        (Ok(number), _) => number.to_string(),
        (Err(_), lower) if lower == "true" || lower == "false" => lower,
        (Err(_), _) => value.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_has_a_name_and_a_value() {
        let parsed = |text: &str| text.parse::<Definition>().map(|one| (one.name, one.value));
        let pair = |name: &str, value: &str| Ok((name.to_owned(), value.to_owned()));
        assert_eq!(parsed("N=4"), pair("N", "4"));
        assert_eq!(parsed(" Big_1 = -007 "), pair("Big_1", "-7"));
        assert_eq!(parsed("on=TRUE"), pair("on", "true"));
        assert_eq!(parsed("kind=Red"), pair("kind", "Red"));
        assert_eq!(parsed("N="), pair("N", ""));
        for wrong in ["N", "=4", "4=N", "N M=4", "-N=4", ""] {
            assert!(parsed(wrong).is_err(), "{wrong}");
        }
    }
}
