//! Standard output of mcc: what is to be printed is printed, or the exit code says that it was not.

use std::io::{self, ErrorKind, Write};

use mcc_runtime::host::Watched;

use super::Stop;

/// Prints all of a text to standard output. That nobody reads any more, as behind `| head`, is no
/// failure.
pub fn print(text: &str) -> Result<(), Stop> {
    let mut out = Watched::new(io::stdout().lock());
    let _ = out.write_all(text.as_bytes());
    finish(&mut out)
}

/// The end of what was printed piece by piece.
pub fn finish(out: &mut Watched<impl Write>) -> Result<(), Stop> {
    out.finish().map_err(|error| unwritten("standard output", &error))
}

/// The failure to write to one of the standard streams, if it is one.
pub fn check(stream: &str, written: io::Result<()>) -> Result<(), Stop> {
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(unwritten(stream, &error)),
        _ => Ok(()),
    }
}

fn unwritten(stream: &str, error: &io::Error) -> Stop {
    Stop::Message { message: format!("cannot write to {stream}: {error}"), help: None }
}
