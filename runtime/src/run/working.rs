//! `--work`: works for a server until the search is over, or until it has to leave.

use crate::cli::Options;
use crate::cluster::channel::{LONGEST, Receiver, Sender};
use crate::cluster::greeting::{Greeted, GreetingError, Hello, greet};
use crate::cluster::secret::Secret;
use crate::contract::context::RECURSION_LIMIT;
use crate::contract::model::Model;
use crate::contract::stack;
use crate::interruption::Interruption;
use crate::refusal::Refusal;
use crate::report::console::Console;
use crate::report::verdict::Exit;
use crate::search::remote::Remote;
use crate::search::saving::layout;
use crate::search::serving::settings_of;
use crate::serve::addresses;
use crate::serve::connections::{PULSE, SILENCE};
use crate::serve::hello;
use crate::serve::messages::{Job, Message, parse, unpack};
use crate::text::{plural, printable_lines};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const PAUSE: Duration = Duration::from_millis(100);
/// Until a worker tries again to reach its server, at first; then twice as long each time, up to
/// [`PAUSE`].
const FIRST_PAUSE: Duration = Duration::from_millis(5);
/// How long a worker that leaves waits until the server knows.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why a thread stops working for a server.
enum Stop {
    /// The search is over, or the user wants the machine back.
    Over,
    /// The server cannot be reached, or is lost: it may come back.
    Lost(String),
    /// It will not work the next time either.
    Refused(Refusal),
}

/// What the threads of a worker have in common. Each has a connection of its own.
struct Work<'a> {
    model: &'a dyn Model,
    options: &'a Options,
    address: &'a str,
    secret: Option<Secret>,
    hello: Hello,
    interrupted: &'a Interruption,
    /// When it has to leave.
    until: Option<Instant>,
    /// One thread knows that there is nothing more to do.
    is_over: AtomicBool,
    batches: AtomicU64,
    states: AtomicU64,
}

/// Works for a server until the search is over.
pub(super) fn work(
    model: &dyn Model,
    options: &Options,
    address: &str,
    console: Console<'_>,
    interrupted: &Interruption,
) -> Exit {
    let secret = match options.secret.as_deref().map(Secret::read).transpose() {
        Ok(secret) => secret,
        Err(refusal) => return super::refuse(console, &refusal),
    };
    if options.nice {
        be_nice();
    }
    let hello = hello(model.description(), false, options.plain || secret.is_none());
    let minutes = |minutes: f64| Instant::now() + Duration::from_secs_f64(minutes * 60.0);
    let work = Work {
        model,
        options,
        address,
        secret,
        hello,
        interrupted,
        until: options.work_for.map(minutes),
        is_over: AtomicBool::new(false),
        batches: AtomicU64::new(0),
        states: AtomicU64::new(0),
    };
    let threads = options.settings().threads.max(1);
    let ended = std::thread::scope(|scope| {
        let spawn = |_| stack::spawn(scope, model.stack_use(), RECURSION_LIMIT, || work.run());
        // Without more threads those that there are do the work.
        let others: Vec<_> = (1..threads).filter_map(spawn).collect();
        let mut ended = vec![work.run()];
        for thread in others {
            ended.push(thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        ended
    });
    let mut lost = None;
    for end in ended {
        match end {
            Stop::Refused(refusal) => return super::refuse(console, &refusal),
            Stop::Lost(why) => lost = Some(why),
            Stop::Over => {}
        }
    }
    if !options.quiet {
        let states = plural(work.states.load(Ordering::Relaxed), "state");
        let batches = work.batches.load(Ordering::Relaxed);
        let _ = writeln!(console.out, "Expanded {states} in {batches} batches for {address}");
    }
    let Some(why) = lost.filter(|_| !work.is_over.load(Ordering::Relaxed)) else { return Exit::Answered };
    let text = format!("error: --work: {address}: {why}\n");
    let _ = console.err.write_all(printable_lines(&text).as_bytes());
    Exit::Inconclusive
}

/// Lets everything else on this machine come first.
fn be_nice() {
    #[cfg(unix)]
    // SAFETY: changes the priority of this process, and nothing else. If it fails, the process is
    // as it was.
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, 19);
    }
}

