//! Measures playouts per second, their cost relative to playouts without a tree, and memory.

use crate::Failure;
use crate::child::{Played, Sample, Sampled};
use crate::engines::Engine;
use crate::table::grid;
use clap::ValueEnum;
use proofwood_measure::{median, spread};

#[derive(clap::Args, Debug)]
pub(crate) struct Speed {
    /// Games to measure [default: all]
    #[arg(value_enum)]
    games: Vec<Played>,
    /// Number of playouts per search
    #[arg(long, default_value_t = 200_000, value_parser = clap::value_parser!(u64).range(1000..=1_000_000_000))]
    playouts: u64,
    /// Number of rounds in which everything is measured
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=1000))]
    rounds: u64,
    /// Numbers of threads to measure
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_values_t = [1, 2])]
    threads: Vec<usize>,
}

struct Case {
    engine: Engine,
    threads: usize,
    rounds: Vec<Sampled>,
    allocations: Option<u64>,
}

impl Speed {
    pub(crate) fn run(self) -> Result<(), Failure> {
        let games = if self.games.is_empty() { Played::value_variants() } else { &self.games };
        for &game in games {
            let cases = self.measure(game)?;
            println!("{}", self.table(game, &cases));
        }
        println!(
            "cost: processor time of a playout, in playouts without a tree on as many threads;\n\
             B/playout: what a search added to the peak of its process's memory"
        );
        Ok(())
    }

    fn measure(&self, game: Played) -> Result<Vec<Case>, Failure> {
        let mut cases = Vec::new();
        for engine in Engine::SEARCHERS {
            for &threads in self.threads.iter().filter(|&&n| n == 1 || engine.has_threads()) {
                let counted = Sample::of(engine, game, self.playouts, threads, true)?;
                let allocations = counted.allocations;
                cases.push(Case { engine, threads, rounds: Vec::new(), allocations });
            }
        }
        for _ in 0..self.rounds {
            for case in &mut cases {
                let Case { engine, threads, .. } = *case;
                case.rounds.push(Sample::of(engine, game, self.playouts, threads, false)?);
            }
        }
        Ok(cases)
    }

    fn table(&self, game: Played, cases: &[Case]) -> String {
        let rate = |rate: f64| format!("{:.0} k", rate / 1e3);
        let mut rows = Vec::new();
        for &threads in &self.threads {
            let cases = cases.iter().filter(|case| case.threads == threads);
            let rates =
                || cases.clone().flat_map(|case| &case.rounds).map(|sampled| sampled.bare.rate());
            let mut row = vec!["no tree".to_string(), threads.to_string(), rate(median(rates()))];
            row.extend([percent(spread(rates())), "1.00".into()]);
            row.extend(["", "", "0"].map(String::from));
            rows.push(row);
        }
        for case in cases {
            let of = |figure: fn(&Sampled) -> f64| median(case.rounds.iter().map(figure));
            let single = cases.iter().find(|one| one.engine == case.engine && one.threads == 1);
            let speed_up = single.map(|one| {
                let both = case.rounds.iter().zip(&one.rounds);
                median(both.map(|(many, one)| many.tree.rate() / one.tree.rate()))
            });
            let bytes: Option<Vec<u64>> = case.rounds.iter().map(|round| round.bytes).collect();
            let bytes = bytes.map(|bytes| median(bytes.iter().map(|&bytes| bytes as f64)));
            let each = |total: f64| total / self.playouts as f64;
            rows.push(vec![
                case.engine.title().to_string(),
                case.threads.to_string(),
                rate(of(|round| round.tree.rate())),
                percent(spread(case.rounds.iter().map(|round| round.tree.rate()))),
                format!("{:.2}", of(|round| round.tree.cost(&round.bare))),
                speed_up.map_or_else(String::new, |ratio| format!("{ratio:.2}")),
                bytes.map_or_else(|| "n/a".into(), |bytes| format!("{:.0}", each(bytes))),
                case.allocations.map_or_else(String::new, |n| format!("{:.3}", each(n as f64))),
            ]);
        }
        let header = [
            game.name(),
            "threads",
            "playouts/s",
            "±",
            "cost",
            "speed-up",
            "B/playout",
            "allocations/playout",
        ];
        grid(&header, 1, rows)
            + &format!("{} playouts a search, {} rounds\n", self.playouts, self.rounds)
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}
