//! `--serve`, from the command line to the threads that listen.

use crate::cli::Options;
use crate::cluster::secret::Secret;
use crate::contract::model::Model;
use crate::refusal::Refusal;
use crate::search::remote::site_hashes;
use crate::search::saving::layout;
use crate::search::serving::{job_of, knows, pool};
use crate::serve::addresses::Listener;
use crate::serve::connections::{Serving, accept};
use crate::serve::hello;
use crate::serve::pool::Pool;
use crate::settings::Settings;
use crate::text::printable_lines;
use std::io::Write;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::thread::JoinHandle;
use std::time::Duration;

/// How long a server waits until its workers know that the search is over.
const PATIENCE: Duration = Duration::from_secs(2);

/// A server that listens.
pub(super) struct Served {
    pool: Arc<Pool>,
    listener: JoinHandle<()>,
}

impl Served {
    /// The search is over: sends all workers away.
    pub fn close(self) {
        self.pool.close(PATIENCE);
        // It removes its socket, and ends within a moment.
        let _ = self.listener.join();
    }
}

/// Listens for workers; from now on they expand states for this search.
pub(super) fn open(
    model: &dyn Model,
    options: &Options,
    address: &str,
    settings: &mut Settings,
    err: &mut dyn Write,
) -> Result<Served, Refusal> {
    let secret = options.secret.as_deref().map(Secret::read).transpose()?;
    let is_plain = options.plain || secret.is_none();
    let listener = Listener::open(address, secret.is_some())?;
    let place = listener.place().unwrap_or_else(|| address.to_owned());
    let description = model.description();
    let codec = settings.codec(description);
    let pool = pool(settings, description, &codec, options.threads.is_some());
    let layout = layout(description, settings, &codec, 0);
    let serving = Arc::new(Serving {
        pool: pool.clone(),
        description,
        packed: settings.packed,
        job: job_of(settings, description, layout, site_hashes(description)),
        hello: hello(description, true, is_plain),
        secret,
        knows,
        crowd: AtomicUsize::new(0),
    });
    let listening = move || accept(&listener, &serving);
    let started = std::thread::Builder::new().name("listener".to_owned()).spawn(listening);
    let listener =
        started.map_err(|error| Refusal::of("--serve", format!("there is no thread to listen: {error}")))?;
    let how = if is_plain { "not encrypted" } else { "encrypted" };
    let text = format!("Waiting for workers at {place} (--work {place}), messages {how}\n");
    let _ = err.write_all(printable_lines(&text).as_bytes());
    settings.serve = Some(pool.clone());
    Ok(Served { pool, listener })
}
