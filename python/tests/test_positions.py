"""Games and positions: found, played, printed, hashed, compared, pickled."""

import copy
import pickle
from pathlib import Path

import pytest

import proofwood as pw


def test_every_game_has_a_start_that_can_be_played_and_pickled() -> None:
    games = pw.games()
    assert len(games) == 28
    for info in games:
        p = pw.position(info.example)
        assert p.game == info.example
        for seed in range(6):
            assert str(p) == p.board
            p = p.play_random(seed)
        again = pickle.loads(pickle.dumps(p))
        assert again == p and hash(again) == hash(p) and again.moves == p.moves
        assert pw.position(p.game, text=p.text).board == p.board
        assert (p.payoffs is None) == bool(p.legal_moves)


def test_positions_are_equal_however_they_came_about() -> None:
    one = pw.position("tic-tac-toe", "a1 b2 c3")
    other = pw.position("tic-tac-toe").play("c3").play("b2").play("a1")
    assert one == other and len({one, other}) == 1
    assert one.moves != other.moves
    assert one != one.play("a2") and one != pw.position("mnk:3,3,3", "a1 b2 c3")
    assert one != "a position"
    assert copy.deepcopy(one) is one


def test_a_position_does_not_change() -> None:
    p = pw.position("connect-four", "44")
    assert p.play("4", "4").moves == ("4", "4", "4", "4") and p.moves == ("4", "4")
    with pytest.raises(AttributeError):
        p.text = "other"  # type: ignore[misc]
    with pytest.raises(TypeError, match="proofwood.position"):
        pw.Position()


def test_lists_of_moves_are_read_as_the_program_reads_them() -> None:
    whole = pw.position("othello", "f5 d6,c3")
    assert whole.moves == ("f5", "d6", "c3")
    assert pw.position("othello", ["f5", "d6", "c3"]) == whole
    assert pw.position("connect-four", "4435").moves == ("4", "4", "3", "5")


def test_errors_are_of_the_package_and_say_what_is_wrong() -> None:
    with pytest.raises(pw.SpecError, match="did you mean 'othello'"):
        pw.position("otello")
    with pytest.raises(pw.TextError, match="move 2.*'f5' is not a legal move"):
        pw.position("othello", "f5 f5")
    with pytest.raises(pw.TextError, match="'z9' is not a legal move here; legal moves: "):
        pw.position("othello").play("z9")
    with pytest.raises(ValueError, match="the position has"):
        pw.position("tic-tac-toe", text="xx")
    with pytest.raises(pw.ProofwoodError, match="mnk needs k"):
        pw.position("mnk:3,3")


def test_numbers_out_of_range_are_told_what_would_be_right(tmp_path: Path) -> None:
    p = pw.position("tic-tac-toe")
    for call in (
        lambda: p.perft(-1),
        lambda: p.play_random(-1),
        lambda: pw.check_rules("tic-tac-toe", games=0),
        lambda: pw.shortest_win(p, 2),
    ):
        with pytest.raises(pw.OptionError, match="should be a whole number from"):
            call()
    with pytest.raises(FileNotFoundError, match="none is not a folder"):
        pw.certificate(p, tmp_path / "none" / "draw.proof")


def test_what_has_been_belongs_to_a_position() -> None:
    there_and_back = "e1e2 a5a4 e2e1 a4a5"
    p = pw.position("minishogi:sennichite")
    again = p.play(there_and_back)
    assert again != p and again.legal_moves == p.legal_moves
    kept = pickle.loads(pickle.dumps(again))
    assert kept == again and hash(kept) == hash(again)
    assert pw.position(p.game, text=again.text) == again
    for _ in range(2):
        assert not kept.is_over
        kept = kept.play(there_and_back)
    assert kept.is_over and pw.position(p.game, text=again.text).play(
        there_and_back, there_and_back).payoffs == kept.payoffs


def test_dice_have_probabilities() -> None:
    p = pw.position("pig:20", "roll")
    assert p.is_chance and p.to_move is None
    assert p.probabilities is not None and sum(p.probabilities) == pytest.approx(1)
    assert len(p.probabilities) == len(p.legal_moves) == 6


def test_perft_counts() -> None:
    assert pw.perft(pw.position("othello:6"), 5) == 1364
    assert pw.position("tic-tac-toe").perft(9) == 127872


def test_a_game_tells_its_rules() -> None:
    info = pw.game_info("connect")
    assert info.name == "connect-four" and "A position is" in info.notation
    assert pw.game_info("othello:6").options


def test_whole_numbers_are_moves_as_they_are_written() -> None:
    p = pw.position("connect-four", [4, "4", 3])
    assert p.moves == ("4", "4", "3") and p.play(1) == p.play("1")
    assert p.move("1") == "1"
    with pytest.raises(pw.TextError, match="legal"):
        p.move("8")
    with pytest.raises(TypeError, match="a string or a whole number, not 1.5"):
        p.play(1.5)
