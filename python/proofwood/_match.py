"""Games between two players: configurations of the engine, or your own functions."""

from __future__ import annotations

import math
import os
import random
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from html import escape
from typing import Any, Protocol, Union

from proofwood._errors import Interrupted, OptionError, ProofwoodError, TextError
from proofwood._game import Game
from proofwood._position import Position, position
from proofwood._results import _plain
from proofwood._search import LIMITS, Search

__all__ = ["MatchGame", "MatchResult", "Player", "match"]

Player = Union[Mapping[str, Any], Callable[[Position], Any]]
"""Keywords of :func:`proofwood.search`, or a function from a position to a move."""

_OWN = {"threads": 1, "memory": "256M"}
_USUAL_TIME = 1.0


@dataclass(frozen=True)
class MatchGame:
    """A game of a match."""

    number: int
    """The number of the game, from 1."""
    a_seat: int
    """A's player number; B played all others."""
    opening_plies: int
    """The number of opening moves, which no player chose."""
    moves: tuple[str, ...]
    payoffs: tuple[int, ...] | None
    """The players' payoffs; None for a game drawn because it was too long."""
    points: float
    """A's share of the point."""


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The result of a match. Draws are half a point for each of two players."""

    game: str
    games: tuple[MatchGame, ...]
    finished: bool = True
    """Whether all requested games have been played."""

    @property
    def wins(self) -> int:
        """The number of games that A won."""
        return sum(game.points >= 1 for game in self.games)

    @property
    def losses(self) -> int:
        """The number of games that A lost."""
        return sum(game.points <= 0 for game in self.games)

    @property
    def draws(self) -> int:
        """The number of games that A neither won nor lost."""
        return len(self.games) - self.wins - self.losses

    @property
    def win_rate(self) -> float:
        """A's mean points per game; one half before the first."""
        return sum(g.points for g in self.games) / len(self.games) if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the win rate."""
        n, z = len(self.games), 1.959963984540054
        if n == 0:
            return 0.0, 1.0
        rate = self.win_rate
        middle = rate + z * z / (2 * n)
        half = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n))
        scale = 1 + z * z / n
        return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)

    @property
    def elo(self) -> float:
        """The Elo difference of A over B that corresponds to the win rate."""
        rate = self.win_rate
        if rate in (0.0, 1.0):
            return math.copysign(math.inf, rate - 0.5)
        return 400 * math.log10(rate / (1 - rate))

    def to_dict(self) -> dict[str, Any]:
        """The result in a form for `json.dumps`."""
        rest = {"wins": self.wins, "draws": self.draws, "losses": self.losses,
                "win_rate": self.win_rate, "interval": list(self.interval)}
        return {"game": self.game, **rest, "finished": self.finished,
                "games": [_plain(game) for game in self.games]}

    def __repr__(self) -> str:
        more = "" if self.finished else "; not finished"
        return f"<MatchResult {self.game}: {self}{more}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"

    def __str__(self) -> str:
        low, high = self.interval
        return (f"A: {self.wins} wins, {self.draws} draws, {self.losses} losses; "
                f"{100 * self.win_rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})")


class _Seat(Protocol):
    def move(self, at: Position) -> Any: ...


class _Engine:
    """The engine as a player; it keeps its tree from move to move."""

    def __init__(
        self, keywords: Mapping[str, Any], seed: int, stopped: threading.Event
    ) -> None:
        self._stopped = stopped
        given = {**_OWN, **keywords, "seed": seed}
        self._limits: Any = {name: given.pop(name) for name in LIMITS if name in given}
        if all(limit is None for limit in self._limits.values()):
            self._limits = {"time": _USUAL_TIME}
        self._options = given
        self._search: Search | None = None

    def move(self, at: Position) -> str:
        search = self._search
        known = search.position.moves if search is not None else ()
        try:
            if search is None or at.moves[: len(known)] != known:
                raise ProofwoodError
            for move in at.moves[len(known):]:
                search.advance(move)
        except ProofwoodError:
            search = self._search = Search(at, **self._options)
        search.start(**self._limits)
        # A thread that ends the match raises the flag first, and then stops the searches.
        if self._stopped.is_set():
            search.stop()
        found = search.wait()
        assert found is not None
        assert found.best_move is not None
        return found.best_move

    def stop(self) -> None:
        if self._search is not None:
            self._search.stop()


class _Function:
    def __init__(self, choose: Callable[[Position], Any]) -> None:
        self._choose = choose

    def move(self, at: Position) -> Any:
        return self._choose(at)


class _Match:
    """The parameters that determine the games. Game `n` depends only on them and `n`."""

    def __init__(self, start: Position, a: Player, b: Player, openings: Sequence[Position] | None,
                 random_plies: int, max_plies: int, seed: int) -> None:
        self.start, self.a, self.b = start, a, b
        self.openings, self.random_plies = openings, random_plies
        self.max_plies, self.seed = max_plies, seed
        self.stopped = threading.Event()
        self.engines: weakref.WeakSet[_Engine] = weakref.WeakSet()

    def _seat(self, player: Player, seed: int) -> _Seat:
        if callable(player):
            return _Function(player)
        engine = _Engine(player, seed, self.stopped)
        self.engines.add(engine)
        return engine

    def stop(self) -> None:
        """Ends the games in progress."""
        self.stopped.set()
        for engine in list(self.engines):
            engine.stop()

    def _opening(self, number: int) -> Position:
        if self.openings:
            return self.openings[number % len(self.openings)]
        for attempt in range(1000):
            draw = random.Random(f"opening {self.seed} {number} {attempt}")
            at = self.start
            for _ in range(self.random_plies):
                at = at.play_random(draw.getrandbits(63))
            if not at.is_over:
                return at
        raise OptionError(f"random_plies: {self.random_plies} random plies end the game; use fewer")

    def play(self, number: int) -> MatchGame | None:
        """Plays the game with this number, from 0; None if the match was stopped."""
        players = len(self.start.players)
        opening_number, a_seat = divmod(number, players)
        at = opening = self._opening(opening_number)
        draw = random.Random(f"game {self.seed} {number}")
        seats = [
            self._seat(self.a if seat == a_seat else self.b, draw.getrandbits(63))
            for seat in range(players)
        ]
        while not at.is_over and len(at.moves) < self.max_plies:
            if self.stopped.is_set():
                return None
            mover = at.to_move
            if mover is None:
                at = at.play_random(draw.getrandbits(63))
                continue
            move = seats[mover].move(at)
            if self.stopped.is_set():
                return None
            after = at.play(move)
            if len(after.moves) != len(at.moves) + 1:
                raise TextError(f"a player chose '{move}', which is not a single move")
            at = after
        payoffs = at.payoffs
        if payoffs is None:
            points = 1 / players
        else:
            best = max(payoffs)
            points = 1 / payoffs.count(best) if payoffs[a_seat] == best else 0.0
        return MatchGame(number + 1, a_seat, len(opening.moves), at.moves, payoffs, points)


def match(
    game: str | Game[Any, Any] | Position,
    a: Player,
    b: Player,
    *,
    games: int = 100,
    jobs: int | None = None,
    openings: Sequence[Position] | None = None,
    random_plies: int = 2,
    max_plies: int = 2500,
    seed: int = 0,
) -> MatchResult:
    """Plays two players against each other. Every opening is played once from each seat; with
    more than two players A has one seat and B all others.

    Args:
        game: the game's description, or the initial position.
        a: keywords of :func:`proofwood.search`, such as `dict(c_pn=1, time=0.1)`, or a function
            that chooses a move: `lambda position: position.legal_moves[0]`. By default the engine
            has one thread, 256 MiB and 1 second a move; it keeps its tree from move to move.
        b: the other player.
        games: the number of games.
        jobs: concurrent games; by default one per core.
        openings: initial positions, used in turn, instead of random plies.
        random_plies: random moves before each game.
        max_plies: the number of moves after which a game is a draw.
        seed: the seed of the openings and, with each game's number, of all searches.

    Raises:
        Interrupted: after Ctrl-C, with the finished games in `result`.
    """
    for name, player in (("a", a), ("b", b)):
        if not callable(player) and not isinstance(player, Mapping):
            raise TypeError(f"{name} should be keywords of search, such as dict(c_pn=1), or a "
                            f"function from a position to a move, not {player!r}")
    start = game if isinstance(game, Position) else position(game)
    if len(start.players) < 2:
        raise OptionError(f"{start.game} has one player; a match needs two or more")
    if games < 1:
        raise OptionError(f"games: {games} should be a positive whole number")
    for opening in openings or ():
        if opening._own() != start._own():
            raise OptionError(f"openings: a position is from {opening.game}, not {start.game}")
    contest = _Match(start, a, b, openings, random_plies, max_plies, seed)
    workers = max(1, min(games, jobs or os.cpu_count() or 1))
    played: list[MatchGame] = []
    todo = iter(range(games))
    with ThreadPoolExecutor(workers, "match") as pool:
        pending: set[Future[MatchGame | None]] = set()
        try:
            while True:
                for number in todo:
                    pending.add(pool.submit(contest.play, number))
                    if len(pending) >= workers:
                        break
                if not pending:
                    break
                done, pending = wait(pending, return_when=FIRST_COMPLETED)
                played += [game for game in (f.result() for f in done) if game is not None]
        except KeyboardInterrupt:
            raise Interrupted(_result(start, played, False)) from None
        finally:
            contest.stop()
    return _result(start, played, len(played) == games)


def _result(start: Position, played: list[MatchGame], finished: bool) -> MatchResult:
    return MatchResult(start.game, tuple(sorted(played, key=lambda g: g.number)), finished)
