"""Searches, provers, certificates: in one call."""

import copy
import json
import math
from pathlib import Path

import pytest

import proofwood as pw

WON = "161121166146475364"


def test_a_position_is_solved() -> None:
    p = pw.position("connect-four", WON)
    r = pw.solve(p, threads=2, tt="64M")
    assert isinstance(r, pw.ProofResult)
    assert (r.proven, r.solved, r.stop_reason) == ("win", True, "solved")
    assert r.best_move in p.legal_moves and r.pv[0] == r.best_move
    assert r.questions[0].answer == "proven"
    played = pw.solve(p, algorithm="gpn", threads=2, memory="64M")
    assert isinstance(played, pw.SearchResult)
    assert played.proven == r.proven and 0 in played.proof_numbers
    assert {known.move for known in played.moves} == set(p.legal_moves)


def test_the_same_seed_grows_the_same_tree() -> None:
    p = pw.position("othello")
    one, other = (
        pw.search(p, playouts=2000, threads=1, seed=7, memory="64M") for _ in range(2)
    )
    assert (one.nodes, one.moves, one.mean) == (other.nodes, other.moves, other.mean)
    assert one.playouts == 2000 and one.stop_reason == "playouts"
    assert sum(known.visits for known in one.moves) <= one.playouts


def test_every_option_of_the_tables_is_a_keyword() -> None:
    p = pw.position("tic-tac-toe")
    keywords = pw.SearchKeywords.__annotations__
    assert {"c_pn", "memory", "virtual_loss", "goal", "time"} <= set(keywords)
    r = pw.search(p, playouts=50, threads=1, memory="64M", c=1, bias="rank", c_pn=0.5,
                  solver=True, virtual_loss="none", look_ahead=False)
    assert r.playouts <= 50
    for algorithm in ("auto", "ab", "dfpn", "pds", "df-ppns", "pns", "pn2", "mcpns", "ppns", "gpn"):
        assert pw.solve(p, algorithm=algorithm, threads=1).proven == "draw"
    score = pw.solve(pw.position("othello:4"), goal="score", threads=1, tt="16M")
    assert score.bounds == (-8, -8)


def test_wrong_keywords_are_told_what_would_be_right() -> None:
    p = pw.position("tic-tac-toe")
    with pytest.raises(TypeError, match=r"search\(\) got an unexpected .*'thread'; did you mean 'threads'"):
        pw.search(p, thread=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="solve"):
        pw.solve(p, colour="red")  # type: ignore[call-arg]
    for keywords, message in [
        ({"threads": 0}, "threads: '0' should be a number from 1 to 1024"),
        ({"c": "many"}, "c: 'many' should be a number from 0 to 1000"),
        ({"solver": "maybe"}, "solver: 'maybe' should be True or False"),
        ({"time": 0}, "time: 0 should be a positive number of seconds"),
        ({"playouts": 1.5}, "playouts: 1.5 should be a positive whole number"),
        ({"memory": "1X"}, "memory: '1X' should be a number of bytes"),
        ({"memory": "1000T"}, "memory: '1000T' is more memory than the machine has"),
        ({"goal": "score", "score_bounds": False}, "goal: 'score' requires score_bounds=True"),
    ]:
        with pytest.raises(pw.OptionError) as raised:
            pw.search(p, **keywords)  # type: ignore[arg-type]
        assert message in str(raised.value) and "\n" not in str(raised.value)
        assert "::" not in str(raised.value)
    with pytest.raises(pw.OptionError, match="'gnp' is not a known algorithm; choose one of auto, .*or gpn"):
        pw.solve(p, algorithm="gnp")  # type: ignore[arg-type]
    with pytest.raises(pw.OptionError, match="c: this option is for algorithm='gpn', not for dfpn"):
        pw.solve(p, algorithm="dfpn", c=1)
    with pytest.raises(pw.OptionError, match="epsilon: this option is for provers"):
        pw.solve(p, algorithm="gpn", epsilon=1)


def test_games_with_chance_are_solved_by_their_expected_payoff() -> None:
    r = pw.solve(pw.position("pig:4,turns=4"), threads=1, memory="64M", time=20)
    assert isinstance(r, pw.SearchResult) and r.goal == "score" and r.expected is not None


def test_results_are_frozen_and_go_to_json() -> None:
    r = pw.search(pw.position("connect-four"), playouts=500, threads=1, memory="64M")
    with pytest.raises(AttributeError):
        r.proven = "win"  # type: ignore[misc]
    told = json.loads(json.dumps(r.to_dict()))
    assert told["game"] == "connect-four" and told["position"] == r.position.text
    assert told["moves"][0]["visits"] == r.moves[0].visits
    proven = pw.solve(pw.position("tic-tac-toe"), threads=1, tt="1M")
    assert json.loads(json.dumps(proven.to_dict()))["questions"]
    lost = pw.solve(pw.position("tic-tac-toe", "a1 b1 c3 a3"), algorithm="gpn", threads=1)
    assert isinstance(lost, pw.SearchResult)
    assert math.inf in lost.proof_numbers and "inf" in lost.to_dict()["proof_numbers"]


