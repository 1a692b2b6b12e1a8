//! What bad workers send to a server, and what becomes of it: the connection is closed, others get
//! the batches.

use super::*;
use crate::contract::model::Model;
use crate::search::models::wheels::Wheels;
use crate::serve::{addresses, hello};
use std::io::{Read, Write};
use std::time::Instant;

struct Server {
    serving: Arc<Serving>,
    address: String,
}

/// A server whose search is played by the test.
fn server(is_plain: bool) -> Server {
    let description = Wheels::Right.description();
    let codec = Codec::aligned(description);
    let job = Job {
        packed: false,
        deadlock: true,
        loop_limit: 1000,
        strict_undefined: false,
        is_reduced: false,
        is_fast: false,
        trust: false,
        keep_slots: false,
        priorities: true,
        compress_paths: false,
        check: true,
        put: false,
        memory: 1 << 20,
        layout: String::new(),
        sites: Vec::new(),
    };
    let serving = Arc::new(Serving {
        pool: Arc::new(Pool::new(codec.stored_words(), 1 << 30, true, false)),
        description,
        packed: false,
        job,
        hello: hello(description, true, is_plain),
        secret: None,
        knows: |_, _, _| false,
        crowd: AtomicUsize::new(0),
    });
    let listener = Listener::open("127.0.0.1:0", false).unwrap();
    let address = listener.place().unwrap();
    let listening = serving.clone();
    std::thread::spawn(move || accept(&listener, &listening));
    Server { serving, address }
}

impl Server {
    fn worker(&self, is_plain: bool) -> Greeted {
        let stream = addresses::connect(&self.address).unwrap();
        let mine = hello(self.serving.description, false, is_plain);
        let mut greeted = greet(stream, None, true, &mine).unwrap();
        greeted.receiver.receive(&mut Vec::new(), LONGEST).unwrap();
        greeted
    }

