//! Training in generations: in each, the engine plays games with its network, and the network is
//! then trained on them.

use crate::learn::{Adam, Gradient, Lesson, Loss, mean_loss};
use crate::self_play::{Teacher, Terms, play};
use proofwood::evaluate::DefaultRollout;
use proofwood::{Config, Rng, SearchError};
use proofwood_games::Planes;
use proofwood_nets::{ByNetwork, Network};
use std::collections::VecDeque;
use std::sync::Arc;
use std::thread;

/// The parameters of a training run.
///
/// A plan determines the network bit for bit, for any number of jobs and on any machine. A plan
/// with fewer generations gives the network that a longer plan has at that point.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The seed of all random numbers.
    pub seed: u64,
    /// The number of generations. The first one plays with random playouts, and each later one
    /// plays with the network trained so far.
    pub generations: u32,
    /// The number of games of each generation.
    pub games: u64,
    /// The number of playouts per move once there is a network.
    pub playouts: u64,
    /// The number of playouts per move in the first generation.
    pub first_playouts: u64,
    /// The maximum number of random moves before a game.
    pub random_moves: u32,
    /// The number of games that are played at the same time.
    pub jobs: usize,
}

/// The progress that a generation made.
#[derive(Clone, Debug)]
pub struct Generation {
    /// The generation's number, counted from 1.
    pub number: u32,
    /// The number of positions of the generation's games.
    pub positions: usize,
    /// The network's error on these positions before it was trained on them.
    pub before: Loss,
    /// The network's error on these positions after it was trained on them.
    pub after: Loss,
}

/// The number of most recent generations whose positions are used in training.
const WINDOW: usize = 8;
/// The number of positions of a training step.
const BATCH: usize = 256;
/// The mean number of times that a position is used in training, counted over all generations in
/// whose window it lies.
const PASSES: usize = 6;
/// The learning rates in the first generation, and from the sixteenth generation on.
const RATES: (f32, f32) = (2e-3, 1e-4);
/// The number of generations over which the learning rate falls from the first rate to the second.
const SLOWING: u32 = 15;

/// Trains a network for a game. Calls `tell` after each generation, and ends the training if `tell`
/// returns `false`.
///
/// # Errors
/// If a search fails.
pub fn train<G: Planes>(
    game: G,
    plan: &Plan,
    mut tell: impl FnMut(&Generation, &Network) -> bool,
) -> Result<Network, SearchError> {
    let game = Arc::new(game);
    let mut network = Network::drawn(game.board(), game.inputs(), game.outputs(), plan.seed);
    let (mut adam, mut gradient) = (Adam::of(&network), Gradient::of(&network));
    let images = Images::of(&*game);
    let mut window: VecDeque<Vec<Lesson>> = VecDeque::new();
    let mut rng = Rng::new(!plan.seed);
    for number in 1..=plan.generations {
        let first = number == 1;
        let teacher = if first {
            Teacher::Playouts(DefaultRollout::of(&Config::default()))
        } else {
            let evaluator = ByNetwork::new(network.clone(), &*game);
            Teacher::Network(evaluator.expect("it was made for this game"))
        };
        let playouts = if first { plan.first_playouts } else { plan.playouts };
        let terms = Terms { playouts, random_moves: plan.random_moves };
        let lessons = play_all(&game, &teacher, terms, plan, number)?;
        let before = mean_loss(&network, &lessons);
        let positions = lessons.len();
        if window.len() == WINDOW {
            window.pop_front();
        }
        window.push_back(lessons);
        let all: Vec<&Lesson> = window.iter().flatten().collect();
        let steps = PASSES * positions / BATCH;
        let rate = rate(number);
        for _ in 0..steps {
            for _ in 0..BATCH {
                let lesson = all[rng.below(all.len() as u32) as usize];
                let image = rng.below(game.images() as u32) as usize;
                gradient.add(&network, &images.of_lesson(lesson, image));
            }
            adam.step(&mut network, &mut gradient, BATCH, rate);
        }
        let newest = window.back().map_or(&[][..], Vec::as_slice);
        let after = mean_loss(&network, newest);
        if !tell(&Generation { number, positions, before, after }, &network) {
            break;
        }
    }
    Ok(network)
}

