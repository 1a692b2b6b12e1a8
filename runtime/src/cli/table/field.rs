//! Values of options: how their types show on the command line, and how they are read from it.

use crate::cli::{ColorChoice, FairnessChoice, ProgressChoice, QueuePlace, ReplaceChoice, SearchOrder};
use crate::cli::{SleepChoice, SymmetryChoice, TraceStyle};
use crate::hashing::signature::Bits;
use crate::settings::watch::Watch;
use clap::builder::{EnumValueParser, ValueParser};
use clap::{Arg, ArgAction, ArgMatches, value_parser};
use std::path::PathBuf;

/// Where the value of an option is kept.
pub(super) trait Field {
    /// Says on the command line what kind of value this is.
    fn declare(&self, argument: Arg) -> Arg;

    /// Takes the value of the option with this name.
    fn read(&mut self, matches: &mut ArgMatches, name: &str);
}

/// A value that is typed, with the parser that an option has unless its row names another.
trait Typed: Clone + Send + Sync + 'static {
    fn parser() -> Option<ValueParser>;
}

/// A switch.
impl Field for bool {
    fn declare(&self, argument: Arg) -> Arg {
        argument.action(ArgAction::SetTrue)
    }

    fn read(&mut self, matches: &mut ArgMatches, name: &str) {
        *self = matches.get_flag(name);
    }
}

/// A value that need not be given.
impl<T: Typed> Field for Option<T> {
    fn declare(&self, argument: Arg) -> Arg {
        typed::<T>(argument)
    }

    fn read(&mut self, matches: &mut ArgMatches, name: &str) {
        *self = matches.remove_one(name);
    }
}

/// An option that can be given with a value or without one.
impl<T: Typed> Field for Option<Option<T>> {
    fn declare(&self, argument: Arg) -> Arg {
        typed::<T>(argument).num_args(0..=1).require_equals(true)
    }

    fn read(&mut self, matches: &mut ArgMatches, name: &str) {
        *self = matches.contains_id(name).then(|| matches.remove_one(name));
    }
}

/// Values that have a default, which is in their row.
macro_rules! with_default {
    ($($type:ty)*) => {$(
        impl Field for $type {
            fn declare(&self, argument: Arg) -> Arg {
                typed::<$type>(argument)
            }

            fn read(&mut self, matches: &mut ArgMatches, name: &str) {
                if let Some(value) = matches.remove_one(name) {
                    *self = value;
                }
            }
        }
    )*};
}

with_default! { u64 SearchOrder SymmetryChoice TraceStyle ColorChoice }

fn typed<T: Typed>(argument: Arg) -> Arg {
    let argument = argument.action(ArgAction::Set);
    match T::parser() {
        Some(parser) => argument.value_parser(parser),
        None => argument,
    }
}

macro_rules! parsed_by {
    ($($type:ty => $parser:expr,)*) => {$(
        impl Typed for $type {
            fn parser() -> Option<ValueParser> {
                $parser
            }
        }
    )*};
}

parsed_by! {
    u64 => Some(value_parser!(u64).into()),
    u32 => Some(value_parser!(u32).into()),
    usize => Some(value_parser!(usize).into()),
    String => Some(ValueParser::string()),
    PathBuf => Some(ValueParser::path_buf()),
    ColorChoice => Some(EnumValueParser::<ColorChoice>::new().into()),
    FairnessChoice => Some(EnumValueParser::<FairnessChoice>::new().into()),
    QueuePlace => Some(EnumValueParser::<QueuePlace>::new().into()),
    ReplaceChoice => Some(EnumValueParser::<ReplaceChoice>::new().into()),
    SearchOrder => Some(EnumValueParser::<SearchOrder>::new().into()),
    SleepChoice => Some(EnumValueParser::<SleepChoice>::new().into()),
    SymmetryChoice => Some(EnumValueParser::<SymmetryChoice>::new().into()),
    TraceStyle => Some(EnumValueParser::<TraceStyle>::new().into()),
    // Their rows name a parser.
    f64 => None,
    Bits => None,
    ProgressChoice => None,
    Watch => None,
}
