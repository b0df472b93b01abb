//! Streams of parts that several threads process in order.
//!
//! Each thread has a lane: one channel for parts and one for results. Parts go to the lanes in
//! turn, and results are taken from them in turn, so the order stays the same whichever thread is
//! faster. Threads share only the channels.

use super::team::spawn_helper;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};

/// The number of parts in a lane: the one being processed and the next, so that no thread has to
/// wait.
const AHEAD: usize = 2;

/// Runs `work` on `threads` threads for each part from `source`, and passes the results to `sink`
/// in the order of the parts. The caller's thread runs `source` and `sink`, and also `work` in
/// place of each thread that could not be started.
///
/// # Errors
/// The first error of `source` or `sink`, which ends the stream.
pub(crate) fn in_order<A: Send, B: Send, E>(
    threads: usize,
    mut source: impl FnMut() -> Result<Option<A>, E>,
    work: impl Fn(A) -> B + Sync,
    mut sink: impl FnMut(B) -> Result<(), E>,
) -> Result<(), E> {
    thread::scope(|scope| {
        let lanes: Vec<_> = (0..threads.max(1)).map(|_| Lane::open(scope, &work)).collect();
        let mut turns = lanes.iter().cycle();
        let mut under_way = VecDeque::<UnderWay<'_, B>>::new();
        while let (Some(part), Some(lane)) = (source()?, turns.next()) {
            if under_way.len() == AHEAD * lanes.len()
                && let Some(oldest) = under_way.pop_front()
            {
                sink(oldest.result())?;
            }
            under_way.push_back(match lane {
                Some(lane) => lane.take(part),
                None => UnderWay::Done(work(part)),
            });
        }
        under_way.into_iter().try_for_each(|oldest| sink(oldest.result()))
    })
}

struct Lane<A, B> {
    parts: Sender<A>,
    results: Receiver<B>,
}

enum UnderWay<'l, B> {
    Lane(&'l Receiver<B>),
    Done(B),
}

impl<A: Send, B: Send> Lane<A, B> {
    /// Starts a thread, which ends when the lane is dropped; `None` if the system refuses it.
    fn open<'scope>(
        scope: &'scope Scope<'scope, '_>,
        work: &'scope (impl Fn(A) -> B + Sync),
    ) -> Option<Lane<A, B>>
    where
        A: 'scope,
        B: 'scope,
    {
        let (parts, to_do) = channel();
        let (done, results) = channel();
        let run = move || {
            // If an error has ended the stream, the result has no receiver.
            let _ = to_do.into_iter().try_for_each(|part| done.send(work(part)));
        };
        spawn_helper(scope, run).then_some(Lane { parts, results })
    }

    fn take(&self, part: A) -> UnderWay<'_, B> {
        // If the thread has panicked, sending fails, and so does receiving the result.
        let _ = self.parts.send(part);
        UnderWay::Lane(&self.results)
    }
}

impl<B> UnderWay<'_, B> {
    fn result(self) -> B {
        match self {
            UnderWay::Done(result) => result,
            UnderWay::Lane(results) => results.recv().expect("the thread's panic is reported"),
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use super::*;
    use crate::threads::{UNTIL_REFUSED, WITHOUT_THREADS};
    use std::time::Duration;

    fn squares(threads: usize, count: u64) -> Vec<u64> {
        let (mut numbers, mut squares) = (0..count, Vec::new());
        let work = |number: u64| {
            // Later parts take less time.
            std::thread::sleep(Duration::from_micros((count - number) % 7 * 50));
            number * number
        };
        let source = || Ok::<_, ()>(numbers.next());
        let done = in_order(threads, source, work, |square| {
            squares.push(square);
            Ok(())
        });
        assert_eq!(done, Ok(()));
        squares
    }

    #[test]
    fn results_leave_as_parts_came() {
        for threads in [0, 1, 2, 5] {
            for count in [0, 1, 3, 100] {
                let expected: Vec<u64> = (0..count).map(|number| number * number).collect();
                assert_eq!(squares(threads, count), expected);
            }
        }
    }

    #[test]
    fn the_caller_works_for_threads_that_there_are_not() {
        let expected: Vec<u64> = (0..50).map(|number| number * number).collect();
        for refused in 0..3 {
            UNTIL_REFUSED.set(refused);
            assert_eq!(squares(3, 50), expected);
            assert_eq!(UNTIL_REFUSED.get(), u32::MAX - 2 + refused, "one was refused");
        }
        UNTIL_REFUSED.set(u32::MAX);
        WITHOUT_THREADS.set(true);
        assert_eq!(squares(3, 50), expected);
        WITHOUT_THREADS.set(false);
    }

    #[test]
    fn the_first_error_ends_it() {
        for threads in [1, 3] {
            let (mut numbers, mut taken) = (0.., 0);
            let source = || numbers.next().map(Some).ok_or("no more");
            let ended = in_order(
                threads,
                source,
                |number| number,
                |number| {
                    taken += 1;
                    if number < 20 { Ok(()) } else { Err("enough") }
                },
            );
            assert_eq!((ended, taken), (Err("enough"), 21));
            let mut numbers = 0..30;
            let source = || numbers.next().map(Some).ok_or("no more");
            assert_eq!(in_order(threads, source, |number| number, |_| Ok(())), Err("no more"));
        }
    }
}