def test_a_notebook_shows_the_board_and_the_moves() -> None:
    r = pw.search(pw.position("tic-tac-toe"), playouts=500, threads=1, memory="64M")
    html = r._repr_html_()
    assert "<pre>" in html and html.count("<tr>") == 1 + len(r.moves)
    assert "<script" not in html and "b2" in str(r.pv) + html
    assert "<pre>" in r.position._repr_html_()


def test_data_frames_of_all_results_can_be_put_together() -> None:
    start = pw.position("connect-four")
    near = pw.position("connect-four", "43655644233456")
    results: list[pw.SearchResult | pw.ProofResult] = [
        pw.search(start, playouts=500, threads=1, memory="64M"),
        pw.search(near, playouts=2000, threads=1, memory="64M", c_pn=1),
        pw.search(near, playouts=5, threads=1, memory="64M"),
        pw.solve(near, threads=1, tt="1M"),
    ]
    moves = [m.move for r in results for m in r.moves]
    pandas = pytest.importorskip("pandas")
    frames = [r.to_pandas() for r in results]
    assert all((frame.dtypes == frames[0].dtypes).all() for frame in frames)
    assert list(pandas.concat(frames)["move"]) == moves and not len(frames[3])
    polars = pytest.importorskip("polars")
    whole = polars.concat([r.to_polars() for r in results])
    assert whole["move"].to_list() == moves
    assert set(whole["position"]) == {start.text, near.text}
    # Proof numbers that are not counted are None.
    assert whole["proof_number_0"][: len(results[0].moves)].null_count() == len(results[0].moves)
    assert results[0].moves[0].proof_numbers == (None, None)
    assert "proof numbers" not in results[0]._repr_html_()
    assert "proof numbers" in results[1]._repr_html_()


def test_what_is_no_position_is_named() -> None:
    for ask in (pw.search, pw.solve, pw.shortest_win, pw.Search, pw.Solver):
        with pytest.raises(TypeError, match="position should be a proofwood.Position.*not 'connect-four'"):
            ask("connect-four")  # type: ignore[arg-type]
    search = pw.Search(pw.position("tic-tac-toe"), threads=1, memory="1M")
    with pytest.raises(TypeError, match="cannot be copied"):
        copy.copy(search)
    assert "not running" in repr(search)


def test_certificates_are_written_and_checked(tmp_path: Path) -> None:
    p, path = pw.position("tic-tac-toe"), tmp_path / "draw.proof"
    written = pw.certificate(p, path, algorithm="dfpn", threads=1, tt="1M")
    assert written.file == path and written.positions > 0 and written.result.proven == "draw"
    checked = pw.check(path)
    assert checked == written.checked and checked.game == "tic-tac-toe"
    assert {(c.player, c.at_least, c.below) for c in checked.claims} == {
        (0, 0, None), (0, None, 1)}
    with pytest.raises(FileExistsError):
        pw.certificate(p, path, threads=1)
    pw.certificate(p, path, overwrite=True, algorithm="gpn", threads=1, memory="64M")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(pw.Refused):
        pw.check(path)
    with pytest.raises(FileNotFoundError, match="none.proof"):
        pw.check(tmp_path / "none.proof")
    assert [file.name for file in tmp_path.iterdir()] == ["draw.proof"]


def test_nothing_proven_is_not_written(tmp_path: Path) -> None:
    p = pw.position("othello")
    with pytest.raises(pw.CertificateError):
        pw.certificate(p, tmp_path / "open.proof", nodes=100, threads=1, tt="1M")
    assert list(tmp_path.iterdir()) == []


def test_the_shortest_win() -> None:
    p = pw.position("tic-tac-toe", "a1 b1")
    found = pw.shortest_win(p, threads=1, tt="1M")
    assert found.winner == 0 and found.moves == 5 and len(found.pv) == 5


def test_matches() -> None:
    weak, strong = dict(playouts=2), dict(playouts=400)
    r = pw.match("connect-four:5x4", strong, weak, games=8, seed=1)
    assert r.finished and len(r.games) == 8 and r.wins > r.losses
    assert {game.a_seat for game in r.games} == {0, 1}
    assert str(r) in repr(r) and f"{r.wins} wins" in r._repr_html_()
    with pytest.raises(TypeError, match="a should be keywords of search.*not 'uct'"):
        pw.match("tic-tac-toe", "uct", weak, games=1)  # type: ignore[arg-type]
    again = pw.match("connect-four:5x4", strong, weak, games=8, seed=1, jobs=1)
    assert again == r
    first = pw.match("tic-tac-toe", lambda p: p.legal_moves[0], strong, games=2)
    assert first.win_rate <= 0.5 and json.dumps(first.to_dict())
    low, high = r.interval
    assert 0 <= low <= r.win_rate <= high <= 1
    with pytest.raises(pw.TextError):
        pw.match("tic-tac-toe", lambda p: "z9", weak, games=2)
    with pytest.raises(pw.TextError, match="not a single move"):
        pw.match("connect-four", lambda p: "44", weak, games=1)
    with pytest.raises(pw.OptionError, match="openings"):
        pw.match("othello", weak, weak, openings=[pw.position("tic-tac-toe")])
