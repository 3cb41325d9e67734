//! Who does not belong to a run is refused with a message, and the run goes on without him.

use crate::run::{Hosts, Run, assert_contains, end, run};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Child;
use std::time::{Duration, Instant};

const GAME: [&str; 3] = ["triple-check", "--fen", "kq2/4/4/2QK w - - 0 1"];

/// What a process sends first, and the length of its greeting.
const GREETING: &[u8] = b"fairyproof workers 5\n";
const GREETING_BYTES: usize = GREETING.len() + 20;

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
    say(
        &hosts.addresses[0],
        b"fairyproof workers 4\n\xff\xff\xff\xff",
    );
    let forged = [GREETING, &[1; 20], &[0; 1 << 10]].concat();
    assert!(say(&hosts.addresses[0], &forged).len() > GREETING_BYTES);

    let more = Hosts::of([&hosts.addresses[..], &["127.0.0.1:9".to_string()]].concat());
    for (hosts, arguments, why) in [
        (&hosts, &["bachelor"][..], "the variant differs"),
        (&hosts, &["triple-check"], "the position differs"),
        (&more, &GAME, "the hosts file differs"),
        (
            &hosts,
            &[&GAME[..], &["--count", "true"]].concat(),
            "the question differs",
        ),
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
    let foreign = first.err.matches("the peer is not a fairyproof process");
    assert_eq!(foreign.count(), 2, "{}", first.err);
    assert_contains(&first.err, "it does not know the secret of the run");
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
        &["--processes", "2", "--solve"],
    ] {
        let refused = run(&[&GAME[..], arguments].concat());
        assert_eq!(
            (refused.code, &*refused.out),
            (Some(2), ""),
            "{}",
            refused.err
        );
    }
}

/// Connects to an address as soon as a process listens there.
fn connected(address: &str) -> TcpStream {
    let until = Instant::now() + Duration::from_secs(60);
    loop {
        match TcpStream::connect(address) {
            Ok(stream) => return stream,
            Err(e) => assert!(Instant::now() < until, "{e}"),
        }
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn strangers_that_wait_do_not_keep_the_true_process_out() {
    let hosts = Hosts::new(2);
    let first = hosts.start(0, &GAME);
    let sent = [&b""[..], &GREETING[..5], &[GREETING, &[1; 20]].concat()];
    let strangers = sent.map(|sent| {
        let mut stranger = connected(&hosts.addresses[0]);
        stranger.write_all(sent).expect("it listens");
        stranger
    });
    // Their time is over while the first process waits.
    std::thread::sleep(Duration::from_secs(5));
    let first = completed(&hosts, first);
    let late = first.err.matches("no greeting within 3 seconds");
    assert_eq!(late.count(), strangers.len(), "{}", first.err);
}

/// What a process has sent to one run does not admit a stranger to another, although both have the same terms.
#[test]
fn a_recorded_greeting_is_refused() {
    let hosts = Hosts::new(2);
    let listener = std::net::TcpListener::bind(&hosts.addresses[0]).expect("the port");
    let mut second = hosts.start(1, &GAME);
    let (mut stream, _) = listener.accept().expect("it connects");
    let mut recorded = vec![0; GREETING_BYTES];
    stream.read_exact(&mut recorded).expect("its greeting");
    stream
        .write_all(&[GREETING, &[0; 20]].concat())
        .expect("it listens");
    // The proofs come at once; how many there are is its affair.
    stream
        .set_read_timeout(Some(Duration::from_secs(2)))
        .expect("a socket");
    let mut proofs = vec![0; 1 << 12];
    let n = stream.read(&mut proofs).expect("its proofs");
    assert!(n >= 64, "{n}");
    recorded.extend(&proofs[..n]);
    second.kill().expect("it runs");
    second.wait().expect("it ends");
    drop((stream, listener));
    let first = hosts.start(0, &GAME);
    let mut stranger = connected(&hosts.addresses[0]);
    stranger.write_all(&recorded).expect("it listens");
    let first = completed(&hosts, first);
    assert_contains(&first.err, "it does not know the secret of the run");
    drop(stranger);
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