/// The learning rate of a generation, counted from 1.
fn rate(generation: u32) -> f32 {
    let progress = (generation - 1).min(SLOWING) as f32 / SLOWING as f32;
    RATES.0 * libm::powf(RATES.1 / RATES.0, progress)
}

/// The training examples of some games, each with the game's number.
type Numbered = Vec<(u64, Vec<Lesson>)>;

/// Plays the games of a generation; returns their examples in the order of the games' numbers.
fn play_all<G: Planes>(
    game: &Arc<G>,
    teacher: &Teacher,
    terms: Terms,
    plan: &Plan,
    generation: u32,
) -> Result<Vec<Lesson>, SearchError> {
    let seed = |number: u64| {
        let stream = u64::from(generation) << 32 | number;
        Rng::new(plan.seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15)).next_u64()
    };
    let jobs = plan.jobs.max(1) as u64;
    let played: Vec<Result<Numbered, SearchError>> = thread::scope(|scope| {
        let job = |first: u64| {
            let numbers = (first..plan.games).step_by(jobs as usize);
            numbers.map(|number| Ok((number, play(game, teacher, terms, seed(number))?))).collect()
        };
        let others: Vec<_> = (1..jobs).map(|first| scope.spawn(move || job(first))).collect();
        let mut played = vec![job(0)];
        for other in others {
            match other.join() {
                Ok(games) => played.push(games),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        played
    });
    let mut games = Vec::new();
    for some in played {
        games.extend(some?);
    }
    games.sort_by_key(|&(number, _)| number);
    Ok(games.into_iter().flat_map(|(_, lessons)| lessons).collect())
}

/// For each symmetry of the board, the permutations of the inputs and of the outputs.
struct Images {
    inputs: Vec<Vec<u16>>,
    outputs: Vec<Vec<u16>>,
}

impl Images {
    fn of<G: Planes>(game: &G) -> Images {
        let table = |count: usize, to: &dyn Fn(usize, usize) -> usize| {
            let image = |image| (0..count).map(|place| to(image, place) as u16).collect();
            (0..game.images()).map(image).collect()
        };
        Images {
            inputs: table(game.inputs(), &|image, input| game.input_of_image(image, input)),
            outputs: table(game.outputs(), &|image, output| game.output_of_image(image, output)),
        }
    }

    fn of_lesson(&self, lesson: &Lesson, image: usize) -> Lesson {
        let (inputs, outputs) = (&self.inputs[image], &self.outputs[image]);
        let policy = lesson.policy.iter();
        Lesson {
            inputs: lesson.inputs.iter().map(|&input| inputs[usize::from(input)]).collect(),
            policy: policy.map(|&(output, share)| (outputs[usize::from(output)], share)).collect(),
            value: lesson.value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofwood_games::ConnectFour;

    fn plan() -> Plan {
        Plan {
            seed: 1,
            generations: 2,
            games: 60,
            playouts: 30,
            first_playouts: 60,
            random_moves: 4,
            jobs: 1,
        }
    }

    fn game() -> ConnectFour {
        ConnectFour::new(4, 4, 3).expect("a board")
    }

    #[test]
    fn a_plan_gives_the_same_network_whatever_the_jobs() {
        let trained = |jobs| train(game(), &Plan { jobs, ..plan() }, |_, _| true).unwrap();
        let network = trained(1);
        assert_eq!(network, trained(3));
        let other = Plan { seed: 2, ..plan() };
        assert_ne!(network, train(game(), &other, |_, _| true).unwrap());
    }

    #[test]
    fn rates_fall_to_a_twentieth() {
        assert!((1..16).all(|generation| rate(generation + 1) < rate(generation)));
        assert_eq!((rate(1), rate(40)), (RATES.0, rate(16)));
        assert!((rate(16) / RATES.1 - 1.0).abs() < 1e-5);
    }

    #[test]
    fn what_is_learnt_is_less_wrong() {
        let mut losses = Vec::new();
        let plan = Plan { generations: 3, ..plan() };
        train(game(), &plan, |generation, _| {
            losses.push((generation.before, generation.after));
            generation.number < 2
        })
        .unwrap();
        assert_eq!(losses.len(), 2, "it ends when it is told to");
        for (before, after) in losses {
            assert!(after.value < before.value && after.policy < before.policy);
        }
    }
}
