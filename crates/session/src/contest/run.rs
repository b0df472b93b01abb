//! Plays the games of a contest, several at a time.

use super::contender::Contender;
use super::game::{self, GameTerms, Played, points};
use super::games::{GameRecord, Settings, Side, Spent, seating};
use super::record::{Record, Records};
use super::remote::{Games, GamesOrder, RemoteGames};
use super::sprt::{Sprt, Verdict};
use super::standing::Standing;
use super::verify;
use crate::Trouble;
use crate::input::solver::check_names_no_file;
use proofwood::CancelToken;
use proofwood_any_game::Rules;
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// A contest between two players.
pub struct Contest<'a> {
    /// The rules of the game.
    pub rules: &'a dyn Rules,
    /// The settings, which determine the games.
    pub settings: &'a Settings,
    /// The first contender.
    pub a: &'a Contender,
    /// The player of the other seats.
    pub b: Side<'a>,
    /// The remote machines that play the games; `None` to play them on this machine.
    pub remote: Option<&'a dyn RemoteGames>,
}

/// The minimum number of games requested from other machines at a time. If a test ends early, games
/// requested beyond its end are discarded.
const ASKED_AT_A_TIME: usize = 32;

/// The conditions that end a contest, and the number of parallel games.
#[derive(Clone, Copy, Debug)]
pub struct End {
    /// The number of the last game.
    pub games: u64,
    /// The number of games played in parallel.
    pub jobs: usize,
    /// A test that may end the contest early.
    pub sprt: Option<Sprt>,
}

