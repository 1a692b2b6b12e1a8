//! The messages of the editor, in their order, read ahead: a request that the editor cancels while
//! it waits is refused instead of answered.

use std::collections::VecDeque;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError};
use lsp_server::{Message, Notification, Request, RequestId};
use lsp_types::notification::{Cancel, Notification as _};
use lsp_types::request::{Request as _, Shutdown};
use lsp_types::{CancelParams, NumberOrString};

/// What comes next from the editor.
#[derive(Debug)]
pub enum Next {
    Message(Message),
    /// A request that was cancelled before it was read.
    Cancelled(RequestId),
    /// Nothing came in time.
    Pause,
    /// The editor is gone.
    End,
}

pub struct Inbox<'a> {
    receiver: &'a Receiver<Message>,
    waiting: VecDeque<Next>,
}

impl<'a> Inbox<'a> {
    pub fn new(receiver: &'a Receiver<Message>) -> Self {
        Inbox { receiver, waiting: VecDeque::new() }
    }

    /// The next message; without a limit of time, waits until one comes.
    pub fn next(&mut self, limit: Option<Duration>) -> Next {
        if self.waiting.is_empty() {
            let message = match limit {
                Some(limit) => match self.receiver.recv_timeout(limit) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => return Next::Pause,
                    Err(RecvTimeoutError::Disconnected) => return Next::End,
                },
                None => match self.receiver.recv() {
                    Ok(message) => message,
                    Err(_) => return Next::End,
                },
            };
            self.keep(message);
        }
        // What follows a shutdown is left to those who wait for the editor's goodbye.
        while !self.waiting.back().is_some_and(is_shutdown) {
            let Ok(message) = self.receiver.try_recv() else { break };
            self.keep(message);
        }
        // A cancellation of what was answered already leaves nothing to do.
        self.waiting.pop_front().unwrap_or(Next::Pause)
    }

    fn keep(&mut self, message: Message) {
        match message {
            Message::Notification(one) if one.method == Cancel::METHOD => self.cancel(one),
            other => self.waiting.push_back(Next::Message(other)),
        }
    }

    fn cancel(&mut self, cancellation: Notification) {
        let Ok(CancelParams { id }) = serde_json::from_value(cancellation.params) else { return };
        let id = match id {
            NumberOrString::Number(number) => RequestId::from(number),
            NumberOrString::String(text) => RequestId::from(text),
        };
        let is_meant = |one: &&mut Next| match one {
            Next::Message(Message::Request(request)) => request.id == id,
            Next::Message(_) | Next::Cancelled(_) | Next::Pause | Next::End => false,
        };
        if let Some(one) = self.waiting.iter_mut().find(is_meant) {
            *one = Next::Cancelled(id);
        }
    }
}

fn is_shutdown(next: &Next) -> bool {
    matches!(next, Next::Message(Message::Request(Request { method, .. })) if method == Shutdown::METHOD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::unbounded;
    use serde_json::json;

    fn request(id: i32, method: &str) -> Message {
        Message::Request(Request { id: id.into(), method: method.to_owned(), params: json!({}) })
    }

    fn notification(method: &str, params: serde_json::Value) -> Message {
        Message::Notification(Notification { method: method.to_owned(), params })
    }

    #[test]
    fn a_request_that_was_cancelled_is_not_answered() {
        let (sender, receiver) = unbounded();
        let mut inbox = Inbox::new(&receiver);
        let cancel = |id: i32| notification("$/cancelRequest", json!({ "id": id }));
        for message in [request(1, "a"), request(2, "b"), cancel(2), cancel(7), request(3, "c")] {
            sender.send(message).unwrap();
        }
        assert!(matches!(inbox.next(None), Next::Message(Message::Request(one)) if one.id == 1.into()));
        assert!(matches!(inbox.next(None), Next::Cancelled(id) if id == 2.into()));
        assert!(matches!(inbox.next(None), Next::Message(Message::Request(one)) if one.id == 3.into()));
        // Too late, and nonsense.
        sender.send(cancel(3)).unwrap();
        assert!(matches!(inbox.next(None), Next::Pause));
        sender.send(notification("$/cancelRequest", json!({ "id": [] }))).unwrap();
        assert!(matches!(inbox.next(Some(Duration::ZERO)), Next::Pause));
        sender.send(request(4, "shutdown")).unwrap();
        sender.send(notification("exit", json!({}))).unwrap();
        assert!(matches!(inbox.next(None), Next::Message(Message::Request(one)) if one.id == 4.into()));
        assert_eq!(receiver.len(), 1);
        drop(sender);
        assert!(matches!(inbox.next(None), Next::Message(Message::Notification(_))));
        assert!(matches!(inbox.next(None), Next::End));
    }
}
