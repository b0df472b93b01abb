//! Tests matches: their games, openings and sequential tests.

mod record;

use self::record::TempFile;
use proofwood::{Budget, CancelToken, Config};
use proofwood_session::Trouble;
use proofwood_session::contest::{
    Contender, Contest, End, MatchResult, Openings, Record, Settings, Side, Sprt, Verified,
};
use proofwood_session::files::{Asked, Existing};
use proofwood_session::input::options::SearchOptions;
use proofwood_session::input::spec::find_game;
use serde_json::{Value, json};
use std::fs;

/// A match between contenders, each with 30 playouts for a move unless it sets its own limit.
#[derive(Clone, Copy)]
struct Match<'a> {
    game: &'a str,
    a: &'a str,
    b: &'a str,
    games: u64,
    jobs: usize,
    seed: u64,
    openings: Option<&'a str>,
    sprt: Option<&'a str>,
    record: &'a TempFile,
    resumes: bool,
}

impl<'a> Match<'a> {
    fn of(game: &'a str, games: u64, record: &'a TempFile) -> Match<'a> {
        let (openings, sprt, resumes) = (None, None, false);
        Match { game, a: "", b: "", games, jobs: 1, seed: 0, openings, sprt, record, resumes }
    }

    /// Plays the match and returns the result.
    fn play(self) -> Value {
        self.result().expect("it is played")
    }

    fn result(self) -> Result<Value, Trouble> {
        let (game, rules) = find_game(self.game)?;
        let base = Config::default().threads(1).memory(256 << 20);
        let config = SearchOptions::default().apply_to(Some(&game), base)?;
        let common = Contender { config, budget: Budget::default().playouts(30), reuse: true };
        let a = Contender::read("--a", self.a, &game, &common)?;
        let b = Contender::read("--b", self.b, &game, &common)?;
        let openings = match self.openings {
            Some(path) => Openings::read(path, &game, &*rules)?,
            None => Openings::Random(2),
        };
        let (seed, max_plies) = (self.seed, 2500);
        let settings = Settings { game, a: a.written(), b: b.written(), openings, seed, max_plies };
        let existing = if self.resumes { Existing::Continued } else { Existing::Replaced };
        let (option, path) = ("--record", &*self.record.path);
        let asked = Asked { option, path, existing, resumable: Some("games") };
        let mut record = Record::open(asked, &settings, &*rules, &Verified::default())?;
        let sprt = self.sprt.map(Sprt::read).transpose()?;
        let b = Side::Engine(&b);
        let contest = Contest { rules: &*rules, settings: &settings, a: &a, b, remote: None };
        let end = End { games: self.games, jobs: self.jobs, sprt };
        contest.run(&mut record, end, &CancelToken::new(), |_| ())?;
        record.games.sort_unstable_by_key(|game| game.number);
        let (players, games) = (rules.player_names(), &record.games);
        let result = MatchResult::new(&settings, players, games, sprt, self.games, None);
        Ok(serde_json::to_value(result).unwrap())
    }
}

#[test]
fn the_games_do_not_depend_on_the_number_of_jobs_or_runs() {
    let (one, many) = (TempFile::new("one"), TempFile::new("many"));
    let othello = |games, jobs, record| Match {
        a: "--c-pn 0.5 --playouts 200",
        b: "--preset uct --playouts 200",
        seed: 7,
        jobs,
        ..Match::of("othello:6", games, record)
    };
    let result = othello(8, 1, &one).play();
    othello(3, 4, &many).play();
    Match { resumes: true, ..othello(8, 4, &many) }.play();
    assert_eq!(one.games(), many.games());

    let games = one.games();
    let points: f64 = games.iter().map(|game| game["points"].as_f64().unwrap()).sum();
    assert_eq!(result["games"], 8);
    assert_eq!(result["win_rate"].as_f64().unwrap(), points / 8.0);
    let count = |key: &str| result[key].as_u64().unwrap();
    assert_eq!(count("wins") + count("draws") + count("losses"), 8);
    assert_eq!(result["finished"], true);
    // Each opening is played from both seats.
    for (first, second) in games.iter().step_by(2).zip(games.iter().skip(1).step_by(2)) {
        let opening = |game: &Value| {
            let moves = game["moves"].as_str().unwrap();
            moves.split(' ').take(2).map(str::to_string).collect::<Vec<_>>()
        };
        assert_eq!(opening(first), opening(second));
        assert_eq!((&first["a_seat"], &second["a_seat"]), (&json!(0), &json!(1)));
    }
    let openings: std::collections::HashSet<String> =
        games.iter().map(|game| game["moves"].as_str().unwrap()[..5].to_string()).collect();
    assert!(openings.len() > 1, "the openings are random");
}

