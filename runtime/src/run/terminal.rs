//! What a run prints while it goes on, and in which colours: what was asked for, or what suits the
//! output.

use crate::cli::{ColorChoice, Options, ProgressChoice};
use crate::report::console::Paint;
use crate::report::progress::Progress;

/// Without `--progress`, a line for every million states.
const DEFAULT_EVERY: u64 = 1_000_000;

pub(super) fn paint(choice: ColorChoice, is_terminal: bool) -> Paint {
    let on = match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => is_terminal && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    Paint { on }
}

pub(super) fn progress(options: &Options, err_is_terminal: bool) -> Progress {
    match options.progress {
        _ if options.quiet => Progress::off(),
        Some(ProgressChoice::Off) => Progress::off(),
        Some(ProgressChoice::Every(every)) => Progress::lines(every),
        None if options.show_states || options.verbose => Progress::off(),
        None if err_is_terminal => Progress::live(),
        None => Progress::lines(DEFAULT_EVERY),
    }
}
