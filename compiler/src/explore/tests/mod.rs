//! The server over its sockets, and the page in a real browser.

mod api;
mod browser;
mod client;
#[allow(dead_code)]
#[path = "../../../../tests/support/driver.rs"]
mod driver;

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

use super::{Explored, Server};
use crate::interpret::Interpreter;
use crate::source::Source;
pub use client::Client;

/// A counter, a multiset, a rule that goes wrong, an invariant that is broken in three steps, and
/// names that are markup, quotes and Unicode.
pub const MODEL: &str = r#"
type kind: enum { ask, reply };
     message: record what: kind; dest: 0..1; end;
     process: 0..1;
var x: 0..3;
    net: multiset[3] of message;
    held: array[process] of record who: process; busy: boolean; end;
function twice(n: 0..3): 0..9; begin return 10 / n; end;
startstate "zero <b>bold</b>"
  x := 0; undefine net; for p: process do held[p].busy := false; end;
end;
startstate "two" x := 2; undefine net; for p: process do held[p].busy := true; end; end;
ruleset p: process do
  rule "send <img src=x onerror='window.owned=1'> \"quoted\" → ümläut"
    multisetcount(m: net, true) < 3 & x < 3
  ==> var m: message; begin
    m.what := ask; m.dest := p; multisetadd(m, net); x := x + 1;
  end;
end;
choose m: net do
  rule "receive </script>" net[m].what = ask ==> held[net[m].dest].busy := true; multisetremove(m, net); end;
end;
rule "divide" x = 1 ==> x := 1 / (x - 1); end;
rule "stay" true ==> end;
invariant "x is small \"<i>\"" x < 3;
"#;

/// A server of a model, which lives until the tests end, and a client of it.
pub fn serve(name: &str, text: &str) -> Client {
    let source: &'static Source = Box::leak(Box::new(Source::new(name, text)));
    let reading = crate::read(source);
    let analysis = reading.analysis.unwrap_or_else(|| panic!("{:#?}", reading.diagnostics));
    let interpreter = Box::leak(Box::new(Interpreter::with_analysis(reading.model, analysis, source)));
    let program = Box::leak(Box::new(reading.program));
    let arguments = Vec::new();
    let settings = mcc_runtime::host::cli::parse(["test".into()]).unwrap().settings();
    let server = Server::listen(0).unwrap();
    let client = Client::new(&server.address(), &server.opening());
    thread::Builder::new()
        .stack_size(16 << 20)
        .spawn(move || server.run(Explored { interpreter, program, source, settings, arguments }))
        .unwrap();
    client
}

/// The server of [`MODEL`] that tests share, one after the other. A test that fails leaves nothing
/// in it that another could trip over, so its lock is taken all the same.
pub fn shared() -> MutexGuard<'static, Client> {
    static SHARED: OnceLock<Mutex<Client>> = OnceLock::new();
    let client = SHARED.get_or_init(|| Mutex::new(serve("hostile.m", MODEL)));
    client.lock().unwrap_or_else(PoisonError::into_inner)
}