    /// Waits until a notice has these words.
    fn await_notice(&self, words: &str) {
        let until = Instant::now() + Duration::from_secs(10);
        let mut all = Vec::new();
        while Instant::now() < until {
            all.extend(self.serving.pool.notices());
            if all.iter().any(|notice| notice.contains(words)) {
                return;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        panic!("{words:?} is not among {all:?}");
    }

    fn give(&self) {
        let width = self.serving.codec().stored_words();
        self.serving.pool.give(0, 0, vec![1, 2], vec![0; 2 * width], 0);
    }
}

/// The number of the batch that a worker is sent.
fn batch(worker: &mut Greeted) -> u64 {
    let mut message = Vec::new();
    loop {
        worker.receiver.receive(&mut message, LONGEST).unwrap();
        if let Some(Message::Batch { number, .. }) = parse(&message) {
            return number;
        }
    }
}

/// A true answer to a batch of two states that have no successors.
fn head() -> Head {
    let Description { rules, properties, cover_statements, .. } = Wheels::Right.description();
    Head {
        ends: vec![0, 0],
        fired: vec![0; rules.len()],
        covered: vec![0; properties.len() + cover_statements.len()],
        microseconds: 5,
        ..Head::default()
    }
}

#[test]
fn lies_of_a_worker_end_its_connection_and_others_get_its_batch() {
    let server = server(true);
    let state = vec![0; server.serving.codec().stored_bytes()];
    type Lie = (&'static str, Box<dyn Fn(u64) -> Vec<u8>>);
    let answer = |number, head: Head, states: &[u8]| Message::Answer { number, head, states }.bytes();
    let lie = |change: fn(&mut Head), states: Vec<u8>| -> Box<dyn Fn(u64) -> Vec<u8>> {
        Box::new(move |number| {
            let mut head = head();
            change(&mut head);
            answer(number, head, &states)
        })
    };
    let lies: Vec<Lie> = vec![
        ("not a message of a worker", Box::new(|_| vec![77; 20])),
        ("not a message of a worker", Box::new(|_| Message::End.bytes())),
        ("not a message of a worker", Box::new(move |number| answer(number, head(), &[])[..20].to_vec())),
        ("what it was not given", Box::new(move |number| answer(number + 1, head(), &[]))),
        ("makes no sense", lie(|_| {}, state.clone())),
        ("makes no sense", lie(|head| head.ends = vec![0, 1], Vec::new())),
        ("makes no sense", lie(|head| head.ends = vec![0, 1], state[1..].to_vec())),
        ("makes no sense", lie(|head| head.ends = vec![0, 1], state.clone())),
        ("makes no sense", lie(|head| head.ends = vec![], Vec::new())),
        ("makes no sense", lie(|head| head.ends = vec![0; 3], Vec::new())),
        ("makes no sense", lie(|head| head.ends = vec![1, 0], state.clone())),
        ("makes no sense", lie(|head| head.rules = 7, Vec::new())),
        ("makes no sense", lie(|head| head.fired.push(0), Vec::new())),
        ("makes no sense", lie(|head| head.covered.push(0), Vec::new())),
        ("makes no sense", lie(|head| head.unreduced = 1, Vec::new())),
        ("makes no sense", lie(|head| head.walked = [1, 0, 0], Vec::new())),
        ("makes no sense", lie(|head| head.put = "what was not asked for".to_owned(), Vec::new())),
        ("makes no sense", lie(|head| head.problems = vec![Default::default()], Vec::new())),
        ("makes no sense", lie(|head| head.doubtful = vec![0], Vec::new())),
    ];
    server.give();
    for (words, lie) in &lies {
        let mut worker = server.worker(true);
        let number = batch(&mut worker);
        worker.sender.send(&lie(number)).unwrap();
        server.await_notice(words);
        assert!(server.serving.pool.take(0).is_none());
    }
    // A state outside its types.
    let mut worker = server.worker(true);
    let number = batch(&mut worker);
    let mut head_of_one = head();
    (head_of_one.ends, head_of_one.rules, head_of_one.fired[0]) = (vec![0, 1], 1, 1);
    worker.sender.send(&answer(number, head_of_one, &vec![0xff; state.len()])).unwrap();
    server.await_notice("makes no sense");
    // What is true counts, once; the second time it is an answer to nothing.
    let mut worker = server.worker(true);
    let number = batch(&mut worker);
    worker.sender.send(&answer(number, head(), &[])).unwrap();
    let until = Instant::now() + Duration::from_secs(10);
    while server.serving.pool.take(0).is_none() {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(2));
    }
    worker.sender.send(&answer(number, head(), &[])).unwrap();
    server.await_notice("what it was not given");
    assert_eq!(
        server.serving.pool.table().iter().map(|stats| stats.lost).sum::<u64>(),
        lies.len() as u64 + 1
    );
    server.serving.pool.close(Duration::ZERO);
}

#[test]
fn bytes_that_are_changed_cut_off_or_repeated_end_the_connection() {
    let server = server(false);
    server.give();
    for way in ["changed", "cut off", "length"] {
        let mut worker = server.worker(false);
        let number = batch(&mut worker);
        let message = Message::Answer { number, head: head(), states: &[] }.bytes();
        let (words, bytes) = match way {
            // A piece that is not sealed by the keys of the connection.
            "changed" => ("was changed on the way", [&[30, 0][..], &message[..30]].concat()),
            "cut off" => ("is lost", vec![200, 0, 1, 2, 3]),
            // Shorter than any sealed piece.
            _ => ("is sent away", vec![1, 0, 1]),
        };
        worker.stream.write_all(&bytes).unwrap();
        let _ = worker.stream.shutdown(Shutdown::Write);
        server.await_notice(words);
    }
    for bytes in [&b"GET / HTTP/1.1\r\n\r\n"[..], b"", &[b"mcc-cluster/0001", &[9; 48][..]].concat()] {
        let mut stranger = addresses::connect(&server.address).unwrap();
        stranger.write_all(bytes).unwrap();
        let _ = stranger.shutdown(Shutdown::Write);
        let _ = stranger.read_to_end(&mut Vec::new());
        server.await_notice("was refused");
    }
    // All that while the batch has not been lost.
    let mut worker = server.worker(false);
    batch(&mut worker);
    server.serving.pool.close(Duration::ZERO);
}
