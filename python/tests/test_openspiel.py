"""OpenSpiel's games searched and solved, with its own minimax as judge; the engine as its bot."""

import pickle
from typing import Any

import pytest

import proofwood as pw

pyspiel = pytest.importorskip("pyspiel")

from proofwood.openspiel import Bot, SpielGame, native_position  # noqa: E402

PIG = "pig(players=2,horizon=8,winscore=3,diceoutcomes=3)"
SMALL = ["connect_four(rows=4,columns=3,x_in_row=3)", "breakthrough(rows=4,columns=3)",
         "tic_tac_toe"]


def minimax(state: Any, known: dict[str, float]) -> float:
    """Player 0's payoff under best play, by OpenSpiel's rules alone."""
    if state.is_terminal():
        value: float = state.returns()[0]
        return value
    text = str(state)
    if text not in known:
        values = [minimax(state.child(action), known) for action in state.legal_actions()]
        known[text] = max(values) if state.current_player() == 0 else min(values)
    return known[text]


def expectimax(state: Any) -> float:
    """Player 0's expected payoff in games with chance. Transpositions are not recognised: pig's
    text omits the number of turns left."""
    if state.is_terminal():
        value: float = state.returns()[0]
        return value
    if state.is_chance_node():
        mean = 0.0
        for outcome, chance in state.chance_outcomes():
            mean += chance * expectimax(state.child(outcome))
        return mean
    values = [expectimax(state.child(action)) for action in state.legal_actions()]
    return max(values) if state.current_player() == 0 else min(values)


@pytest.mark.parametrize("name", SMALL)
def test_values_are_those_of_minimax(name: str) -> None:
    game = SpielGame(name, key=str)
    value = minimax(game.initial_state(), {})
    for threads, algorithm in [(1, "auto"), (2, "dfpn"), (1, "gpn")]:
        r = pw.solve(pw.position(game), algorithm=algorithm, threads=threads)  # type: ignore[arg-type]
        assert r.bounds == (value, value), algorithm
    pw.check_rules(game, games=5)


def test_openspiels_own_search_agrees() -> None:
    search = pytest.importorskip("open_spiel.python.algorithms.minimax")
    game = pyspiel.load_game("breakthrough(rows=4,columns=3)")
    value, _ = search.alpha_beta_search(game, maximum_depth=1000)
    assert pw.solve(pw.position(SpielGame(game, key=str)), threads=1).bounds == (value, value)


def test_dice_are_those_of_expectimax() -> None:
    game = SpielGame(PIG)
    value = expectimax(game.initial_state())
    other = pytest.importorskip("open_spiel.python.algorithms.minimax")
    found, _ = other.expectiminimax(game.initial_state(), 100, None, 0)
    assert value == pytest.approx(found)
    r = pw.solve(pw.position(game), threads=1, memory="256M", time=120)
    assert isinstance(r, pw.SearchResult) and r.solved and r.expected is not None
    assert r.expected.lower is not None and r.expected.upper is not None
    assert r.expected.lower - 1e-6 <= value <= r.expected.upper + 1e-6
    assert r.expected.upper - r.expected.lower < 1e-6


def guaranteed(state: Any, player: int) -> float:
    """The payoff that a player can force against all others together, and the dice."""
    if state.is_terminal():
        value: float = state.returns()[player]
        return value
    values = [guaranteed(state.child(action), player) for action in state.legal_actions()]
    return max(values) if state.current_player() == player else min(values)


def test_three_players_are_proven_as_guarantees() -> None:
    # Two points are enough, and in some positions no play can prevent them.
    game = SpielGame("pig(players=3,horizon=6,winscore=2,diceoutcomes=2)", scale=2)
    seen = set()
    p = pw.position(game)
    while not p.is_over:
        if not p.is_chance:
            value = 2 * guaranteed(p.state, p.to_move or 0)
            for algorithm in ("auto", "pns"):
                r = pw.solve(p, algorithm=algorithm, goal="score", threads=1)
                assert r.bounds == (value, value)
            seen.add(value)
        p = p.play(p.legal_moves[-1] if p.is_chance else p.legal_moves[0])
    assert seen


def test_three_players() -> None:
    with pytest.raises(ValueError, match="give SpielGame a larger scale"):
        pw.search(pw.position(SpielGame("pig(players=3,winscore=5)")), playouts=100, threads=1)
    game = SpielGame("pig(players=3,horizon=30,winscore=6,diceoutcomes=3)", scale=2)
    r = pw.search(pw.position(game), playouts=300, threads=2, goal="score", memory="64M")
    assert len(r.proof_numbers) == 3 and r.best_move is not None
    r = pw.search(pw.position(SpielGame("chinese_checkers(players=3)")), playouts=3, threads=1,
                  playout_cap=10, memory="64M")
    assert r.best_move is not None and len(r.players) == 3


def test_every_pair_of_rules_agrees_on_games_played_at_random() -> None:
    import random

    for name in ("connect_four", "tic_tac_toe", "breakthrough(rows=6,columns=5)"):
        draw = random.Random(name)
        state = pyspiel.load_game(name).new_initial_state()
        while not state.is_terminal():
            found = native_position(state)
            assert found is not None, f"{name}: {state}"
            state.apply_action(draw.choice(state.legal_actions()))
    assert native_position(pyspiel.load_game("othello").new_initial_state()) is None


def test_games_of_other_kinds_are_refused() -> None:
    for name in ("kuhn_poker", "matrix_rps"):
        with pytest.raises(ValueError, match="perfect information|simultaneously"):
            SpielGame(name)


def test_games_are_pickled_by_name() -> None:
    game = SpielGame("tic_tac_toe", key=str)
    p = pw.position(game, "4 0 8")
    again = pickle.loads(pickle.dumps(p))
    assert again == p and str(again.state) == str(p.state) and again.board == p.board


@pytest.mark.parametrize("name", ["tic_tac_toe", "othello", PIG])
@pytest.mark.parametrize("native", [True, False])
def test_the_bot_plays_whole_games(name: str, native: bool) -> None:
    game = pyspiel.load_game(name)
    bots = [Bot(game, 0, playouts=30, threads=1, memory="64M", native=native),
            pyspiel.make_uniform_random_bot(1, 7)]
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
            continue
        player = state.current_player()
        action = bots[player].step(state)
        assert action in state.legal_actions()
        bots[1 - player].inform_action(state, player, action)
        state.apply_action(action)


def test_the_bot_tells_its_policy_and_begins_anywhere() -> None:
    game = pyspiel.load_game("tic_tac_toe")
    bot = Bot(game, 0, playouts=200, threads=1, memory="64M")
    state = game.new_initial_state()
    policy, action = bot.step_with_policy(state)
    assert sum(chance for _, chance in policy) == pytest.approx(1)
    assert {action for action, _ in policy} == set(state.legal_actions())
    assert action == max(policy, key=lambda pair: pair[1])[0]
    for move in (0, 3, 1, 4):
        state.apply_action(move)
    bot.restart_at(state)
    assert bot.step(state) == 2, "three in a row"
    bot.restart()
    assert bot.provides_policy() and bot.player_id() == 0


def test_openspiel_takes_the_bot_for_one_of_its_own() -> None:
    game = pyspiel.load_game("connect_four")
    bots = [Bot(game, 0, playouts=200, threads=1, memory="64M"),
            pyspiel.make_uniform_random_bot(1, 7)]
    returns = pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)
    assert returns == [1, -1]
