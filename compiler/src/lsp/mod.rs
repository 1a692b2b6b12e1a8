//! `mcc lsp`: the language server, which answers the questions of editors about models.
//!
//! - [`server`]: the open models, and which part answers which question
//! - [`document`], [`text`]: one model, and places as editors count them
//! - [`names`]: what each name stands for
//! - `findings`, `hover`, `navigation`, `completion`, `outline`, `colours`, `formatting`: answers
//! - `advising`: what could be better; `checking`: searches a model on demand; `pages`: what the
//!   editor opens in a browser
//! - `inbox`: what the editor sent and nobody read yet
//!
//! One thread answers in the order of the questions. While a burst of changes arrives, nothing is
//! analysed; what takes longer than an answer may, such as advice, waits for a pause.

mod advising;
mod capabilities;
mod checking;
mod colours;
mod completion;
mod document;
mod findings;
mod formatting;
mod hover;
mod inbox;
mod names;
mod navigation;
mod outline;
mod pages;
mod server;
#[cfg(test)]
mod tests;
mod text;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

use crossbeam_channel::unbounded;
use lsp_server::{Connection, ErrorCode, Message, Response};

use inbox::{Inbox, Next};
use server::Server;

/// The user has stopped typing.
const PAUSE: Duration = Duration::from_millis(250);

/// How long the result of another thread may go unnoticed.
const POLL: Duration = Duration::from_millis(50);

/// Serves one editor on standard input and output until it says goodbye.
pub fn serve_standard_streams() -> Result<(), String> {
    let (Connection { sender, receiver: from_editor }, threads) = Connection::stdio();
    // The library hands over one message at a time. All that have come are wanted here, so that a
    // burst of changes and a cancellation are seen.
    let (forward, receiver) = unbounded();
    std::thread::spawn(move || from_editor.iter().try_for_each(|message| forward.send(message)));
    let connection = Connection { sender, receiver };
    let served = serve(&connection);
    // The writer ends when nothing can send to it any more.
    drop(connection);
    threads.join().map_err(|error| format!("the connection to the editor failed: {error}"))?;
    served
}

/// Serves one editor until it says goodbye.
pub fn serve(connection: &Connection) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("the connection to the editor failed: {error}");
    let (id, parameters) = connection.initialize_start().map_err(|error| failed(&error))?;
    let (mut server, answer) = Server::new(&parameters, connection.sender.clone());
    connection.initialize_finish(id, answer).map_err(|error| failed(&error))?;
    let mut inbox = Inbox::new(&connection.receiver);
    loop {
        // Also while messages keep coming.
        let _ = catch_unwind(AssertUnwindSafe(|| server.collect()));
        let wait = match (server.is_urgent(), server.is_waiting(), server.has_work()) {
            (true, _, _) => Some(Duration::ZERO),
            (false, true, _) => Some(POLL),
            (false, false, true) => Some(PAUSE),
            (false, false, false) => None,
        };
        match inbox.next(wait) {
            Next::Message(Message::Request(request)) => {
                if connection.handle_shutdown(&request).map_err(|error| failed(&error))? {
                    return Ok(());
                }
                let id = request.id.clone();
                // A bug in one answer must not take the others from the user. Panics print where
                // they come from to standard error, which editors show as the log of the server.
                let answer = catch_unwind(AssertUnwindSafe(|| server.request(request)));
                let answer = answer.unwrap_or_else(|_| {
                    let message = "internal error: this is a bug in mcc, please report it with the model";
                    Response::new_err(id, ErrorCode::InternalError as i32, message.to_owned())
                });
                server.send(Message::Response(answer));
            }
            Next::Message(Message::Notification(notification)) => {
                let _ = catch_unwind(AssertUnwindSafe(|| server.notification(notification)));
            }
            Next::Message(Message::Response(_)) => {}
            Next::Cancelled(id) => {
                let message = "the editor has cancelled the request".to_owned();
                let answer = Response::new_err(id, ErrorCode::RequestCanceled as i32, message);
                server.send(Message::Response(answer));
            }
            Next::Pause => {
                let _ = catch_unwind(AssertUnwindSafe(|| server.work()));
            }
            Next::End => return Ok(()),
        }
    }
}
