//! The model is verified, and the lock does what the model does: on random walks, and on every
//! edge of its graph. A mistake in either of them is found.

#![cfg(test)]

use mcc_build::{Implementation, Step, replay};
use mcc_example_lock::Lock;

mcc_build::include_model!(lock);
mcc_build::include_model!(unfair);

struct Driven(Lock);

impl Implementation<lock::State> for Driven {
    fn start(&mut self, _: &Step<lock::State>) {
        self.0.reset();
    }

    fn step(&mut self, step: &Step<lock::State>) -> Result<(), String> {
        let lock::Thread(thread) = step.parameter("t").map_err(|error| error.to_string())?;
        match step.rule.as_str() {
            "request" | "wait" => drop(self.0.request(thread)),
            "release" => drop(self.0.release()),
            other => return Err(format!("there is no rule {other}")),
        }
        Ok(())
    }

    fn compare(&self, state: &lock::State) -> Result<(), String> {
        let owner = state.owner.map(|lock::Thread(thread)| thread);
        let queue: Vec<usize> = state.queue.iter().flatten().map(|lock::Thread(thread)| *thread).collect();
        let ours: Vec<usize> = self.0.queue().collect();
        if (self.0.owner(), &ours) == (owner, &queue) {
            return Ok(());
        }
        Err(format!("the lock has {:?} and {ours:?}, the model {owner:?} and {queue:?}", self.0.owner()))
    }
}

#[test]
fn the_model_is_verified() {
    let verification = lock::verify().unwrap();
    verification.verified().unwrap();
    assert!(verification.report.states > 3);
}

#[test]
fn the_lock_follows_random_walks() {
    for seed in 0..200 {
        let walk = lock::random_walk(seed, 50).unwrap();
        assert_eq!(walk.len(), 51);
        replay(&mut Driven(Lock::default()), &walk).unwrap();
    }
}

#[test]
fn the_lock_follows_every_edge() {
    let edges = lock::edges(1000).unwrap();
    assert!(edges.len() > 20, "{}", edges.len());
    for path in &edges {
        replay(&mut Driven(Lock::default()), path).unwrap();
    }
    assert!(lock::edges(5).is_err(), "there are more states than that");
}

#[test]
fn a_mistake_of_the_lock_is_found() {
    let mistaken = || Driven(Lock::mistaken());
    let edges = lock::edges(1000).unwrap();
    let found: Vec<_> = edges.iter().filter_map(|path| replay(&mut mistaken(), path).err()).collect();
    let shortest = found.iter().min_by_key(|difference| difference.step).unwrap();
    // One has it, two wait, it is released: the wrong one gets it.
    assert_eq!(shortest.step, 4, "{shortest}");
    assert!(shortest.to_string().contains("4. release, t: thread_"), "{shortest}");
}

#[test]
fn a_mistake_of_the_model_is_found_with_a_typed_trace() {
    let verification = unfair::verify().unwrap();
    let message = verification.verified().unwrap_err().to_string();
    assert!(message.contains("nobody waits for a free lock"), "{message}");
    // Two wait, and the one who releases does not hand it over.
    let trace = verification.trace().unwrap().unwrap();
    let last = trace.last().and_then(|step| step.state.as_ref()).unwrap();
    assert_eq!((last.owner, last.waiting), (None, Some(1)));
    assert!(last.queue[0].is_some_and(|unfair::Thread(thread)| thread < unfair::Thread::COUNT));
}

#[test]
fn options_are_those_of_verifiers() {
    let options = mcc_build::Options::new().without_symmetry().packed().threads(1);
    let all = lock::verify_with(&options).unwrap();
    let reduced = lock::verify().unwrap();
    assert!(all.report.states > reduced.report.states);
    assert_eq!(all.report.rules, lock::edges(1000).unwrap().len() as u64, "each edge is a rule fired");
    let refused = lock::verify_with(&mcc_build::Options::new().argument("--nonsense"));
    assert!(refused.unwrap_err().to_string().contains("--nonsense"));
}
