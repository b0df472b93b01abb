"""Rules in Python."""

import copy
import dataclasses
import gc
import gzip
import pickle
import threading
import weakref
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import proofwood as pw

Heap = tuple[int, int]


class Sticks(pw.Game[Heap, int]):
    """Take one, two or three of the sticks; the player who takes the last one wins."""

    zero_sum = True
    payoff_range = (-1, 1)

    def __init__(self, sticks: int = 10) -> None:
        self.sticks = sticks

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sticks) and self.sticks == other.sticks

    def __hash__(self) -> int:
        return hash(self.sticks)

    def initial_state(self) -> Heap:
        return (self.sticks, 0)

    def turn(self, state: Heap) -> int | None:
        return state[1] if state[0] else None

    def legal_moves(self, state: Heap) -> Sequence[int]:
        return range(1, min(state[0], 3) + 1)

    def play(self, state: Heap, move: int) -> Heap:
        return (state[0] - move, 1 - state[1])

    def payoffs(self, state: Heap) -> tuple[int, int]:
        return (1, -1) if state[1] else (-1, 1)

    def key(self, state: Heap) -> Heap:
        return state


class Written(Sticks):
    """Sticks with texts."""

    def state_text(self, state: Heap) -> str:
        return f"{state[0]} {state[1]}"

    def parse_state(self, text: str) -> Heap:
        sticks, mover = map(int, text.split())
        if mover not in (0, 1):
            raise ValueError(f"'{mover}' is no player; it is 0 or 1")
        return sticks, mover


def searched(game: pw.Game[Any, Any], **keywords: Any) -> pw.SearchResult:
    return pw.search(pw.position(game), **{"playouts": 300, "memory": "64M", "threads": 1, **keywords})


def test_positions_of_a_game_in_python() -> None:
    p = pw.position(Sticks())
    assert (p.game, p.board, p.legal_moves) == ("Sticks", "(10, 0)", ("1", "2", "3"))
    q = p.play("2").play("3")
    assert q.state == (5, 0) and q.moves == ("2", "3") and q.rules == Sticks()
    again = pickle.loads(pickle.dumps(q))
    assert again == q and hash(again) == hash(q) and again.state == q.state
    assert copy.deepcopy(p.rules) == p.rules
    assert pw.position(Sticks(4), "1 3").payoffs == (-1, 1)
    assert pw.position(Written(), text="7 1") == pw.position(Written(), "3")
    with pytest.raises(pw.TextError, match="'4' is not a legal move here; legal moves: 1 2 3"):
        p.play("4")
    with pytest.raises(pw.TextError, match="'2' is no player"):
        pw.position(Written(), text="7 2")
    with pytest.raises(TypeError, match="built-in game"):
        pw.position("othello").state
    assert pw.perft(p, 3) == 27


@pytest.mark.parametrize("algorithm", ["auto", "dfpn", "pns", "gpn"])
@pytest.mark.parametrize("threads", [1, 4])
def test_a_game_in_python_is_proven(algorithm: Any, threads: int) -> None:
    for sticks in (8, 9, 10):
        r = pw.solve(pw.position(Sticks(sticks)), algorithm=algorithm, threads=threads)
        assert r.proven == ("loss" if sticks % 4 == 0 else "win")
        if sticks % 4:
            assert r.best_move == str(sticks % 4)


def test_a_proof_of_a_game_in_python_is_checked_with_its_rules(tmp_path: Path) -> None:
    path = tmp_path / "sticks.proof"
    pw.certificate(pw.position(Written()), path, threads=1)
    assert pw.check(path, game=Written()).game == "Written"
    with pytest.raises(pw.Refused):
        pw.check(path, game=Written(9))
    with pytest.raises(pw.SpecError):
        pw.check(path)


class Corners(Sticks):
    """Sticks whose moves have texts that differ from their numbers."""

    def move_text(self, state: Heap, move: int) -> str:
        return f"take-{move}"


