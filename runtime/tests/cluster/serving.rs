//! A server and its workers: what one process finds, with workers that come, leave and are lost.
//! Server and workers are threads here, which talk over loopback as processes do.

use super::models::ladder::{Flavour, Ladder};
use super::models::railway::Railway;
use super::models::wheels::Wheels;
use super::models::{Heard, Ran, report, run, run_heard, run_with};
use super::{errors, figures, file, ports};
use mcc_runtime::model::Model;
use mcc_runtime::{Exit, Interruption};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const WORK: &str = "--work ADDRESS --threads 1 --retry 120";

/// A server of a model with these workers, and what they printed.
fn serve(model: &dyn Model, line: &str, workers: &[String]) -> (Ran, Vec<Ran>) {
    serve_at(&format!("127.0.0.1:{}", ports(1)[0]), model, line, workers)
}

fn serve_at(address: &str, model: &dyn Model, line: &str, workers: &[String]) -> (Ran, Vec<Ran>) {
    let with_address = |line: &str| line.replace("ADDRESS", address);
    let lines: Vec<String> = workers.iter().map(|line| with_address(line)).collect();
    let over = &Interruption::none();
    std::thread::scope(|scope| {
        let workers: Vec<_> =
            lines.iter().map(|line| scope.spawn(move || run_with(model, line, over))).collect();
        let server = run(model, &with_address(&format!("--serve ADDRESS {line} --json -")));
        // A small search may be over before the last worker comes, which would wait for it.
        over.request();
        (server, workers.into_iter().map(|worker| worker.join().unwrap()).collect())
    })
}

/// A directory of this test alone that is not there yet.
fn directory() -> PathBuf {
    let path = file("");
    std::fs::remove_file(&path).unwrap();
    path
}

/// A server with these options and `threads`, and this number of workers.
fn finds_what_one_process_finds(model: &dyn Model, line: &str, way: &str, count: usize, threads: &str) {
    let expected = report(model, &format!("-j1 {line}"));
    let workers = vec![format!("{WORK} {way}"); count];
    let (server, workers) = serve(model, &format!("{line} {way} {threads}"), &workers);
    let found = server.json();
    assert_eq!(figures(&found), figures(&expected), "{line}: {}", server.err);
    assert_eq!(found["walked"], expected["walked"], "{line}");
    let mut found_errors = [errors(&found), errors(&expected)];
    found_errors.iter_mut().for_each(|errors| errors.sort());
    assert_eq!(found_errors[0], found_errors[1], "{line}");
    for worker in &workers {
        assert_eq!(worker.exit, Exit::Answered, "{line}: {}", worker.err);
    }
    let table = found["workers"].as_array().unwrap();
    let states: u64 = table.iter().map(|worker| worker["states"].as_u64().unwrap()).sum();
    let least = found["states"].as_u64().unwrap() / 2;
    let is_here = |row: &&Value| row["address"].as_str().unwrap().starts_with("server, thread");
    let here: Vec<&Value> = table.iter().filter(is_here).collect();
    let expands = usize::from(!threads.is_empty());
    assert!(states >= least && table.len() - here.len() <= count, "{line}: {table:?}");
    assert!(table.len() - here.len() + expands > 0 && (here.is_empty() == threads.is_empty()), "{table:?}");
    assert!(!server.err.contains("warning"), "{}", server.err);
}

#[test]
fn workers_of_a_server_find_what_one_process_finds() {
    let secret = format!("--secret {}", file("a secret of sixteen bytes or more\n").display());
    let disk = directory();
    let disk = format!("--disk {} --memory 20M", disk.display());
    let ladder = Ladder(Flavour::Invariant);
    let ways: [(&dyn Model, &str, &str, usize); 16] = [
        (&Wheels::Right, "", "", 2),
        (&Wheels::Six, "-b", &secret, 3),
        (&Wheels::Six, "-c --seed 1", "", 2),
        (&Wheels::Six, "--tree", "", 2),
        (&Wheels::Six, "--cache-states 4400 --seed 1", "", 2),
        (&Wheels::Six, &disk, "", 2),
        (&Wheels::SixBroken, &format!("{disk} --max-errors 0"), "", 2),
        (&Wheels::Six, "--queue disk --queue-memory 100K", "", 2),
        (&Wheels::SixBroken, "--max-errors 0", "", 2),
        (&Wheels::Stuck, "--max-errors 0", "", 2),
        (&Wheels::Faulty, "--max-errors 0", "", 1),
        (&Wheels::Six, "--max-depth 7", "", 2),
        (&Railway::Right, "--compress-paths", "", 2),
        (&Wheels::SixBroken, "--compress-paths --max-errors 0", "", 2),
        (&ladder, "--compress-paths --max-errors 0 -b", "", 2),
        (&ladder, "--max-errors 0 -c --seed 1", "", 2),
    ];
    for (model, line, way, count) in ways {
        finds_what_one_process_finds(model, line, way, count, "");
    }
}

