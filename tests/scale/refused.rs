//! Who does not belong to a run is refused with a message, and the run goes on without him.

use crate::run::{Hosts, Run, assert_contains, end, run};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

const GAME: [&str; 4] = ["triple-check", "--fen", "kq2/4/4/2QK w - - 0 1", "--solve"];

/// Says something to whoever listens at an address; his answer.
fn say(address: &str, what: &[u8]) -> Vec<u8> {
    let until = Instant::now() + Duration::from_secs(60);
    let mut stream = loop {
        match TcpStream::connect(address) {
            Ok(stream) => break stream,
            Err(e) => assert!(Instant::now() < until, "{e}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    stream.write_all(what).expect("it listens");
    let mut answer = Vec::new();
    // A connection may be closed with a reset: what came before counts.
    let _ = stream.read_to_end(&mut answer);
    answer
}

/// Starts the process that is missing, and returns what the first one gave: the same as one process alone.
#[track_caller]
fn completed(hosts: &Hosts, first: Child) -> Run {
    let second = end(hosts.start(1, &GAME));
    assert_eq!((second.code, &*second.out), (Some(0), ""), "{}", second.err);
    let first = end(first);
    let plain = run(&[&GAME[..], &["--no-edges"]].concat());
    assert_eq!(
        (first.code, &first.out),
        (Some(0), &plain.out),
        "{}",
        first.err
    );
    first
}

#[test]
fn strangers_and_other_runs_are_refused_and_the_run_goes_on() {
    let hosts = Hosts::new(2);
    let first = hosts.start(0, &GAME);
    let answer = say(&hosts.addresses[0], b"GET / HTTP/1.1\r\nHost: here\r\n\r\n");
    assert!(answer.starts_with(b"fairyproof workers"), "{answer:?}");
    assert!(
        say(
            &hosts.addresses[0],
            b"fairyproof workers 4\n\xff\xff\xff\xff"
        )
        .len()
            > 20
    );
    assert!(
        say(
            &hosts.addresses[0],
            b"fairyproof workers 4\n\x04\0\0\0\xff\0\0\0"
        )
        .len()
            > 20
    );

    let more = Hosts::of([&hosts.addresses[..], &["127.0.0.1:9".to_string()]].concat());
    for (hosts, arguments, why) in [
        (&hosts, &["bachelor", "--solve"][..], "the variant differs"),
        (&hosts, &["triple-check", "--solve"], "the position differs"),
        (&more, &GAME, "the hosts file differs"),
        (&hosts, &GAME[..3], "the wish for values differs"),
        (
            &hosts,
            &[&GAME[..], &["--max-depth", "4"]].concat(),
            "the limit of depth differs",
        ),
        (
            &hosts,
            &[&GAME[..], &["--max-states", "4"]].concat(),
            "the limit of states differs",
        ),
    ] {
        let other = end(hosts.start(1, arguments));
        assert_eq!((other.code, &*other.out), (Some(2), ""), "{}", other.err);
        assert_contains(&other.err, why);
    }

    let first = completed(&hosts, first);
    assert_eq!(
        first
            .err
            .matches("the peer is not a fairyproof process")
            .count(),
        3,
        "{}",
        first.err
    );
    assert_contains(&first.err, "the variant differs");
}

#[test]
fn what_listens_but_is_no_process_of_the_run_is_told() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let foreign = listener.local_addr().expect("an address").to_string();
    let hosts = Hosts::of(vec![foreign, "127.0.0.1:1".to_string()]);
    let second = hosts.start(1, &GAME);
    let (mut stream, _) = listener.accept().expect("it connects");
    stream
        .write_all(b"SSH-2.0-OpenSSH\r\n")
        .expect("it listens");
    let second = end(second);
    assert_eq!(second.code, Some(2), "{}", second.err);
    assert_contains(&second.err, "not a process of this run");
}

#[test]
fn hosts_that_cannot_be_are_refused() {
    let hosts = |text: &str| Hosts::of(vec![text.to_string()]);
    let many: Vec<String> = (1..=60_000).map(|port: u32| port.to_string()).collect();
    for (hosts, process, why) in [
        (Hosts::of(many), 0, "line 501: more than 500 addresses"),
        (hosts("nowhere"), 0, "not an address"),
        (hosts("a:b:"), 0, "not an address"),
        (hosts("host:0"), 0, "not an address"),
        (hosts("host:70000"), 0, "not an address"),
        (hosts("4000\n4001\n127.0.0.1:4000"), 0, "twice"),
        (hosts("4000\n4001"), 2, "there is no process 2"),
        (hosts(""), 0, "there is no process 0"),
        (hosts("192.0.2.1:4000\n4001"), 0, "cannot listen"),
    ] {
        let refused = end(hosts.start(process, &GAME));
        assert_eq!(
            (refused.code, &*refused.out),
            (Some(2), ""),
            "{}",
            refused.err
        );
        assert_contains(&refused.err, why);
    }
    for arguments in [
        &["--hosts", "x"][..],
        &["--process", "0"],
        &["--processes", "0"],
        &["--processes", "65"],
        &["--processes", "2", "--dot", "x"],
        &["--processes", "2", "--disk", "x"],
        &["--processes", "2", "--solve", "--values", "x"],
    ] {
        let refused = run(&[&GAME[..3], arguments].concat());
        assert_eq!(
            (refused.code, &*refused.out),
            (Some(2), ""),
            "{}",
            refused.err
        );
    }
}

/// Returns the greeting that process 1 sends on its link, as it is sent to an address.
fn greeting_of_process_1(hosts: &Hosts) -> Vec<u8> {
    let listener = std::net::TcpListener::bind(&hosts.addresses[0]).expect("the port");
    let mut second = hosts.start(1, &GAME);
    let (mut stream, _) = listener.accept().expect("it connects");
    let mut head = [0; 25];
    stream.read_exact(&mut head).expect("its greeting");
    let length = u32::from_le_bytes(head[21..].try_into().expect("four bytes"));
    let mut body = vec![0; length as usize];
    stream.read_exact(&mut body).expect("its greeting");
    second.kill().expect("it runs");
    second.wait().expect("it ends");
    [&head[..], &body].concat()
}

/// Takes the place of process 1 with its greeting, and sends what `keeps` sends. Checks that the true process
/// gets its place, and why the false one loses it.
fn false_process_loses_its_place(keeps: impl Fn(&mut TcpStream) + Send + 'static, why: &str) {
    let hosts = Hosts::new(2);
    let greeting = greeting_of_process_1(&hosts);
    let first = hosts.start(0, &GAME);
    let begun = Instant::now();
    let mut stranger = loop {
        match TcpStream::connect(&hosts.addresses[0]) {
            Ok(stream) => break stream,
            Err(e) => assert!(begun.elapsed() < Duration::from_secs(60), "{e}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    stranger.write_all(&greeting).expect("it listens");
    let mut reply = [0; 35];
    stranger.read_exact(&mut reply).expect("a reply");
    assert!(reply.ends_with(b"[\"Welcome\""), "{reply:?}");
    let greeted = Instant::now();
    let stranger = std::thread::spawn(move || {
        keeps(&mut stranger);
        stranger
    });
    // The true one waits until the silent one has lost its place.
    let second = end(hosts.start(1, &GAME));
    assert_eq!((second.code, &*second.out), (Some(0), ""), "{}", second.err);
    let first = end(first);
    assert_eq!(first.code, Some(0), "{}", first.err);
    assert_contains(&first.err, why);
    let waited = greeted.elapsed();
    assert!(waited < Duration::from_secs(50), "{waited:?}");
    stranger.join().expect("no panic");
}

#[test]
fn a_silent_false_process_does_not_keep_the_true_one_out() {
    false_process_loses_its_place(|_| {}, "no heartbeat for 20 seconds");
}

#[test]
fn a_false_process_with_heartbeats_does_not_keep_the_true_one_out() {
    let beats = |stream: &mut TcpStream| {
        for _ in 0..40 {
            let _ = stream.write_all(b".");
            std::thread::sleep(Duration::from_secs(1));
        }
    };
    false_process_loses_its_place(beats, "no connection for messages within 20 seconds");
}

#[test]
fn a_process_without_the_secret_is_refused_and_the_run_goes_on() {
    let hosts = Hosts::new(2);
    let with = |secret: &str| {
        let line = format!("secret {secret}");
        Hosts::of([&[line][..], &hosts.addresses].concat())
    };
    let (known, guessed) = (with("blue whale"), with("blue wale"));
    let more = Hosts::of([&hosts.addresses[..], &["127.0.0.1:9".to_string()]].concat());
    let first = known.start(0, &GAME);
    for (stranger, game) in [
        (&hosts, &GAME[..]),
        (&guessed, &GAME),
        // What differs is not shown to strangers.
        (&hosts, &["bachelor"]),
        (&more, &GAME),
    ] {
        let refused = end(stranger.start(1, game));
        assert_eq!(
            (refused.code, &*refused.out),
            (Some(2), ""),
            "{}",
            refused.err
        );
        let why = "it does not know the secret of the run";
        assert_contains(&refused.err, why);
        assert!(!refused.err.contains("differs"), "{}", refused.err);
    }
    completed(&known, first);
}