def test_moves_of_a_game_in_python_are_its_own_objects_or_their_texts() -> None:
    p = pw.position(Corners(), [1, "take-2"])
    assert p.moves == ("take-1", "take-2") and p.play(3).moves[-1] == "take-3"
    best = pw.solve(pw.position(Corners()), threads=1, tt="1M").best_move
    assert best is not None and pw.position(Corners()).move(best) == int(best[-1])
    with pytest.raises(pw.TextError, match="take-9"):
        p.play(9)


def test_rules_are_checked() -> None:
    report = pw.check_rules(Written(), games=20)
    assert report.games == report.ended == 20 and report.adds_up_to_zero and report.texts
    assert pw.check_rules("othello:4", games=3).games == 3

    class Forgetful(Sticks):
        def key(self, state: Heap) -> Any:
            return state[0]

    with pytest.raises(pw.RulesError, match="key"):
        pw.check_rules(Forgetful(), games=50)



def lies() -> list[tuple[str, type[Sticks]]]:
    class TooMuch(Sticks):
        def payoffs(self, state: Heap) -> tuple[int, int]:
            return (2, -2)

    class NoSum(Sticks):
        def payoffs(self, state: Heap) -> tuple[int, int]:
            return (1, 1)

    class NoMoves(Sticks):
        def legal_moves(self, state: Heap) -> Sequence[int]:
            return []

    class Stranger(Sticks):
        def turn(self, state: Heap) -> int | None:
            return 5 if state[0] else None

    class Dice(Sticks):
        def turn(self, state: Heap) -> int | None:
            return pw.CHANCE if state[0] else None

    return [
        ("player . is paid -?2, outside the range -1 to 1", TooMuch),
        ("declared zero-sum, but its payoffs are 1 and 1", NoSum),
        ("has no legal move", NoMoves),
        ("player 5 is to move, but the game has 2 players", Stranger),
        ("chance decides in a position", Dice),
    ]


@pytest.mark.parametrize(("message", "game"), lies())
def test_rules_that_lie_are_reported(message: str, game: type[Sticks]) -> None:
    with pytest.raises(pw.RulesError, match=message):
        searched(game())
    with pytest.raises(pw.RulesError):
        pw.check_rules(game(), games=5)


class Trouble(Exception):
    pass


def failing(method: str, at: int = 3) -> Sticks:
    """Returns a game whose `method` fails when at most `at` sticks are left."""

    def fail(self: Sticks, state: Heap, *rest: Any) -> Any:
        if state[0] <= at:
            raise Trouble(f"{method} fails")
        return getattr(Sticks, method)(self, state, *rest)

    return type("Failing", (Sticks,), {method: fail})()  # type: ignore[no-any-return]


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("method", ["turn", "legal_moves", "play", "payoffs", "key"])
def test_an_exception_in_a_game_ends_the_search_with_it(
    method: str, threads: int, capfd: pytest.CaptureFixture[str]
) -> None:
    for run in (
        lambda: searched(failing(method), threads=threads),
        lambda: pw.solve(pw.position(failing(method)), threads=threads),
        lambda: pw.check_rules(failing(method), games=5),
    ):
        with pytest.raises(Trouble, match=f"{method} fails"):
            run()
    assert capfd.readouterr().err == ""
    assert searched(Sticks()).best_move == "2", "the next search is well"


def test_exceptions_at_the_root_and_outside_of_searches() -> None:
    calls: tuple[Callable[[Any], Any], ...] = (
        lambda p: p.view(),
        lambda p: p.play("1"),
        lambda p: p.perft(2),
        lambda p: p.search("search", {}),
    )
    for call in calls:
        with pytest.raises(Trouble):
            call(pw.position(failing("turn", 10))._place)
    with pytest.raises(NotImplementedError, match="Empty must implement initial_state"):
        pw.position(type("Empty", (pw.Game,), {})())


