"""Positions on a Ray cluster of this machine: the same results, in order."""

from collections.abc import Iterator

import pytest

import proofwood as pw

ray = pytest.importorskip("ray")

from proofwood.ray import search_all, solve_all  # noqa: E402

MOVES = ["161121166146475364", "1611211661464753644", "121212", "1212126"]


@pytest.fixture(scope="module", autouse=True)
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    # Ray's workers start in this folder; in the sources' folder they would import the sources.
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("ray"))
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        yield
        ray.shutdown()


def test_results_are_those_of_one_machine_in_order() -> None:
    positions = [pw.position("connect-four", moves) for moves in MOVES]
    alone = [pw.solve(p, algorithm="dfpn", threads=1) for p in positions]
    there = list(solve_all(positions, ahead=2, algorithm="dfpn"))
    assert [r.position for r in there] == positions
    assert [(r.proven, r.best_move, r.nodes) for r in there] == [
        (r.proven, r.best_move, r.nodes) for r in alone
    ]


def test_searches_have_their_seeds() -> None:
    positions = [pw.position("othello"), pw.position("hex:5")]
    alone = [pw.search(p, playouts=500, threads=1, seed=3) for p in positions]
    there = list(search_all(positions, playouts=500, seed=3))
    assert [(r.best_move, r.playouts, r.nodes) for r in there] == [
        (r.best_move, r.playouts, r.nodes) for r in alone
    ]


def test_what_is_wrong_is_told() -> None:
    with pytest.raises(ValueError):
        list(solve_all([], ahead=0))
    with pytest.raises(pw.OptionError):
        list(solve_all([pw.position("tic-tac-toe")], algorithm="no-such"))