/// Threads of the server store and expand, with workers and without.
#[test]
fn threads_of_a_server_find_what_one_process_finds() {
    let disk = directory();
    let disk = format!("--disk {} --memory 20M", disk.display());
    let ladder = Ladder(Flavour::Invariant);
    let ways: [(&dyn Model, &str); 15] = [
        (&Wheels::Right, ""),
        (&Wheels::Six, "-b"),
        (&Wheels::Six, "-c --seed 1"),
        (&Wheels::Six, "--tree"),
        (&Wheels::Six, "--cache-states 100000 --seed 1"),
        (&Wheels::Six, &disk),
        (&Wheels::SixBroken, &format!("{disk} --max-errors 0")),
        (&Wheels::Six, "--queue disk --queue-memory 4M"),
        (&Wheels::SixBroken, "--max-errors 0"),
        (&Wheels::Stuck, "--max-errors 0"),
        (&Wheels::Faulty, "--max-errors 0"),
        (&Wheels::Six, "--max-depth 7"),
        (&Railway::Right, "--compress-paths"),
        (&Wheels::SixBroken, "--compress-paths --max-errors 0"),
        (&ladder, "--compress-paths --max-errors 0 -b"),
    ];
    for (at, (model, line)) in ways.into_iter().enumerate() {
        for (mode, threads) in ["-j1", "-j2 --threads-from 1", "-j3 --threads-from 8"].into_iter().enumerate()
        {
            finds_what_one_process_finds(model, line, "", (at + mode) % 3, threads);
        }
    }
}

#[test]
fn another_secret_is_said_at_once() {
    let secret = format!("--secret {}", file("a secret of sixteen bytes or more\n").display());
    let other = format!("--secret {}", file("another secret of sixteen bytes\n").display());
    let begun = Instant::now();
    let workers = ["--work ADDRESS --retry 60 -j1", &format!("--work ADDRESS {other} --retry 60 -j1")]
        .map(str::to_owned);
    let address = format!("127.0.0.1:{}", ports(1)[0]);
    std::thread::scope(|scope| {
        let strangers = workers.map(|line| {
            let line = line.replace("ADDRESS", &address);
            scope.spawn(move || run(&Wheels::Six, &line))
        });
        let address = &address;
        let secret = &secret;
        let server = scope.spawn(move || run(&Wheels::Six, &format!("--serve {address} {secret} --json -")));
        for stranger in strangers {
            let stranger = stranger.join().unwrap();
            assert_eq!(stranger.exit, Exit::Wrong, "{}", stranger.err);
            assert!(stranger.err.contains("another secret"), "{}", stranger.err);
        }
        assert!(begun.elapsed() < Duration::from_secs(40));
        assert_eq!(run(&Wheels::Six, &format!("--work {address} {secret}")).exit, Exit::Answered);
        let server = server.join().unwrap();
        assert_eq!(figures(&server.json()), figures(&report(&Wheels::Six, "-j1")), "{}", server.err);
        assert!(server.err.contains("does not know the secret"), "{}", server.err);
    });
}

/// Passes bytes on, and cuts the connection after some of them, again and again.
fn cut_off(from: &TcpListener, to: u16, after: usize, times: usize) {
    from.set_nonblocking(true).unwrap();
    let until = Instant::now() + Duration::from_secs(60);
    let mut cuts = 0;
    while cuts < times && Instant::now() < until {
        let Ok((mut worker, _)) = from.accept() else {
            std::thread::sleep(Duration::from_millis(5));
            continue;
        };
        // The server may not listen yet.
        let Ok(mut server) = TcpStream::connect(("127.0.0.1", to)) else { continue };
        worker.set_nonblocking(false).unwrap();
        let (mut back, mut forth) = (server.try_clone().unwrap(), worker.try_clone().unwrap());
        let down = std::thread::spawn(move || std::io::copy(&mut back, &mut forth));
        let mut bytes = vec![0; 1000];
        let mut passed = 0;
        while passed < after {
            let Ok(count @ 1..) = worker.read(&mut bytes) else { break };
            if server.write_all(&bytes[..count]).is_err() {
                break;
            }
            passed += count;
        }
        for stream in [&worker, &server] {
            let _ = stream.shutdown(std::net::Shutdown::Both);
        }
        let _ = down.join();
        cuts += 1;
    }
}

