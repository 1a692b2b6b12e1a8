//! The visited states of all processes, as process 0 sees them while it follows traces: its own it
//! has, the others it asks for.

use super::dealing::Dealing;
use super::letters::{Answer, Decision, Question, read, write};
use crate::cluster::frames::Frame;
use crate::cluster::hub::Hub;
use crate::memory::MemoryError;
use crate::storage::StorageError;
use crate::visited::{Origin, Recalled, Renumbering, Segmentation, Share, StateIndex, Visited};

/// The visited sets of all processes.
pub struct Everywhere<'a> {
    pub own: &'a dyn Visited,
    pub hub: &'a Hub,
    pub dealing: &'a Dealing,
    /// States of all processes.
    pub states: u64,
}

impl Everywhere<'_> {
    /// What the owner of a state answers. `None`: it is lost, and the search with it.
    fn ask(&self, state: StateIndex, question: Question) -> Option<Answer> {
        let owner = self.dealing.process_of(state);
        self.hub.send(owner, &Frame::Letter(&write(&Decision::Ask(question))));
        let letter = self.hub.letter(owner)?;
        let answer = read(&letter);
        if answer.is_none() {
            self.hub.accuse(owner);
        }
        answer
    }

    fn is_own(&self, state: StateIndex) -> bool {
        self.dealing.process_of(state) == self.hub.me
    }
}

/// Answers a question about a state of this process.
pub fn answer(own: &dyn Visited, question: Question) -> Answer {
    let (Question::Recall(number) | Question::Load(number)) = question;
    let recalled = own.recall(StateIndex(number)).ok().flatten();
    match (question, recalled) {
        (_, None) => Answer::Unknown,
        (Question::Recall(_), Some(Recalled { origin, signature })) => Answer::Recalled(origin.0, signature),
        (Question::Load(number), Some(_)) => {
            let mut words = Vec::new();
            own.load(StateIndex(number), &mut words);
            Answer::Loaded(words)
        }
    }
}

impl Visited for Everywhere<'_> {
    fn len(&self) -> u64 {
        self.states
    }

    fn segmentation(&self) -> Segmentation {
        self.own.segmentation()
    }

    fn load(&self, index: StateIndex, into: &mut Vec<u64>) {
        if self.is_own(index) {
            self.own.load(index, into);
        } else if let Some(Answer::Loaded(words)) = self.ask(index, Question::Load(index.0)) {
            into.extend(words);
        }
    }

    fn recall(&self, index: StateIndex) -> Result<Option<Recalled>, StorageError> {
        if self.is_own(index) {
            return self.own.recall(index);
        }
        Ok(match self.ask(index, Question::Recall(index.0)) {
            Some(Answer::Recalled(origin, signature)) => Some(Recalled { origin: Origin(origin), signature }),
            Some(_) | None => None,
        })
    }

    fn signature(&self, state: &[u64]) -> Option<u64> {
        self.own.signature(state)
    }

    /// Nothing is inserted through this.
    fn shares(&mut self, _: usize) -> Vec<Box<dyn Share + '_>> {
        Vec::new()
    }

    fn spread(&mut self, _: Segmentation) -> Result<Renumbering, MemoryError> {
        Err(MemoryError)
    }
}
