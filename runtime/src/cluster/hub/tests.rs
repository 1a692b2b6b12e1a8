//! A process that begins a search before another one does: nothing that it sends is lost, and what
//! belongs to an earlier search is.

use super::*;
use crate::checkpoint::Identity;
use crate::cluster::frames::begin_states;
use crate::cluster::greeting::{Hello, greet};
use std::net::{TcpListener, TcpStream};

/// Two processes of one thread.
fn two() -> [Arc<Hub>; 2] {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let hello = |process: usize| Hello {
        identity: Identity {
            version: String::new(),
            model: String::new(),
            fingerprint: String::new(),
            layout: String::new(),
            options: Default::default(),
        },
        process,
        to: 1 - process,
        list: vec!["a".to_owned(), "b".to_owned()],
        threads: 1,
        memory: 0,
        plain: false,
        port: 0,
    };
    let other = hello(1);
    let connects =
        std::thread::spawn(move || greet(TcpStream::connect(address).unwrap(), None, true, &other).unwrap());
    let accepted = greet(listener.accept().unwrap().0, None, false, &hello(0)).unwrap();
    let connected = connects.join().unwrap();
    let hubs = [0, 1].map(|me| Hub::start(me, 1, vec![String::new(); 2], true).unwrap());
    hubs[0].connect(1, accepted).unwrap();
    hubs[1].connect(0, connected).unwrap();
    hubs
}

/// A message of states of a search, with one byte.
fn states(search: u32, byte: u8) -> Vec<u8> {
    let mut message = Vec::new();
    begin_states(&mut message, search, 0);
    message.push(byte);
    message
}

#[test]
fn what_a_faster_process_sends_waits_for_the_search() {
    let [one, other] = two();
    let begin = |hub: &Hub| hub.begin(Arc::new(|_| {}));
    let send = |search: u32, byte: u8| {
        let link = one.link(1).unwrap();
        assert!(link.take_room());
        link.send(states(search, byte));
    };
    let has_come = |count: usize| {
        let until = Instant::now() + Duration::from_secs(20);
        while other.waiting[0].load(Ordering::Acquire) < count {
            assert!(Instant::now() < until);
            std::thread::sleep(Duration::from_millis(1));
        }
    };
    let next = || other.parcel(0).map(|parcel| parcel.states().to_vec());
    assert_eq!(begin(&one), 1);
    (1..4).for_each(|byte| send(1, byte));
    has_come(3);
    assert_eq!(begin(&other), 1);
    assert_eq!(next(), Some(vec![1]));
    // The search is stopped, and both begin the next one, the same one first again.
    assert_eq!(begin(&one), 2);
    send(2, 9);
    has_come(3);
    assert_eq!(begin(&other), 2);
    assert_eq!((next(), next(), other.has_parcel(0)), (Some(vec![9]), None, false));
    [one, other].iter().for_each(|hub| hub.close(0));
}
