//! Tests of moves that are tried at leaves before the leaves have children.

use proofwood::evaluate::{Context, DefaultRollout, Evaluator, NoValue, Rollout};
use proofwood::options::Bias;
use proofwood::{Budget, Config, Game, Report, Search};
use proofwood_games::ConnectFour;

/// An evaluator that runs a default rollout.
struct Asks(DefaultRollout);

impl<G: Game> Evaluator<G> for Asks {
    fn evaluate(
        &self,
        state: &mut G::State,
        context: &mut Context<'_, G>,
        values: &mut [f32],
    ) -> Result<(), NoValue> {
        self.0.rollout(state, context, values)
    }
}

/// With an evaluator a leaf gets children at its second visit, whereas a search with playouts and
/// without proof numbers first tries a move. The playouts must be the same.
#[test]
fn a_move_that_is_tried_before_there_are_children_changes_no_visit() {
    let game = ConnectFour::default();
    let start = game.initial_state();
    for (seed, bias) in [(1, Bias::Max), (2, Bias::None), (3, Bias::Max)] {
        let config = Config::default().threads(1).seed(seed).memory(64 << 20).bias(bias);
        // Set explicitly, since by default leaves expand later in a tree with more nodes.
        let config = config.expand_after(1);
        let config = if bias == Bias::None { config.c_pn(1.0) } else { config };
        let budget = Budget::default().playouts(20_000);
        let mut search = Search::new(game.clone(), start, config.clone().audit(true)).unwrap();
        let tried = search.search(&budget).expect("an answer");
        search.audit().expect("a sound tree");
        let evaluator = Asks(DefaultRollout::of(&config));
        let mut search = Search::with_evaluator(game.clone(), start, config, evaluator).unwrap();
        let made = search.search(&budget).expect("an answer");
        let moves = |report: &Report<ConnectFour>| {
            let moves = report.moves.iter();
            moves.map(|mv| (mv.visits, mv.mean)).collect::<Vec<_>>()
        };
        assert_eq!(moves(&tried), moves(&made), "seed {seed}");
        // The tree lacks only nodes without visits.
        assert!(tried.nodes * 4 < made.nodes * 3, "{} and {} nodes", tried.nodes, made.nodes);
    }
}
