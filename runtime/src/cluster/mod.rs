//! Several processes that work on one search: who they are, how they find and trust each other, and
//! what carries their messages.
//!
//! A list names the processes ([`hosts`]); each connects to all others over TCP ([`join`]). Both
//! ends of a connection prove that they know the secret ([`secret`], [`greeting`]) before anything
//! else of theirs is read, and from then on every message is encrypted ([`channel`]). The
//! connections of a process are its [`hub::Hub`]: bounded queues of states, sums, letters,
//! heartbeats, and what is known of a process that is lost. What the messages mean to a search is
//! in `search/across/`; the protocol is described in `docs/internals/cluster.md`.

pub(crate) mod channel;
pub(crate) mod frames;
pub(crate) mod greeting;
pub(crate) mod hosts;
pub(crate) mod hub;
pub(crate) mod join;
pub(crate) mod link;
pub(crate) mod local;
pub(crate) mod meeting;
pub(crate) mod secret;

/// What every error message about another process begins with.
pub(crate) fn name(process: usize, address: &str) -> String {
    match address {
        // Process 0 has started it, and has not heard of it yet.
        "" => format!("process {process}"),
        _ => format!("process {process} ({})", crate::text::printable(address)),
    }
}
