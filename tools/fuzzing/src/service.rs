//! The child: examines what comes in on standard input, and answers with one line of JSON for each.
//!
//! A request is one byte (1: generate code as well), the length in four bytes, and the input. A
//! stack overflow ends the child, and the parent knows which input it was examining.

use std::io::{self, BufReader, Read, Write};
use std::thread;

use mcc_murphi::cli::STACK_SIZES;
use rustix::process::{Resource, Rlimit, setrlimit};

use crate::examine::{examine, note_panics};

/// What the child may take of memory, without its stack. More is a finding, and the machine
/// survives it.
const MEMORY: usize = 3 << 30;

/// Serves until standard input ends, on a stack of the size that the command has.
pub fn serve() -> io::Result<()> {
    let stack = STACK_SIZES[0];
    let limit = Some((MEMORY + stack) as u64);
    setrlimit(Resource::As, Rlimit { current: limit, maximum: limit })?;
    note_panics();
    let worker = thread::Builder::new().stack_size(stack).spawn(requests)?;
    worker.join().unwrap_or_else(|_| Err(io::Error::other("the service itself panicked")))
}

fn requests() -> io::Result<()> {
    let mut from = BufReader::new(io::stdin().lock());
    let mut to = io::stdout().lock();
    let mut input = Vec::new();
    loop {
        let mut header = [0; 5];
        match from.read_exact(&mut header) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            result => result?,
        }
        let [deeply, length @ ..] = header;
        input.resize(u32::from_le_bytes(length) as usize, 0);
        from.read_exact(&mut input)?;
        let mut answer = serde_json::to_vec(&examine(&input, deeply == 1))?;
        answer.push(b'\n');
        to.write_all(&answer)?;
        to.flush()?;
    }
}
