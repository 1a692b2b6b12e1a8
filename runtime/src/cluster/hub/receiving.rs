//! What comes in over the connections: where each message goes, and who waits for it.

use super::{Hub, Incoming, Parcel, SILENCE, Wake, lock};
use crate::cluster::channel::{LONGEST, Receiver, nonsense};
use crate::cluster::frames::{Frame, Sums, parse};
use std::io;
use std::sync::PoisonError;
use std::sync::atomic::Ordering;

impl Hub {
    pub(super) fn receives(&self, process: usize, mut receiver: Receiver) {
        let mut message = Vec::new();
        loop {
            if let Err(error) = receiver.receive(&mut message, LONGEST) {
                return self.broken(process, &error);
            }
            let understood = match parse(&message) {
                Some(Frame::States { search, thread, last, .. }) => {
                    self.take_states(process, (search, thread, last), &mut message)
                }
                frame => frame.is_some_and(|frame| self.take(process, frame)),
            };
            if !understood {
                return self.broken(process, &nonsense());
            }
        }
    }

    /// Puts a message where it belongs. False: it makes no sense.
    fn take(&self, process: usize, frame: Frame<'_>) -> bool {
        let Some(link) = self.link(process) else { return false };
        match frame {
            // They are taken by `take_states`.
            Frame::States { .. } => return false,
            Frame::Room(count) => {
                if !link.return_room(count) {
                    return false;
                }
                self.wake(Wake::All);
            }
            Frame::Sums { search, sums } => {
                self.arrive(|incoming| incoming.sums[process].push_back((search, sums)));
            }
            Frame::Stop { search } => {
                self.stopped.fetch_max(search, Ordering::AcqRel);
                self.arrive(|_| {});
            }
            Frame::Heartbeat(progress) => link.set_progress(progress),
            Frame::Lost { process: lost, why } => {
                let lost = usize::from(lost);
                let why = crate::text::printable(why);
                if lost == self.me {
                    let name = self.name(process);
                    self.fail(format!("{name} has lost the connection to this process: {why}"), None);
                } else {
                    // It is passed on, because this process will end as well: without, a third one
                    // might see the end of this one first, and name it.
                    self.lose(lost, &why);
                }
            }
            Frame::Letter(letter) => {
                self.arrive(|incoming| incoming.letters[process].push_back(letter.to_vec()));
            }
            Frame::Farewell(code) => {
                link.is_done.store(true, Ordering::Release);
                self.arrive(|incoming| {
                    if process == 0 {
                        incoming.farewell = Some(code);
                    }
                });
            }
        }
        true
    }

    /// Puts states before their thread, with the message that they are in.
    fn take_states(
        &self,
        process: usize,
        (search, thread, is_last): (u32, u16, bool),
        message: &mut Vec<u8>,
    ) -> bool {
        let thread = usize::from(thread);
        let (Some(inbox), Some(waiting)) = (self.inboxes.get(thread), self.waiting.get(thread)) else {
            return false;
        };
        if search < self.search.load(Ordering::Acquire) {
            // Of a search that was stopped.
            self.stored_one(process);
            return true;
        }
        let message = std::mem::replace(message, self.spare());
        lock(inbox).push_back(Parcel { from: process, is_last, search, message });
        waiting.fetch_add(1, Ordering::Release);
        self.wake(Wake::Thread(thread));
        true
    }

    fn arrive(&self, change: impl FnOnce(&mut Incoming)) {
        change(&mut lock(&self.incoming));
        self.arrived.notify_all();
        self.wake(if self.has_stopped() { Wake::Stop } else { Wake::All });
    }

    pub(super) fn broken(&self, process: usize, error: &io::Error) {
        let done = self.link(process).is_none_or(|link| link.is_done.load(Ordering::Acquire));
        if done || self.is_closing.load(Ordering::Acquire) {
            return;
        }
        let why = match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                format!("nothing was heard of it for {} seconds", SILENCE.as_secs())
            }
            io::ErrorKind::UnexpectedEof => "it closed the connection without a farewell".to_owned(),
            _ => error.to_string(),
        };
        self.lose(process, &why);
    }

    /// The processes cannot go on. The first reason is kept, and the others are informed.
    fn fail(&self, text: String, lost: Option<(usize, String)>) {
        let first = {
            let mut incoming = lock(&self.incoming);
            let first = incoming.failure.is_none();
            incoming.failure.get_or_insert(text);
            first
        };
        self.failed.store(true, Ordering::Release);
        if let (true, Some((process, why))) = (first, &lost) {
            let frame = Frame::Lost { process: *process as u16, why };
            self.all_links()
                .filter(|(other, _)| other != process)
                .for_each(|(_, link)| link.send(frame.bytes()));
        }
        if let Some(link) = lost.and_then(|(process, _)| self.link(process)) {
            link.cut();
        }
        self.arrived.notify_all();
        self.wake(Wake::Stop);
    }

    /// A process has sent something that no process of ours sends.
    pub fn accuse(&self, process: usize) {
        self.lose(process, "what it sends makes no sense");
    }

    /// A process is lost. The others are informed.
    pub fn lose(&self, process: usize, why: &str) {
        self.fail(format!("{} is lost: {why}", self.name(process)), Some((process, why.to_owned())));
    }

    /// Why the processes cannot go on, if they cannot.
    pub fn failure(&self) -> Option<String> {
        lock(&self.incoming).failure.clone()
    }

    /// Adds up the sums of all other processes, if all have come.
    pub fn take_sums(&self, search: u32) -> Option<Sums> {
        let mut incoming = lock(&self.incoming);
        for process in self.others() {
            let sums = incoming.sums.get_mut(process)?;
            // Of a search that was stopped.
            while sums.front().is_some_and(|(of, _)| *of < search) {
                sums.pop_front();
            }
            sums.front().filter(|(of, _)| *of == search)?;
        }
        let mut total = Sums::default();
        for process in self.others() {
            let (_, sums) = incoming.sums.get_mut(process)?.pop_front()?;
            total.iter_mut().zip(sums).for_each(|(total, sum)| *total = total.saturating_add(sum));
        }
        Some(total)
    }

    /// A letter of a process, if one has come.
    pub fn letter_now(&self, from: usize) -> Option<Vec<u8>> {
        lock(&self.incoming).letters.get_mut(from)?.pop_front()
    }

    /// Waits for a letter of a process. `None`: the processes cannot go on.
    pub fn letter(&self, from: usize) -> Option<Vec<u8>> {
        let mut incoming = lock(&self.incoming);
        loop {
            if let Some(letter) = incoming.letters.get_mut(from)?.pop_front() {
                return Some(letter);
            }
            if incoming.failure.is_some() {
                return None;
            }
            incoming = self.arrived.wait(incoming).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Waits for process 0 to say how all has ended. `None`: the processes cannot go on.
    pub fn await_farewell(&self) -> Option<u8> {
        let mut incoming = lock(&self.incoming);
        loop {
            if let Some(code) = incoming.farewell {
                return Some(code);
            }
            if incoming.failure.is_some() {
                return None;
            }
            incoming = self.arrived.wait(incoming).unwrap_or_else(PoisonError::into_inner);
        }
    }
}