def test_wrong_answers_say_what_would_be_right() -> None:
    def odd(method: str, answer: Any) -> Sticks:
        return type("Odd", (Sticks,), {method: lambda *_: answer})()  # type: ignore[no-any-return]

    for method, answer, message in [
        ("turn", "me", "turn.. should return a player .counted from 0., CHANCE, or None"),
        ("legal_moves", 3, "not iterable"),
        ("legal_moves", [[]], "unhashable"),
        ("payoffs", (0.5, -0.5), "payoffs.. should return a list of whole numbers"),
        ("key", 1.5, "key.. should return bytes, a string, a whole number"),
    ]:
        with pytest.raises(TypeError, match=message):
            searched(odd(method, answer))
    with pytest.raises(ValueError, match="1 payoffs for 2 players"):
        searched(odd("payoffs", [0]))
    with pytest.raises(TypeError, match="a game should be a description such as 'othello:6', or a proofwood.Game"):
        pw.position(7)  # type: ignore[arg-type]


class Fourths(Sticks):
    """A game whose leaves are evaluated, without playouts."""

    calls = 0

    def evaluate(self, state: Heap) -> Sequence[float]:
        self.calls += 1
        value = -0.5 if state[0] % 4 == 0 else 0.5
        return (value, -value) if state[1] == 0 else (-value, value)


def test_leaves_are_valued_by_python() -> None:
    game = Fourths(41)
    r = searched(game, playouts=500, solver=False, score_bounds=False, look_ahead=False)
    assert r.best_move == "1" and 100 < game.calls <= 500

    class Wrong(Fourths):
        def evaluate(self, state: Heap) -> Sequence[float]:
            return (2, -2)

    with pytest.raises(pw.RulesError, match="should be from -1 to 1"):
        searched(Wrong())

    class Fails(Fourths):
        def evaluate(self, state: Heap) -> Sequence[float]:
            raise Trouble("no network")

    with pytest.raises(Trouble, match="no network"):
        searched(Fails(), threads=3)


def test_leaves_are_valued_several_at_once() -> None:
    numpy = pytest.importorskip("numpy")
    sizes: list[int] = []

    class Net(Fourths):
        batch_size = 4

        def evaluate_batch(self, states: list[Heap]) -> Any:
            sizes.append(len(states))
            values = numpy.array([Fourths.evaluate(self, state) for state in states], "float32")
            return values, None

    game = Net(41)
    r = pw.search(pw.position(game), playouts=400, memory="64M", look_ahead=False)
    assert r.threads == 1 and r.best_move == "1"
    assert max(sizes) == 4 and sum(sizes) == game.calls and len(sizes) < sum(sizes)
    more = pw.search(pw.position(game), playouts=50, memory="64M", threads=3)
    assert more.playouts == 50 and max(sizes) == 4

    class Short(Net):
        def evaluate_batch(self, states: list[Heap]) -> Any:
            return numpy.zeros((len(states) + 1, 2))

    with pytest.raises(ValueError, match="rows of values for"):
        pw.search(pw.position(Short()), playouts=50)

    class Fails(Net):
        def evaluate_batch(self, states: list[Heap]) -> Any:
            raise Trouble("no network")

    with pytest.raises(Trouble):
        pw.search(pw.position(Fails()), playouts=50)


class Walk(pw.Game[tuple[int, bool], str]):
    """A coin moves a stone up or down; the player to move may stop."""

    players = ("walker",)
    payoff_range = (-3, 3)
    has_chance = True

    def initial_state(self) -> tuple[int, bool]:
        return (0, True)

    def turn(self, state: tuple[int, bool]) -> int | None:
        at, coin = state
        return None if abs(at) == 3 else pw.CHANCE if coin else 0

    def legal_moves(self, state: tuple[int, bool]) -> Sequence[str]:
        return ["up", "down"] if state[1] else ["go"]

    def weight(self, state: tuple[int, bool], move: str) -> int:
        return 3 if move == "up" else 1

    def play(self, state: tuple[int, bool], move: str) -> tuple[int, bool]:
        at, coin = state
        return (at + {"up": 1, "down": -1, "go": 0}[move], not coin)

    def payoffs(self, state: tuple[int, bool]) -> list[int]:
        return [state[0]]