impl Contest<'_> {
    /// Plays the games missing from the record and adds them to it. Calls `watch` with the record
    /// after every game. A cancelled contest is not an error; games in progress are abandoned.
    pub fn run(
        &self,
        record: &mut Record,
        end: End,
        cancel: &CancelToken,
        mut watch: impl FnMut(&Record),
    ) -> Result<(), Trouble> {
        let played: HashSet<u64> = record.games.iter().map(|game| game.number).collect();
        let missing = (1..=end.games).filter(|number| !played.contains(number));
        // Relaxed: the flag guards no other data.
        let enough = AtomicBool::new(is_decided(end.sprt, record));
        self.play_all(missing, end.jobs, cancel, &enough, |game| {
            record.add(game)?;
            watch(record);
            enough.fetch_or(is_decided(end.sprt, record), Ordering::Relaxed);
            Ok(())
        })
    }

    /// Plays games without recording them, and returns the standing.
    pub fn standing(&self, end: End, cancel: &CancelToken) -> Result<Standing, Trouble> {
        let (mut standing, enough) = (Standing::default(), AtomicBool::new(false));
        self.play_all(1..=end.games, end.jobs, cancel, &enough, |game| {
            standing.add(game.points);
            Ok(())
        })?;
        Ok(standing)
    }

    /// Plays the games with these numbers until `enough` is set, and calls `take` with each record
    /// on the calling thread.
    fn play_all(
        &self,
        numbers: impl Iterator<Item = u64> + Send,
        jobs: usize,
        cancel: &CancelToken,
        enough: &AtomicBool,
        mut take: impl FnMut(GameRecord) -> Result<(), Trouble>,
    ) -> Result<(), Trouble> {
        let games = self.remote.map(|remote| remote.begin(self.order()?)).transpose()?;
        let games = games.as_deref();
        let jobs = if games.is_some() { jobs.max(ASKED_AT_A_TIME) } else { jobs };
        let missing = Mutex::new(numbers);
        let (sender, finished) = mpsc::channel();
        thread::scope(|scope| {
            for _ in 0..jobs {
                let sender = sender.clone();
                scope.spawn(|| {
                    let sender = sender;
                    while !enough.load(Ordering::Relaxed) && !cancel.is_cancelled() {
                        let next = missing.lock().unwrap_or_else(PoisonError::into_inner).next();
                        let Some(number) = next else { break };
                        let game = match games {
                            Some(games) => self.collect(games, number, cancel),
                            None => self.play(number, cancel),
                        };
                        if game.is_err() {
                            enough.store(true, Ordering::Relaxed);
                        }
                        let Some(game) = game.transpose() else { break };
                        if sender.send(game).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut result = Ok(());
            for game in finished {
                if let Err(failure) = game.and_then(&mut take) {
                    enough.store(true, Ordering::Relaxed);
                    result = result.and(Err(failure));
                }
            }
            result
        })?;
        match games {
            // A cancelled contest stays on the server, to be resumed.
            Some(games) if !cancel.is_cancelled() => games.end(),
            _ => Ok(()),
        }
    }

    fn order(&self) -> Result<GamesOrder, Trouble> {
        let Side::Engine(b) = self.b else {
            let what = "--on: another program can only play on this machine; leave out --opponent";
            return Err(Trouble::Input(what.into()));
        };
        for (name, side) in [("--a", self.a), ("--b", b)] {
            check_names_no_file(Some(&side.config.leaves))
                .map_err(|failure| failure.about(name))?;
        }
        let settings = self.settings.clone();
        Ok(GamesOrder { settings, a: self.a.order(), b: b.order() })
    }

    /// Requests a game from another machine and verifies its record. A record that cannot be from
    /// this contest is rejected and requested again.
    fn collect(
        &self,
        games: &dyn Games,
        number: u64,
        cancel: &CancelToken,
    ) -> Result<Option<GameRecord>, Trouble> {
        loop {
            let Some(game) = games.play(number, cancel)? else { return Ok(None) };
            let checked = match game.number == number {
                true => verify::played(&game, self.settings, self.rules)
                    .and_then(|()| verify::opened(&game, self.settings, self.rules)),
                false => Err(format!("the record is for game {}", game.number)),
            };
            match checked {
                Ok(()) => return Ok(Some(game)),
                Err(why) => games.throw_out(number, &why)?,
            }
        }
    }

    /// Plays the games up to `end.games` that this record lacks, and returns the standing.
    pub fn resume(
        &self,
        records: &Records,
        name: &str,
        end: End,
        cancel: &CancelToken,
    ) -> Result<Standing, Trouble> {
        records.resume(name, self.settings, self.rules, |record| {
            self.run(record, end, cancel, |_| {})?;
            Ok(Standing::of(record.games.iter().filter(|game| game.number <= end.games)))
        })
    }

    /// Plays the game with this number; returns `None` if it was cancelled.
    pub fn play(&self, number: u64, cancel: &CancelToken) -> Result<Option<GameRecord>, Trouble> {
        let Settings { openings, seed, max_plies, .. } = self.settings;
        let players = self.rules.players();
        // Each opening is played once with A in each seat.
        let (round, a_seat) = seating(number, players);
        let opening = openings.find(self.rules, *seed, round)?;
        let (start, opening_plies) = (opening.start.clone(), opening.moves.len());
        let a = Side::Engine(self.a);
        let seats: Vec<Side<'_>> =
            (0..players).map(|seat| if seat == a_seat { a } else { self.b }).collect();
        let terms =
            GameTerms { rules: self.rules, number, seed: *seed, max_plies: *max_plies, cancel };
        let Some(played) = game::play(opening, &seats, &terms)? else { return Ok(None) };
        let Played { moves, payoffs, spent, forfeit } = played;
        let mut others = Spent::default();
        for (_, one) in spent.iter().enumerate().filter(|&(seat, _)| seat != a_seat) {
            others.add(one);
        }
        Ok(Some(GameRecord {
            number,
            a_seat,
            start,
            opening_plies,
            plies: moves.len(),
            moves: moves.join(" "),
            points: match forfeit {
                Some(_) => 1.0,
                None => points(payoffs.as_deref(), players, a_seat),
            },
            forfeit,
            payoffs,
            a: spent[a_seat],
            b: others,
        }))
    }
}

/// Returns whether the test has reached a decision. The test considers the games in the order of
/// their numbers, up to the first missing one. Otherwise long games would count less because they
/// end later, and the result would depend on the number of jobs.
fn is_decided(sprt: Option<Sprt>, record: &Record) -> bool {
    sprt.is_some_and(|sprt| decision(&sprt, &record.games).1 != Verdict::Open)
}

/// Returns the verdict of the test and the standing on which it is based: the standing that decided
/// the test, or else that of all games considered so far.
pub(super) fn decision(sprt: &Sprt, games: &[GameRecord]) -> (Standing, Verdict) {
    let mut ordered: Vec<&GameRecord> = games.iter().collect();
    ordered.sort_unstable_by_key(|game| game.number);
    let mut standing = Standing::default();
    for (expected, game) in (1..).zip(ordered) {
        if game.number != expected {
            break;
        }
        standing.add(game.points);
        let verdict = sprt.verdict(&standing);
        if verdict != Verdict::Open {
            return (standing, verdict);
        }
    }
    (standing, Verdict::Open)
}
