"""Games as environments of PettingZoo."""

import pytest

import proofwood as pw

pettingzoo = pytest.importorskip("pettingzoo")
numpy = pytest.importorskip("numpy")

from proofwood.pettingzoo import GameEnv  # noqa: E402


@pytest.mark.parametrize("game", ["tic-tac-toe", "pig:10", "mnk:4,4,3,players=3"])
@pytest.mark.filterwarnings("ignore")
def test_the_environment_is_what_pettingzoo_asks_for(game: str) -> None:
    test = pytest.importorskip("pettingzoo.test")
    test.api_test(GameEnv(game), num_cycles=100)


def test_an_episode_ends_with_the_payoffs() -> None:
    env = GameEnv("tic-tac-toe", render_mode="ansi")
    env.reset()
    for move in ("a1", "b1", "a2", "b2", "a3"):
        observation, _, over, cut, info = env.last()
        assert not over and not cut
        action = info["legal_moves"].index(move)
        assert observation["action_mask"][action] == 1
        env.step(action)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": 1, "player_1": -1}
    assert env.position.is_over and env.render() == env.position.board
    text = bytes(env.observe("player_0")["observation"]).rstrip(b"\0").decode()
    assert text == env.position.text


def test_episodes_begin_anywhere_and_are_cut_off() -> None:
    env = GameEnv("othello", max_plies=3)
    env.reset(options={"position": pw.position("othello", "f5 d6")})
    with pytest.raises(ValueError, match="action 99"):
        env.step(99)
    env.step(0)
    assert all(env.truncations.values())
    with pytest.raises(ValueError, match="max_moves: 2 should be at least 4"):
        GameEnv("othello", max_moves=2).reset()