def test_chance_in_python() -> None:
    p = pw.position(Walk())
    assert p.is_chance and p.probabilities == (0.75, 0.25)
    r = pw.search(p, playouts=4000, threads=1, goal="score", memory="64M")
    # A gambler with 3 to 1 on each throw ends at the top 27 times in 28.
    assert r.mean is not None and abs(r.mean - (27 - 1) / 28) < 0.1
    pw.check_rules(Walk(), games=20)


class Three(pw.Game[tuple[int, ...], int]):
    """Three players take one or two; the player who takes the last one wins."""

    players = ("a", "b", "c")
    payoff_range = (-1, 2)

    def initial_state(self) -> tuple[int, ...]:
        return (7, 0)

    def turn(self, state: tuple[int, ...]) -> int | None:
        return state[1] if state[0] else None

    def legal_moves(self, state: tuple[int, ...]) -> Sequence[int]:
        return range(1, min(state[0], 2) + 1)

    def play(self, state: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (state[0] - move, (state[1] + 1) % 3)

    def payoffs(self, state: tuple[int, ...]) -> list[int]:
        return [2 if player == (state[1] - 1) % 3 else -1 for player in range(3)]


def test_three_players_in_python() -> None:
    r = searched(Three(), playouts=500)
    assert r.players == ("a", "b", "c") and len(r.proof_numbers) == 3
    assert pw.match(Three(), {"playouts": 50}, {"playouts": 5}, games=3).finished


def test_several_threads_search_games_in_python_at_once() -> None:
    game, found = Sticks(13), []
    lock = threading.Lock()

    def work() -> None:
        r = searched(game, playouts=200, threads=2)
        with lock:
            found.append(r.best_move)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == ["1"] * 4


def test_a_dropped_search_of_a_game_in_python_ends() -> None:
    for _ in range(5):
        search = pw.Search(pw.position(Sticks(60)), threads=3, memory="64M", solver=False,
                           score_bounds=False).start()
        assert search.snapshot() is not None
        del search


def test_a_game_is_forgotten_with_its_positions() -> None:
    game = Sticks()
    kept = weakref.ref(game)
    p = pw.position(game)
    assert p.play("1") == pw.position(game, "1")
    pw.solve(p, threads=1)
    del game, p
    gc.collect()
    assert kept() is None


@dataclasses.dataclass(frozen=True)
class Frozen(pw.Game[Heap, int]):
    """Sticks; two games with the same number are equal."""

    zero_sum = True
    sticks: int = 6

    initial_state = Sticks.initial_state
    turn = Sticks.turn
    legal_moves = Sticks.legal_moves
    play = Sticks.play
    payoffs = Sticks.payoffs


def test_a_game_may_be_a_frozen_dataclass() -> None:
    p = pw.position(Frozen(), "1")
    assert pickle.loads(pickle.dumps(p)) == p and pw.solve(p, threads=1).best_move == "1"


@pytest.mark.parametrize("method", ["move_text", "state_text", "board_text"])
def test_an_exception_in_a_text_is_raised_as_it_is(method: str) -> None:
    game = failing(method, 10)
    with pytest.raises(Trouble, match=f"{method} fails"):
        pw.position(game)._place.view()
    if method == "move_text":
        p = pw.position(game)
        s = pw.Search(p, threads=1, memory="64M", playouts=50)
        calls: tuple[Callable[[], object], ...] = (
            s.run, s.snapshot, lambda: pw.solve(p, threads=1))
        for ask in calls:
            with pytest.raises(Trouble):
                ask()


def test_a_game_without_texts_is_proven_from_any_position(tmp_path: Path) -> None:
    p, path = pw.position(Sticks(), "1 3"), tmp_path / "sticks.proof"
    pw.certificate(p, path, threads=1)
    assert pw.check(path, game=Sticks()).claims
    assert b"move 1\nmove 3\n" in gzip.decompress(path.read_bytes())
    again = tmp_path / "again.proof"
    pw.certificate(p, again, threads=1, algorithm="gpn", memory="64M")


def test_priors_lead_the_search() -> None:
    numpy = pytest.importorskip("numpy")
    given: list[tuple[Heap, list[float]]] = []

    class Net(Fourths):
        has_priors = True

        def evaluate_batch(self, states: list[Heap]) -> Any:
            priors = [[1.0 + 9.0 * ((state[0] - move) % 4 == 0) for move in self.legal_moves(state)]
                      for state in states]
            given.extend(zip(states, priors))
            return numpy.zeros((len(states), 2), "float32"), priors

    quiet: Any = dict(playouts=200, memory="64M", look_ahead=False, c_pn=0)
    r = pw.search(pw.position(Net(41)), **quiet)
    assert r.best_move == "1" and [round(known.prior or 0, 2) for known in r.moves] == [
        0.83, 0.08, 0.08]
    assert r.moves[0].visits > 4 * r.moves[1].visits
    assert pw.search(pw.position("tic-tac-toe"), playouts=9, memory="64M").moves[0].prior is None

    class Few(Net):
        def evaluate_batch(self, states: list[Heap]) -> Any:
            return [[0.0, 0.0]] * len(states), [[1.0]] * len(states)

    with pytest.raises(ValueError, match="1 priors, but there are 3 legal moves"):
        pw.search(pw.position(Few(41)), **quiet)

    class Less(Net):
        def evaluate_batch(self, states: list[Heap]) -> Any:
            return [[0.0, 0.0]] * len(states), [[-1.0, 1.0, 1.0]] * len(states)

    with pytest.raises(pw.RulesError, match="finite and not negative"):
        pw.search(pw.position(Less(41)), **quiet)

    class Alone(Net):
        def evaluate_batch(self, states: list[Heap]) -> Any:
            return [[0.0, 0.0]] * len(states)

    with pytest.raises(TypeError, match="values, priors"):
        pw.search(pw.position(Alone(41)), **quiet)


def test_rows_may_be_in_a_tuple_and_priors_are_told_to_be_unused() -> None:
    class Rows(Fourths):
        batch_size = 2
        batch_wait = 0.05

        def evaluate_batch(self, states: list[Heap]) -> Any:
            return tuple(Fourths.evaluate(self, state) for state in states)

    r = pw.search(pw.position(Rows(41)), playouts=100, memory="64M", look_ahead=False)
    assert r.playouts > 0

    class Priors(Rows):
        def evaluate_batch(self, states: list[Heap]) -> Any:
            return [Fourths.evaluate(self, state) for state in states], [[0.5, 0.5]] * len(states)

    with pytest.warns(UserWarning, match="has_priors"):
        pw.search(pw.position(Priors(41)), playouts=20, memory="64M", look_ahead=False)

    class Odd(Rows):
        def evaluate(self, state: Heap) -> Any:
            return 0.5

        evaluate_batch = pw.Game.evaluate_batch

    with pytest.raises(TypeError, match="evaluate.. should return a list of numbers"):
        searched(Odd(41))


def test_a_leaf_may_be_valued_by_another_search() -> None:
    class Nested(Fourths):
        def evaluate(self, state: Heap) -> Sequence[float]:
            pw.search(pw.position("tic-tac-toe"), playouts=5, threads=1, memory="64M")
            return Fourths.evaluate(self, state)

    assert searched(Nested(21), playouts=20, threads=2).playouts > 0