#[test]
fn with_three_players_a_has_each_seat_in_turn() {
    let scratch = TempFile::new("three");
    let (a, b) = ("--playouts 300", "--playouts 1");
    let result = Match { a, b, ..Match::of("mnk:3,3,3,players=3", 12, &scratch) }.play();
    assert_eq!(result["players"], json!(["x", "o", "+"]));
    assert_eq!(result["elo"], Value::Null);
    assert!((result["even"].as_f64().unwrap() - 1.0 / 3.0).abs() < 1e-12);
    let games = scratch.games();
    let seats: Vec<u64> = games.iter().map(|game| game["a_seat"].as_u64().unwrap()).collect();
    assert_eq!(seats, [0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2]);
    for game in games {
        let payoffs: Vec<i64> =
            game["payoffs"].as_array().unwrap().iter().map(|p| p.as_i64().unwrap()).collect();
        let best = payoffs.iter().max();
        let winners = payoffs.iter().filter(|&p| Some(p) == best).count() as f64;
        let seat = game["a_seat"].as_u64().unwrap() as usize;
        let expected = if payoffs.get(seat) == best { 1.0 / winners } else { 0.0 };
        assert_eq!(game["points"].as_f64().unwrap(), expected);
    }
}

#[test]
fn a_test_ends_the_match_early_and_says_why() {
    let (one, four) = (TempFile::new("sprt1"), TempFile::new("sprt4"));
    let results = [(1, &one), (4, &four)].map(|(jobs, scratch)| {
        let (a, b, sprt) = ("--playouts 400", "--playouts 1", Some("0,200"));
        Match { a, b, jobs, sprt, ..Match::of("tic-tac-toe", 1000, scratch) }.play()
    });
    for result in &results {
        assert!(result["games"].as_u64().unwrap() < 200, "{result}");
        assert_eq!(result["finished"], true);
        assert_eq!(result["sprt"]["verdict"], "elo1");
    }
    // Games that ended later do not change the verdict.
    assert_eq!(results[0]["sprt"], results[1]["sprt"]);
    assert_eq!(results[0]["games"].as_u64().unwrap() as usize, one.games().len());
}

#[test]
fn openings_can_be_listed() {
    let (list, scratch) = (TempFile::new("list"), TempFile::new("listed"));
    fs::write(&list.path, "# two\n4433\n\n5566\n").unwrap();
    let openings = Some(list.path());
    let listed = Match { openings, ..Match::of("connect-four", 6, &scratch) };
    listed.play();
    let beginnings: Vec<String> = scratch
        .games()
        .iter()
        .map(|game| game["moves"].as_str().unwrap()[..7].to_string())
        .collect();
    let (first, second) = ("4 4 3 3", "5 5 6 6");
    assert_eq!(beginnings, [first, first, second, second, first, first]);
    fs::write(&list.path, "44\n99\n").unwrap();
    let failure = listed.result().unwrap_err();
    assert!(failure.to_string().contains("line 2"), "{failure}");

    let positions = TempFile::new("positions");
    fs::write(&positions.path, ".../.x./..o x\n").unwrap();
    let scratch = TempFile::new("from-position");
    let openings = Some(positions.path());
    Match { openings, ..Match::of("tic-tac-toe", 2, &scratch) }.play();
    assert_eq!(scratch.games()[0]["start"], ".../.x./..o x");
}
