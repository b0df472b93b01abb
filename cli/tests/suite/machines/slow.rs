//! A slow network: all messages to and from the server are delayed.
//!
//! A relay in this test delays each piece of a stream by 5 ms, and 1 % of the pieces by 200 ms, as
//! TCP does when a lost packet is sent again after the shortest timeout. It drops nothing itself,
//! since a stream has no gaps.

use super::{Process, Server, without_times};
use crate::common::{self, documents};
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep_until};

/// The delay in one direction.
const WAY: Duration = Duration::from_millis(5);
/// The delay of a lost packet.
const LOST: Duration = Duration::from_millis(200);
/// One in this many pieces is lost.
const ONE_IN: u64 = 100;

/// Forwards a stream with delays, in order.
async fn relay(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    seed: u64,
) {
    let (pieces, mut waiting) = tokio::sync::mpsc::unbounded_channel::<(Instant, Vec<u8>)>();
    tokio::spawn(async move {
        while let Some((when, piece)) = waiting.recv().await {
            sleep_until(when).await;
            if to.write_all(&piece).await.is_err() {
                return;
            }
        }
    });
    let (mut buffer, mut number) = ([0; 1400], seed);
    loop {
        let Ok(read @ 1..) = from.read(&mut buffer).await else { return };
        number += 1;
        let is_lost = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32 < (1 << 32) / ONE_IN;
        let late = if is_lost { WAY + LOST } else { WAY };
        if pieces.send((Instant::now() + late, buffer[..read].to_vec())).is_err() {
            return;
        }
    }
}

/// Starts relays to a server; returns their port.
fn far_away(port: u16) -> u16 {
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            tell.send(listener.local_addr().unwrap().port()).unwrap();
            for number in 0.. {
                let (near, _) = listener.accept().await.unwrap();
                let far = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                near.set_nodelay(true).unwrap();
                far.set_nodelay(true).unwrap();
                let ((near_in, near_out), (far_in, far_out)) =
                    (near.into_split(), far.into_split());
                tokio::spawn(relay(near_in, far_out, number * 7919));
                tokio::spawn(relay(far_in, near_out, number * 104_729));
            }
        });
    });
    told.recv().unwrap()
}

#[test]
fn machines_that_are_far_away_find_the_same() {
    let Some(server) = Server::start("far") else { return };
    let far = format!("nats://127.0.0.1:{}", far_away(server.port));
    let options = "--algorithm dfpn --threads 1 --nodes 20000";
    let alone = server.alone(options);
    let workers = ["one", "two", "three"]
        .map(|name| Process::start(&format!("work --connect {far} --name {name} --threads 1")));
    let asks = server.solve("results.jsonl", &format!("{options} --on {far}"));
    let (status, errors) = Process::start_in(&asks, Stdio::null(), Stdio::piped()).end();
    assert_eq!(status, Some(2), "{errors}");
    assert_eq!(server.results("results.jsonl"), alone);
    let solve = "solve connect-four:4x4 --algorithm dfpn --tt 16M --goal win --json";
    let mut one = common::json(solve);
    let asking = Process::start_in(&format!("{solve} --on {far}"), Stdio::piped(), Stdio::piped());
    let (status, out, errors) = asking.end_with_output();
    assert_eq!(status, Some(0), "{errors}");
    let mut many = documents(&out).remove(0);
    [&mut one, &mut many].into_iter().for_each(without_times);
    assert_eq!((&many["proven"], &many["solved"]), (&one["proven"], &one["solved"]));
    server.is_clean();
    drop(workers);
}