impl Work<'_> {
    /// Whether this worker has to leave.
    fn leaves(&self) -> bool {
        self.interrupted.is_requested() || self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// What one thread does: it connects, works, and connects again if the server is lost.
    fn run(&self) -> Stop {
        let retry = Duration::from_secs(self.options.retry);
        let mut since = Instant::now();
        let mut pause = FIRST_PAUSE;
        loop {
            let begun = Instant::now();
            let before = self.batches.load(Ordering::Relaxed);
            let why = match self.connect().and_then(|greeted| self.session(greeted)) {
                Ok(()) | Err(Stop::Over) => {
                    self.is_over.store(true, Ordering::Relaxed);
                    return Stop::Over;
                }
                Err(Stop::Refused(refusal)) => {
                    self.is_over.store(true, Ordering::Relaxed);
                    return Stop::Refused(refusal);
                }
                Err(Stop::Lost(why)) => why,
            };
            // It has worked, or has waited for work for a while.
            if self.batches.load(Ordering::Relaxed) > before || begun.elapsed() > PULSE + SILENCE {
                since = Instant::now();
                pause = FIRST_PAUSE;
            }
            if self.is_over.load(Ordering::Relaxed) || self.leaves() {
                return Stop::Over;
            }
            if since.elapsed() >= retry {
                return Stop::Lost(why);
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(PAUSE);
        }
    }

    fn connect(&self) -> Result<Greeted, Stop> {
        let stream = addresses::connect(self.address)
            .map_err(|error| Stop::Lost(format!("the server cannot be reached: {error}")))?;
        greet(stream, self.secret.as_ref(), true, &self.hello).map_err(|error| {
            if error.is_other_secret() {
                let refusal = Refusal::of("--secret", "the server has another secret than this worker");
                return Stop::Refused(refusal.instead("the file of the server, or none if it has none"));
            }
            match error {
                GreetingError::Stranger(why) => {
                    Stop::Lost(format!("the server does not answer as it should: {why}"))
                }
                GreetingError::Different(differences) => different(differences),
            }
        })
    }

    /// Works over one connection.
    fn session(&self, greeted: Greeted) -> Result<(), Stop> {
        let lost = |error: std::io::Error| Stop::Lost(format!("the server is lost: {error}"));
        let Greeted { stream, sender, mut receiver, .. } = greeted;
        stream.set_read_timeout(Some(SILENCE)).map_err(lost)?;
        let mut message = Vec::new();
        receiver.receive(&mut message, LONGEST).map_err(lost)?;
        let nonsense = || Stop::Lost("the server sends what makes no sense".to_owned());
        let job: Job = serde_json::from_slice(&message).map_err(|_| nonsense())?;
        let settings = settings_of(&job, self.options.settings());
        let description = self.model.description();
        let codec = settings.codec(description);
        let layout = layout(description, &settings, &codec, 0);
        if layout != job.layout {
            return Err(different(vec![format!("layout: {} there, {layout} here", job.layout)]));
        }
        let sender = Mutex::new(sender);
        let (stop, is_stopped) = mpsc::channel::<()>();
        let (to_work, messages) = mpsc::channel();
        let closing = stream.try_clone().map_err(lost)?;
        std::thread::scope(|scope| {
            let sender = &sender;
            // Both run beside the expansion, which may take long.
            scope.spawn(move || {
                while is_stopped.recv_timeout(PULSE) == Err(RecvTimeoutError::Timeout) {
                    if send(sender, &Message::Heartbeat).is_err() {
                        break;
                    }
                }
            });
            scope.spawn(move || hear(&mut receiver, &to_work, &closing));
            let mut remote = Remote::new(self.model, &settings, &codec, &job);
            let mut bytes = Vec::new();
            let worked = loop {
                if self.leaves() {
                    let _ = send(sender, &Message::Leave);
                    sender.lock().unwrap_or_else(PoisonError::into_inner).close();
                    // What is on its way is read until the server closes: with unread bytes the
                    // system would take back what was sent last.
                    let until = Instant::now() + PATIENCE;
                    while Instant::now() < until && messages.recv_timeout(PATIENCE).is_ok() {}
                    break Err(Stop::Over);
                }
                let message: Vec<u8> = match messages.recv_timeout(PAUSE) {
                    Ok(message) => message,
                    Err(RecvTimeoutError::Timeout) => continue,
                    Err(RecvTimeoutError::Disconnected) => {
                        break Err(Stop::Lost("the server is lost".to_owned()));
                    }
                };
                let (number, states) = match parse(&message) {
                    Some(Message::Batch { number, states }) => (number, states),
                    Some(Message::Heartbeat) => continue,
                    Some(Message::End) => break Err(Stop::Over),
                    Some(Message::Answer { .. } | Message::Leave | Message::Unable(_)) | None => {
                        break Err(nonsense());
                    }
                };
                let Some(states) = unpack(states, &codec).filter(|states| !states.is_empty()) else {
                    break Err(nonsense());
                };
                bytes.clear();
                let begun = Instant::now();
                let answer = match remote.expand_packed(states, &mut bytes) {
                    Ok(mut head) => {
                        if let Some(pace) = self.options.pace {
                            let due = Duration::from_micros(pace.saturating_mul(head.rules));
                            std::thread::sleep(due.saturating_sub(begun.elapsed()));
                            head.microseconds = begun.elapsed().as_micros() as u64;
                        }
                        self.batches.fetch_add(1, Ordering::Relaxed);
                        self.states.fetch_add(head.ends.len() as u64, Ordering::Relaxed);
                        Message::Answer { number, head, states: &bytes }
                    }
                    Err(why) => Message::Unable(why),
                };
                if let Err(error) = send(sender, &answer) {
                    // The server may have said farewell meanwhile.
                    std::thread::sleep(PAUSE);
                    let is_over = messages.try_iter().any(|message| parse(&message) == Some(Message::End));
                    break Err(if is_over { Stop::Over } else { lost(error) });
                }
            };
            drop(stop);
            let _ = stream.shutdown(Shutdown::Both);
            worked
        })
    }
}

fn different(differences: Vec<String>) -> Stop {
    let why = "the server was started for another search";
    let refusal = differences.into_iter().fold(Refusal::of("--work", why), Refusal::detail);
    Stop::Refused(refusal.instead("a worker of the same model and the same version as the server"))
}

fn send(sender: &Mutex<Sender>, message: &Message<'_>) -> std::io::Result<u64> {
    sender.lock().unwrap_or_else(PoisonError::into_inner).send(&message.bytes())
}

/// Hands on what the server sends, until it is silent or gone.
fn hear(receiver: &mut Receiver, to_work: &mpsc::Sender<Vec<u8>>, stream: &TcpStream) {
    loop {
        let mut message = Vec::new();
        if receiver.receive(&mut message, LONGEST).is_err() || to_work.send(message).is_err() {
            let _ = stream.shutdown(Shutdown::Both);
            return;
        }
    }
}