/// The worker that is cut off is the only one, so it has batches when that happens: the search
/// needs many more bytes than it can send before the last cut.
#[test]
fn what_a_lost_worker_had_goes_to_others() {
    let port = ports(1)[0];
    let proxy = TcpListener::bind("127.0.0.1:0").unwrap();
    let through = proxy.local_addr().unwrap().port();
    let expected = figures(&report(&Wheels::Six, "-j1"));
    let over = &Interruption::none();
    std::thread::scope(|scope| {
        let server = scope.spawn(move || run(&Wheels::Six, &format!("--serve 127.0.0.1:{port} --json -")));
        let line = format!("--work 127.0.0.1:{through} -j1 --retry 120");
        let cut = scope.spawn(move || run_with(&Wheels::Six, &line, over));
        cut_off(&proxy, port, 9_000, 6);
        drop(proxy);
        // Bytes of a stranger.
        TcpStream::connect(("127.0.0.1", port)).unwrap().write_all(&[b'x'; 500]).unwrap();
        let other = run(&Wheels::Six, &format!("--work 127.0.0.1:{port}"));
        assert_eq!(other.exit, Exit::Answered, "{}", other.err);
        let server = server.join().unwrap();
        assert_eq!(figures(&server.json()), expected, "{}", server.err);
        assert!(server.err.contains("others get its"), "{}", server.err);
        assert!(!server.err.contains("warning"), "{}", server.err);
        assert!(server.json()["workers"].as_array().unwrap().iter().any(|row| row["batches_lost"] != 0));
        over.request();
        assert_eq!(cut.join().unwrap().exit, Exit::Answered);
    });
}

/// Works for longer and longer, until the worker has expanded states. It leaves by itself.
fn work_until_it_counts(work: impl Fn(Duration) -> Ran) {
    let mut time = Duration::from_millis(300);
    loop {
        let ran = work(time);
        assert_eq!(ran.exit, Exit::Answered, "{}", ran.err);
        if !ran.out.starts_with("Expanded 0 states") {
            return;
        }
        time *= 2;
        assert!(time < Duration::from_secs(100), "{}", ran.out);
    }
}

/// With their pace the first two would need half a minute for the whole search.
#[test]
fn workers_come_and_leave_as_they_like() {
    let port = ports(1)[0];
    let line = &format!("--work 127.0.0.1:{port} -j1 --pace 1500 --retry 120");
    let expected = figures(&report(&Wheels::Six, "-j1"));
    std::thread::scope(|scope| {
        let server = scope.spawn(move || run(&Wheels::Six, &format!("--serve 127.0.0.1:{port} --json -")));
        work_until_it_counts(|time| {
            run(&Wheels::Six, &format!("{line} --work-for {}", time.as_secs_f64() / 60.0))
        });
        work_until_it_counts(|time| {
            let interrupted = &Interruption::none();
            std::thread::scope(|scope| {
                let worker = scope.spawn(move || run_with(&Wheels::Six, line, interrupted));
                std::thread::sleep(time);
                interrupted.request();
                worker.join().unwrap()
            })
        });
        let two = run(&Wheels::Six, &format!("--work 127.0.0.1:{port} -j2 --nice"));
        assert_eq!(two.exit, Exit::Answered, "{}", two.err);
        let server = server.join().unwrap();
        assert_eq!(figures(&server.json()), expected, "{}", server.err);
        let rows = server.json()["workers"].clone();
        let rows = rows.as_array().unwrap();
        let states = |row: &Value| row["states"].as_u64().unwrap();
        let have_left = rows.iter().filter(|row| row["gone"] == "has left" && states(row) > 0);
        assert_eq!(have_left.count(), 2, "{rows:?}");
        // The second thread of the last one may come too late.
        assert!(rows.iter().any(|row| row["gone"] != "has left" && states(row) > 0), "{rows:?}");
        assert!(rows.iter().map(states).sum::<u64>() >= 4096, "{rows:?}");
    });
}

