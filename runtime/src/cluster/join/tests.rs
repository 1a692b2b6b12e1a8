//! Processes that end before all have come together. None of them is a matter of timing: each has
//! ended before those that should notice it begin to wait, or ends when the test says so.

use super::*;
use crate::cluster::greeting::{ANYBODY, greet};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

/// A process that is lost has to be noticed within this time.
const NOTICED: Duration = Duration::from_secs(10);

fn own() -> Own {
    let identity = Identity {
        version: "1".to_owned(),
        model: "model".to_owned(),
        fingerprint: "7".to_owned(),
        layout: "9".to_owned(),
        options: Default::default(),
    };
    Own { identity, threads: 1, memory: 1 << 20 }
}

fn role(plan: Plan, number: usize, member: Option<Member>) -> Role {
    Role { plan, number, secret: None, is_plain: false, member }
}

/// Why processes do not come together, in how much time, and what was said meanwhile.
fn missing_because(role: &Role, start: Start<'_>) -> (String, Duration, String) {
    let (begun, mut err) = (Instant::now(), Vec::new());
    let joined = join_with(role, &own(), start, &Interruption::none(), &mut err);
    match joined {
        // It has come together with all, one of which is lost by now.
        Ok(Joined { hub, .. }) => {
            while hub.failure().is_none() && begun.elapsed() < 2 * NOTICED {
                std::thread::sleep(Duration::from_millis(1));
            }
            let why = hub.failure().unwrap();
            hub.close(3);
            (why, begun.elapsed(), String::from_utf8(err).unwrap())
        }
        Err(JoinError::Missing(why)) => (why, begun.elapsed(), String::from_utf8(err).unwrap()),
        other => panic!("{other:?}"),
    }
}

fn nobody(_: usize, _: u16, _: &Secret) -> io::Result<Children> {
    Ok(Children::default())
}

fn shell(line: &str) -> Child {
    Command::new("sh").args(["-c", line]).stdin(Stdio::null()).spawn().unwrap()
}

#[test]
fn a_process_that_was_started_and_ended_at_once_is_reported_and_none_is_left() {
    for (line, how) in [("kill -KILL $$", "signal: 9"), ("exit 7", "exit status: 7")] {
        let other = std::cell::Cell::new(0);
        let start = |_: usize, _: u16, _: &Secret| {
            let (waits, mut ends) = (shell("exec sleep 100"), shell(line));
            other.set(waits.id());
            // It has ended before anybody waits for it.
            ends.wait().unwrap();
            Ok(Children::of(vec![waits, ends]))
        };
        let (why, time, _) = missing_because(&role(Plan::Local(3), 0, None), &start);
        assert!(why.contains("process 2 ended before the search began") && why.contains(how), "{why}");
        assert!(time < NOTICED, "{time:?}");
        // SAFETY: signal 0 is sent to nobody; the call says whether there is such a process.
        let is_there = unsafe { libc::kill(other.get() as i32, 0) } == 0;
        assert!(!is_there, "a process is left behind");
    }
}

/// A process that was killed while strangers that say nothing are being greeted.
#[test]
fn silent_strangers_do_not_hide_that_a_process_has_ended() {
    let strangers = std::cell::RefCell::new(Vec::new());
    let start = |_: usize, port: u16, _: &Secret| {
        let connect = || TcpStream::connect((Ipv4Addr::LOCALHOST, port));
        strangers.replace((0..5).map(|_| connect()).collect::<io::Result<_>>()?);
        let mut ends = shell("kill -KILL $$");
        ends.wait()?;
        Ok(Children::of(vec![ends]))
    };
    let (why, time, _) = missing_because(&role(Plan::Local(2), 0, None), &start);
    assert!(why.contains("process 1 ended") && time < Duration::from_secs(4), "{why} {time:?}");
}

/// Process 0 was killed before those that it has started came to greet it.
#[test]
fn a_process_without_process_0_ends() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let secret = Secret([5; 32]);
    let member = Member { number: 1, count: 2, port, secret: secret.clone() };
    let role = role(Plan::Local(2), 1, Some(member));
    let expect = || {
        let (why, time, _) = missing_because(&role, &nobody);
        assert!(why.contains("process 0 (127.0.0.1:") && why.contains("lost"), "{why}");
        assert!(time < NOTICED, "{time:?}");
    };
    // It ends when it has greeted, and before it has said where the others listen ...
    let greets = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let hello = hello(0, ANYBODY, &["local:0", "local:1"]);
        drop(greet(stream, Some(&secret), false, &hello).unwrap());
        // ... in the middle of a greeting ...
        drop(listener.accept().unwrap());
    });
    expect();
    expect();
    // ... or before.
    greets.join().unwrap();
    expect();
}

fn hello(process: usize, to: usize, list: &[&str]) -> Hello {
    let Own { identity, threads, memory } = own();
    let list = list.iter().map(|&host| host.to_owned()).collect();
    Hello { identity, process, to, list, threads, memory, plain: false, port: 0 }
}

/// Process 2 of a list greets process 0 and ends. Process 1, which it has not greeted, and 0 are
/// connected, and know within ten seconds who is lost. Before that a line says who is awaited.
#[test]
fn who_greeted_some_and_ended_is_noticed_by_all() {
    let held: Vec<TcpListener> =
        (0..3).map(|_| TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap()).collect();
    let addresses: Vec<String> = held.iter().map(|one| one.local_addr().unwrap().to_string()).collect();
    drop(held);
    let list: Vec<String> = addresses.iter().map(|address| format!("{address}*1")).collect();
    let list: Vec<&str> = list.iter().map(String::as_str).collect();
    let hosts: Vec<Host> =
        addresses.iter().map(|address| Host { address: address.clone(), share: 1 }).collect();
    std::thread::scope(|scope| {
        let others = [0, 1].map(|number| {
            let role = role(Plan::Hosts(hosts.clone()), number, None);
            scope.spawn(move || missing_because(&role, &nobody))
        });
        // Both have waited long enough for a line.
        std::thread::sleep(Duration::from_secs(6));
        let until = Instant::now() + NOTICED;
        let stream = loop {
            match TcpStream::connect(&addresses[0]) {
                Ok(stream) => break stream,
                Err(error) => assert!(Instant::now() < until, "{error}"),
            }
        };
        let greeted = greet(stream, None, true, &hello(2, 0, &list)).unwrap();
        let ended = Instant::now();
        drop(greeted);
        for other in others {
            let (why, _, said) = other.join().unwrap();
            assert!(why.contains(&format!("process 2 ({}) is lost", addresses[2])), "{why}");
            assert!(said.contains(&format!("waiting for process 2 ({})", addresses[2])), "{said}");
        }
        assert!(ended.elapsed() < NOTICED, "{:?}", ended.elapsed());
    });
}
