//! A search in the background: begun, watched and cancelled from the page. One at a time.

use std::ffi::OsString;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use mcc_runtime::Console;
use mcc_runtime::Interruption;
use mcc_runtime::contract::context::RECURSION_LIMIT;
use mcc_runtime::contract::stack;
use mcc_runtime::embedding::{Options, Progress, Report, read};
use mcc_runtime::model::Model;
use serde::{Deserialize, Serialize};

use super::explorer::{Explorer, Failure, Way};
use super::load::{self, Recorded};
use super::view::Wrong;

/// States between two reports of progress, as a power of ten.
const EVERY: &str = "4";

/// Errors of a report that are shown.
const MOST_ERRORS: usize = 20;

/// What is asked for.
#[derive(Clone, Debug, Deserialize)]
pub struct Wish {
    /// The search gives up after this number of states.
    pub max_states: Option<u64>,
}

/// How far the search is, or what it found.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Status {
    pub running: bool,
    pub states: u64,
    pub rules: u64,
    pub waiting: u64,
    pub seconds: f64,
    pub result: Option<Found>,
    /// Why there is no result.
    pub refused: Option<String>,
}

#[derive(Clone, Debug, Serialize)]
pub struct Found {
    pub verdict: String,
    pub reason: String,
    pub condition: Option<String>,
    pub advice: Option<String>,
    pub states: u64,
    pub rules: u64,
    pub depth: u32,
    pub seconds: f64,
    pub errors: Vec<FoundError>,
}

#[derive(Clone, Debug, Serialize)]
pub struct FoundError {
    #[serde(flatten)]
    pub wrong: Wrong,
    pub way: Option<Way>,
    /// Of a run that goes on for ever: the step that it comes back to.
    pub loop_begins: Option<usize>,
    /// Why there is no way.
    pub note: Option<String>,
}

/// The search that runs, if one does.
pub struct Search {
    status: Arc<Mutex<Status>>,
    interruption: Mutex<Arc<Interruption>>,
    wishes: Mutex<Option<Sender<Wish>>>,
}

impl Default for Search {
    fn default() -> Self {
        let interruption = Mutex::new(Arc::new(Interruption::none()));
        Search { status: Arc::default(), interruption, wishes: Mutex::new(None) }
    }
}

impl Search {
    /// Where [`work`] gets its orders from.
    pub fn orders(&self) -> Receiver<Wish> {
        let (sender, receiver) = channel();
        if let Ok(mut wishes) = self.wishes.lock() {
            *wishes = Some(sender);
        }
        receiver
    }

    pub fn status(&self) -> Status {
        self.status.lock().map(|status| status.clone()).unwrap_or_default()
    }

    pub fn begin(&self, wish: Wish) -> Result<(), Failure> {
        let broken = || Failure { status: 500, ..Failure::new("searches are not possible here") };
        let mut status = self.status.lock().map_err(|_| broken())?;
        if status.running {
            return Err(Failure { status: 409, ..Failure::new("a search is running already") });
        }
        *self.interruption.lock().map_err(|_| broken())? = Arc::new(Interruption::none());
        let wishes = self.wishes.lock().map_err(|_| broken())?;
        wishes.as_ref().and_then(|wishes| wishes.send(wish).ok()).ok_or_else(broken)?;
        *status = Status { running: true, ..Status::default() };
        Ok(())
    }

    /// The search ends soon; what it found until then is its result.
    pub fn cancel(&self) {
        if let Ok(interruption) = self.interruption.lock() {
            interruption.request();
        }
    }
}

impl Search {
    /// Ends [`work`]: there will be no more orders.
    pub fn end(&self) {
        self.cancel();
        if let Ok(mut wishes) = self.wishes.lock() {
            *wishes = None;
        }
    }
}

/// Searches whenever that is asked for.
pub fn work(explorer: &Explorer, orders: &Receiver<Wish>) {
    while let Ok(wish) = orders.recv() {
        let searched = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| search(explorer, &wish)));
        let searched = searched.unwrap_or_else(|_| Err("internal error: the search panicked".to_owned()));
        if let Ok(mut status) = explorer.search.status.lock() {
            status.running = false;
            match searched {
                Ok(found) => status.result = Some(found),
                Err(refused) => status.refused = Some(refused),
            }
        }
    }
}

fn search(explorer: &Explorer, wish: &Wish) -> Result<Found, String> {
    let model = explorer.interpreter;
    let status = explorer.search.status.clone();
    let tell = move |progress: Progress| {
        if let Ok(mut status) = status.lock() {
            let Progress { states, rules, waiting, seconds, .. } = progress;
            *status = Status { states, rules, waiting, seconds, ..status.clone() };
        }
    };
    let options = Options::new().on_progress(tell);
    let interruption =
        explorer.search.interruption.lock().map(|one| one.clone()).map_err(|error| error.to_string())?;
    let arguments = arguments(explorer, wish);
    let (document, said) = stack::with_room(model.stack_use(), RECURSION_LIMIT, &|| {
        let mut document = Vec::new();
        let mut listener = options.listener();
        let console = Console {
            out: &mut document,
            err: &mut listener,
            out_is_terminal: false,
            err_is_terminal: false,
        };
        mcc_runtime::run(model, arguments.iter().cloned(), console, &interruption);
        (document, listener.said())
    });
    let report = read(&document, said).map_err(|error| error.to_string())?;
    Ok(found(explorer, &report, &document))
}

/// The command line of the search. One thread is enough beside the page, unless more are asked for.
fn arguments(explorer: &Explorer, wish: &Wish) -> Vec<OsString> {
    let mut arguments = vec![OsString::from(model_name(explorer))];
    arguments.extend(explorer.arguments.iter().cloned());
    let given = |name: &str| explorer.arguments.iter().any(|one| one.to_string_lossy().starts_with(name));
    if !given("--threads") {
        arguments.extend(["--threads", "1"].map(OsString::from));
    }
    if let (Some(most), false) = (wish.max_states, given("--max-states")) {
        arguments.extend(["--max-states".into(), most.to_string().into()]);
    }
    arguments.extend(["--json", "-", "--progress", EVERY, "--color", "never"].map(OsString::from));
    arguments
}

fn model_name(explorer: &Explorer) -> &'static str {
    explorer.interpreter.description().name
}

fn found(explorer: &Explorer, report: &Report, document: &[u8]) -> Found {
    let errors = report.errors.iter().take(MOST_ERRORS).enumerate().map(|(at, error)| {
        let recorded = match &error.trace {
            Some(_) => load::report(explorer, document, Some(at + 1)).map_err(|failure| failure.message),
            None => Err(error.trace_missing.clone().unwrap_or_else(|| "there is no trace".to_owned())),
        };
        let (way, loop_begins, note) = match recorded {
            Ok(Recorded { way, loop_begins, .. }) => (Some(way), loop_begins, None),
            Err(note) => (None, None, Some(note)),
        };
        let (kind, message) = (error.kind.clone(), error.message.clone());
        let wrong = Wrong { kind, message, line: error.line, column: error.column, why: Vec::new() };
        FoundError { wrong, way, loop_begins, note }
    });
    Found {
        verdict: report.verdict.to_string(),
        reason: report.reason.clone(),
        condition: report.condition.clone(),
        advice: report.advice.clone(),
        states: report.states,
        rules: report.rules,
        depth: report.depth,
        seconds: report.seconds,
        errors: errors.collect(),
    }
}