/// A search that was saved goes on with other workers, and also without any.
#[test]
fn a_server_is_resumed() {
    let whole = figures(&report(&Wheels::Six, "-j1"));
    for serves in [true, false] {
        let saved = directory();
        let saved = saved.display();
        let workers = vec![format!("{WORK} --threads 2").replace("--threads 1 ", "")];
        let line = format!("--checkpoint 0 --checkpoint-directory {saved} --max-depth 7");
        let (first, _) = serve(&Wheels::Six, &line, &workers);
        assert_eq!(first.exit, Exit::Inconclusive, "{}", first.err);
        let found: Value = if serves {
            serve(&Wheels::Six, &format!("--resume {saved}"), &workers).0.json()
        } else {
            report(&Wheels::Six, &format!("-j1 --resume {saved}"))
        };
        assert_eq!(figures(&found), whole);
        assert_eq!(found["checkpoints"]["resumed_from_levels"], serde_json::json!([7]));
    }
}

#[cfg(unix)]
#[test]
fn a_socket_of_this_machine_will_do() {
    use std::os::unix::fs::PermissionsExt;
    let path = directory();
    // A server that was killed leaves its socket behind.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let address = format!("unix:{}", path.display());
    let serve = format!("--serve {address} --json -");
    let work = &WORK.replace("ADDRESS", &address);
    let over = &Interruption::none();
    std::thread::scope(|scope| {
        let server = scope.spawn(|| run(&Wheels::Six, &serve));
        // It waits for a worker, so it is there to be looked at.
        let begun = Instant::now();
        let mode = || std::fs::metadata(&path).map(|found| found.permissions().mode() & 0o777).ok();
        while mode() != Some(0o600) {
            assert!(begun.elapsed() < Duration::from_secs(120), "{:?}", mode());
            std::thread::sleep(Duration::from_millis(5));
        }
        let workers = [(); 2].map(|()| scope.spawn(move || run_with(&Wheels::Six, work, over)));
        let server = server.join().unwrap();
        over.request();
        assert_eq!(figures(&server.json()), figures(&report(&Wheels::Six, "-j1")), "{}", server.err);
        for worker in workers {
            let worker = worker.join().unwrap();
            assert_eq!(worker.exit, Exit::Answered, "{}", worker.err);
        }
    });
    assert!(run(&Wheels::Six, "--serve unix:/nowhere/at/all").err.contains("cannot be listened on"));
}

#[test]
fn a_server_that_is_interrupted_sends_its_workers_away() {
    let port = ports(1)[0];
    let (interrupted, heard) = (Interruption::none(), Heard::default());
    let serve = format!("--serve 127.0.0.1:{port} --json -");
    std::thread::scope(|scope| {
        let server = scope.spawn(|| run_heard(&Wheels::Right, &serve, &interrupted, &heard));
        let stranger = run(&Railway::Right, &format!("--work 127.0.0.1:{port}"));
        assert_eq!(stranger.exit, Exit::Wrong, "{}", stranger.err);
        assert!(stranger.err.contains("model"), "{}", stranger.err);
        let worker =
            scope.spawn(|| run(&Wheels::Right, &format!("--work 127.0.0.1:{port} --pace 2000 --retry 120")));
        heard.wait_for("has come");
        let begun = Instant::now();
        interrupted.request();
        let server = server.join().unwrap();
        assert_eq!(server.exit, Exit::Inconclusive, "{}", server.err);
        assert_eq!(worker.join().unwrap().exit, Exit::Answered);
        assert!(begun.elapsed() < Duration::from_secs(30));
    });
    for line in [
        "--serve 0.0.0.0:0",
        "--serve 127.0.0.1:0 -vdfs",
        "--serve 127.0.0.1:0 --pace 5",
        "--work 127.0.0.1:1 -b",
        "--secret x",
    ] {
        assert_eq!(run(&Wheels::Right, line).exit, Exit::Wrong, "{line}");
    }
    let unreachable = run(&Wheels::Right, "--work 127.0.0.1:1 --retry 0");
    assert_eq!(unreachable.exit, Exit::Inconclusive, "{}", unreachable.err);
}
