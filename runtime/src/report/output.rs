//! Was everything printed? A writer that goes on after a failure and reports it in the end.

use std::io::{self, ErrorKind, Write};

/// Remembers the first failure of a writer. The search does not end because of it, and the exit
/// code shows it.
#[derive(Debug)]
pub struct Watched<W> {
    out: W,
    failure: Option<io::Error>,
}

impl<W: Write> Watched<W> {
    pub fn new(out: W) -> Self {
        Watched { out, failure: None }
    }

    /// Flushes, and returns what went wrong since the beginning. That nobody reads any more, as
    /// behind `| head`, is no failure.
    pub fn finish(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.note(&flushed);
        match self.failure.take() {
            Some(failure) if failure.kind() != ErrorKind::BrokenPipe => Err(failure),
            _ => Ok(()),
        }
    }

    fn note<T>(&mut self, result: &io::Result<T>) {
        if let (Err(error), None) = (result, &self.failure)
            && error.kind() != ErrorKind::Interrupted
        {
            let copy = error.raw_os_error().map(io::Error::from_raw_os_error);
            self.failure = Some(copy.unwrap_or_else(|| error.kind().into()));
        }
    }
}

impl<W: Write> Write for Watched<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.note(&written);
        written
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.note(&flushed);
        flushed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Failing(ErrorKind);

    impl Write for Failing {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_failure_is_remembered_and_a_closed_pipe_is_none() {
        let mut full = Watched::new(Failing(ErrorKind::StorageFull));
        let _ = full.write(b"text");
        assert_eq!(full.finish().unwrap_err().kind(), ErrorKind::StorageFull);
        let mut closed = Watched::new(Failing(ErrorKind::BrokenPipe));
        assert!(closed.write(b"text").is_err());
        assert!(closed.finish().is_ok());
        let mut fine = Watched::new(Vec::new());
        fine.write_all(b"text").unwrap();
        assert!(fine.finish().is_ok());
    }
}
