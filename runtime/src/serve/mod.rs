//! `--serve`: a server that stores states, and workers on other machines that compute their
//! successors, come when they like and go when they must.
//!
//! The connections are those of [`crate::cluster`]: secret, greeting, encryption and pieces.
//! [`addresses`] has where they meet, [`messages`] what is sent, [`pool`] the batches and who works
//! on them, [`seats`] what is known of each worker, [`connections`] the threads of the server that
//! talk to workers. The worker's loop is `search/serving.rs`, and the protocol is described in
//! `docs/internals/serve.md`.

pub(crate) mod addresses;
pub(crate) mod batches;
pub(crate) mod connections;
pub(crate) mod messages;
pub(crate) mod pool;
pub(crate) mod seats;

use crate::checkpoint::Identity;
use crate::cluster::greeting::{ANYBODY, Hello};
use crate::contract::model::Description;

/// What the end of a connection says of itself. Options come with the job, so that they cannot
/// differ.
pub(crate) fn hello(description: &Description, is_server: bool, is_plain: bool) -> Hello {
    let options = description.constants_set().map(|set| ("-D".to_owned(), set));
    Hello {
        identity: Identity {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            model: description.file_name().to_owned(),
            fingerprint: format!("{:016x}", description.fingerprint),
            layout: String::new(),
            options: options.into_iter().collect(),
        },
        process: usize::from(!is_server),
        to: if is_server { ANYBODY } else { 0 },
        list: vec!["--serve".to_owned(), "--work".to_owned()],
        threads: 1,
        memory: 0,
        plain: is_plain,
        port: 0,
    }
}
