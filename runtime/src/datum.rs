//! Figures as data: named values in order, which every form of report renders in its own way.
//!
//! Whoever has figures, such as a visited set, returns them as a [`Section`]. So it knows nothing
//! of reports, and a new form of report meets nothing but these few types.

use serde::ser::{Serialize, SerializeMap, Serializer};
use std::borrow::Cow;

/// A figure, or several of them.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// Not known, or not there.
    Absent,
    Flag(bool),
    Count(u64),
    Integer(i64),
    Number(f64),
    Text(Cow<'static, str>),
    List(Vec<Datum>),
    /// Figures with their names, in the order in which they are reported.
    Record(Vec<(&'static str, Datum)>),
}

/// What a part of the search has to report.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The key in the report. Keys are explained in `docs/report.md`.
    pub key: &'static str,
    /// For machines.
    pub figures: Datum,
    /// For people; there may be none.
    pub lines: Vec<String>,
}

impl Datum {
    pub fn record<const N: usize>(fields: [(&'static str, Datum); N]) -> Self {
        Datum::Record(fields.into())
    }
}

impl Serialize for Datum {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Datum::Absent => serializer.serialize_none(),
            Datum::Flag(flag) => serializer.serialize_bool(*flag),
            Datum::Count(count) => serializer.serialize_u64(*count),
            Datum::Integer(integer) => serializer.serialize_i64(*integer),
            Datum::Number(number) => serializer.serialize_f64(*number),
            Datum::Text(text) => serializer.serialize_str(text),
            Datum::List(list) => list.serialize(serializer),
            Datum::Record(fields) => {
                let mut map = serializer.serialize_map(Some(fields.len()))?;
                for (name, datum) in fields {
                    map.serialize_entry(name, datum)?;
                }
                map.end()
            }
        }
    }
}

impl From<bool> for Datum {
    fn from(flag: bool) -> Self {
        Datum::Flag(flag)
    }
}

impl From<u32> for Datum {
    fn from(count: u32) -> Self {
        Datum::Count(count.into())
    }
}

impl From<u64> for Datum {
    fn from(count: u64) -> Self {
        Datum::Count(count)
    }
}

impl From<usize> for Datum {
    fn from(count: usize) -> Self {
        Datum::Count(count as u64)
    }
}

impl From<i64> for Datum {
    fn from(integer: i64) -> Self {
        Datum::Integer(integer)
    }
}

impl From<f64> for Datum {
    fn from(number: f64) -> Self {
        Datum::Number(number)
    }
}

impl From<&'static str> for Datum {
    fn from(text: &'static str) -> Self {
        Datum::Text(text.into())
    }
}

impl From<String> for Datum {
    fn from(text: String) -> Self {
        Datum::Text(text.into())
    }
}

impl<T: Into<Datum>> From<Option<T>> for Datum {
    fn from(datum: Option<T>) -> Self {
        datum.map_or(Datum::Absent, Into::into)
    }
}

impl<T: Into<Datum>> From<Vec<T>> for Datum {
    fn from(list: Vec<T>) -> Self {
        Datum::List(list.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_stay_in_order() {
        let levels = Datum::from(vec![1u64, 2]);
        let figures = Datum::record([
            ("states", 3u64.into()),
            ("bits", None::<u32>.into()),
            ("levels", levels),
            ("k", (-1i64).into()),
            ("rate", 0.5.into()),
            ("plain", false.into()),
            ("replace", "oldest".into()),
        ]);
        let expected = concat!(
            r#"{"states":3,"bits":null,"levels":[1,2],"k":-1,"rate":0.5,"#,
            r#""plain":false,"replace":"oldest"}"#
        );
        assert_eq!(serde_json::to_string(&figures).unwrap(), expected);
    }
}
