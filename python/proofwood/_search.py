"""Searches: in one call, or in the background."""

from __future__ import annotations

import asyncio
import atexit
import os
import secrets
import weakref
from collections.abc import AsyncIterator, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from proofwood import _native
from proofwood._errors import CertificateError, Interrupted
from proofwood._game import Game, rules_of, whole
from proofwood._results import (
    ProofResult,
    SearchResult,
    ShortestWin,
    _plain,
    proof_result,
    read,
    search_result,
)

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

    from proofwood._options import Limits, SearchKeywords, SolveKeywords
    from proofwood._position import Position

__all__ = [
    "Certificate",
    "Checked",
    "Claim",
    "Search",
    "Solver",
    "certificate",
    "check",
    "search",
    "shortest_win",
    "solve",
]

R = TypeVar("R", SearchResult, "SearchResult | ProofResult")

LIMITS = frozenset({"time", "cpu_time", "playouts", "nodes", "bytes"})

USUAL_TIME = 5.0
"""Seconds of a search that has no limit."""

_running: weakref.WeakSet[_Running[Any]] = weakref.WeakSet()


# A process that is forked has none of the threads, and must not wait for them when it ends.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_running.clear)


@atexit.register
def _stop_all() -> None:
    """Ends what still runs before the interpreter does."""
    for running in list(_running):
        running.stop()
    for running in list(_running):
        running._settle()
        # Its threads are gone, too: Python is no more when they would next ask for it.
        try:
            running._work.wait(None)
        except Exception:  # noqa: BLE001, S110 - nobody is there to be told
            pass


def _place(position: Position) -> _native.Position:
    """What is searched."""
    try:
        return position._place
    except AttributeError:
        raise TypeError(f"position: a proofwood.Position, which proofwood.position(game, moves) "
                        f"makes, not {position!r}") from None


class _Running(Generic[R]):
    """A search that runs in the background."""

    _work: _native.Search | _native.Proof
    _position: Position

    def __reduce__(self) -> Any:
        raise TypeError("a search cannot be copied or pickled: make another one of its position")

    def __repr__(self) -> str:
        state = "running" if self.running else "not running"
        return f"<{type(self).__name__} of {self._position!r}, {state}>"

    @property
    def position(self) -> Position:
        """The position that is searched."""
        return self._position

    @property
    def running(self) -> bool:
        """Whether it is running."""
        return self._work.is_running()

    def start(self, **limits: Unpack[Limits]) -> Self:
        """Starts it in the background, with these limits, or else with those that it was made
        with; without any until the question is settled, the memory is full, or :meth:`stop`.
        Each run goes on with what the one before has found out.

        Raises:
            SearchError: it is running already.
            OptionError: a limit cannot be used.
        """
        self._work.start("start", dict(limits))
        _running.add(self)
        return self

    def stop(self) -> None:
        """Ends it, within milliseconds; :meth:`wait` has the answer."""
        self._work.stop()

    def snapshot(self) -> R:
        """What it knows now, also while it runs."""
        return self._result(self._work.snapshot())

    def wait(self, timeout: float | None = None) -> R | None:
        """Waits for the end, at most so many seconds.

        Returns:
            The answer, or None where the time was up first: it runs on then.

        Raises:
            Interrupted: after Ctrl-C, with what is known in `result`. It runs on.
            SearchError: it failed, or was never started.
        """
        try:
            found = self._work.wait(timeout)
        except KeyboardInterrupt:
            raise Interrupted(self.snapshot()) from None
        return None if found is None else self._result(found)

    def run(self, **limits: Unpack[Limits]) -> R:
        """Searches until a limit is reached or the question is settled.

        Raises:
            Interrupted: after Ctrl-C, with what was found in `result`. It has ended.
            SearchError: it failed.
        """
        self.start(**limits)
        try:
            found = self._work.wait(None)
        except BaseException as raised:
            self.stop()
            self._settle()
            if isinstance(raised, KeyboardInterrupt):
                raise Interrupted(self.snapshot()) from None
            raise
        assert found is not None
        return self._result(found)

    def snapshots(self, every: float = 0.1) -> Iterator[R]:
        """What it knows, again and again while it runs, and at last the answer.

        Args:
            every: seconds between two snapshots.
        """
        while True:
            found = self.wait(every)
            if found is not None:
                yield found
                return
            yield self.snapshot()

    def __iter__(self) -> Iterator[R]:
        return self.snapshots()

    async def _ended(self) -> R:
        loop = asyncio.get_running_loop()
        ended: asyncio.Future[None] = loop.create_future()

        def tell() -> None:
            if not ended.done():
                ended.set_result(None)

        def wake() -> None:
            # A loop that was closed waits for nobody.
            if not loop.is_closed():
                loop.call_soon_threadsafe(tell)

        self._work.call_at_end(wake)
        try:
            await ended
        except asyncio.CancelledError:
            self.stop()
            raise
        found = self._work.wait(None)
        assert found is not None
        return self._result(found)

    def __await__(self) -> Generator[Any, None, R]:
        """Waits for the answer and lets the event loop run; a task that is cancelled stops the
        search."""
        return self._ended().__await__()

    async def __aiter__(self) -> AsyncIterator[R]:
        every = 0.1
        waiting = asyncio.ensure_future(self._ended())
        try:
            while not (await asyncio.wait({waiting}, timeout=every))[0]:
                yield self.snapshot()
            yield await waiting
        finally:
            waiting.cancel()

    def certify(self, path: str | os.PathLike[str], *, overwrite: bool = False) -> Certificate:
        """Writes the proof of what is settled to a file, and checks it.

        Args:
            path: the file, which is only there once it was checked.
            overwrite: replaces a file of this name.

        Raises:
            CertificateError: nothing is proven, or the proof cannot be written.
            FileExistsError: there is such a file.
        """
        return _write(self, Path(path), overwrite)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._settle()

    def _settle(self) -> None:
        """Waits for the end, whatever it is."""
        while self._work.is_running():
            try:
                self._work.wait(None)
            except Exception:  # noqa: BLE001 - it is told to who waits for the answer
                return

    def _result(self, answer: str) -> R:
        raise NotImplementedError


class Search(_Running[SearchResult]):
    """A search with playouts. It can be run again and again, and grows one tree.

        >>> import proofwood as pw
        >>> search = pw.Search(pw.position("tic-tac-toe"), threads=1)
        >>> search.run(playouts=100_000).proven
        'draw'

    Args:
        position: where to search.
        keywords: limits of each run and options, as :func:`search` takes them.
    """

    def __init__(self, position: Position, **keywords: Unpack[SearchKeywords]) -> None:
        self._work = _place(position).search("Search", dict(keywords))
        self._position = position

    def advance(self, move: Any) -> Self:
        """Plays a move, or several in a text, as :meth:`Position.play` takes them: the position after it is the one that is searched,
        and what was found out about it is kept. A search that runs is stopped first.

        Raises:
            TextError: the move is not legal.
        """
        after = self._position.play(move)
        for written in after.moves[len(self._position.moves):]:
            at = self._position.play(written)
            self._searching().advance(written)
            self._position = at
        return self

    def audit(self) -> None:
        """Checks that the tree equals its own recomputation; slow, for tests.

        Raises:
            SearchError: where it does not.
        """
        self._searching().audit()

    def _searching(self) -> _native.Search:
        assert isinstance(self._work, _native.Search)
        return self._work

    def _result(self, answer: str) -> SearchResult:
        return search_result(self._position, read(answer))


class Solver(_Running["SearchResult | ProofResult"]):
    """What solves a position: provers, or the search with playouts (algorithm "gpn").

    Args:
        position: what to solve.
        keywords: limits of each run and options, as :func:`solve` takes them.
    """

    def __init__(self, position: Position, **keywords: Unpack[SolveKeywords]) -> None:
        self._position = position
        # What is settled is kept for `certify`.
        self._work = _place(position).solver("Solver", dict(keywords), True)

    def _result(self, answer: str) -> SearchResult | ProofResult:
        raw = read(answer)
        make = proof_result if "questions" in raw else search_result
        return make(self._position, raw)


def search(position: Position, **keywords: Unpack[SearchKeywords]) -> SearchResult:
    """Looks for the best move. Other Python threads run meanwhile.

    Args:
        position: where to search.
        time: seconds on the clock; 5 where no limit is given.
        cpu_time: seconds of processor time of all threads together.
        playouts: how many playouts.
        nodes: nodes in the tree.
        bytes: bytes that the tree takes, such as "64M".
        threads: worker threads; one per core by default.
        keywords: every other option of the engine, by its name on the command line with
            underscores: `c_pn`, `goal`, `memory`. `proofwood.options()` has them all.

    Raises:
        OptionError: an option or a limit cannot be used.
        RulesError: the game breaks its contract.
        Interrupted: after Ctrl-C, with what was found in `result`.
    """
    if all(keywords.get(limit) is None for limit in LIMITS):
        keywords["time"] = USUAL_TIME
    return _with_name("search", position, keywords).run()


def _with_name(function: str, position: Position, keywords: Any) -> Search:
    made = Search.__new__(Search)
    made._position = position
    made._work = _place(position).search(function, dict(keywords))
    return made


def solve(position: Position, **keywords: Unpack[SolveKeywords]) -> SearchResult | ProofResult:
    """Proves what a position is worth; without a limit until that is settled.

    Args:
        position: what to solve.
        algorithm: "auto" (alpha-beta and df-pn in turns), "ab", "dfpn", "pds", "df-ppns",
            "pns", "pn2", "mcpns", "ppns", or "gpn", the search with playouts, which is taken
            for games with chance, and where an option or a limit is for it alone.
        goal: "outcome", "win", "draw-or-better" or "score".
        keywords: limits as for :func:`search`, and every other option; `proofwood.options()`
            has them all.

    Returns:
        A :class:`ProofResult`; with algorithm "gpn" a :class:`SearchResult`, which has figures
        of all moves.

    Raises:
        OptionError: an option or a limit cannot be used.
        RulesError: the game breaks its contract.
        Interrupted: after Ctrl-C, with what was found in `result`.
    """
    made = Solver.__new__(Solver)
    made._position = position
    made._work = _place(position).solver("solve", dict(keywords), False)
    return made.run()


def shortest_win(
    position: Position, winner: int | None = None, **keywords: Unpack[SolveKeywords]
) -> ShortestWin:
    """Proves in how few moves a player can force a win, against the longest resistance: for two
    players with zero sum and no chance. Where the player cannot force a win, only a limit ends
    it: :func:`solve` first.

    Args:
        position: where to begin.
        winner: the player, from 0; the side to move by default.
        keywords: as for :func:`solve`.
    """
    place = _place(position)
    if winner is None:
        winner = position.to_move or 0
    winner = whole("winner", winner, 0, len(position.players) - 1)
    return ShortestWin(**read(place.shortest_win(winner, dict(keywords))))


@dataclass(frozen=True)
class Claim:
    """A claim that was shown: `player` can make sure of `at_least`, or the others can hold it
    `below`."""

    player: int
    at_least: int | None
    below: int | None
    endless: bool
    """They may have to go round for ever."""
    positions: int
    references: int


@dataclass(frozen=True)
class Checked:
    """What a certificate shows."""

    game: str
    position: str
    players: tuple[str, ...]
    claims: tuple[Claim, ...]
    bytes: int
    """Of its text."""
    memory: int
    """Bytes that the check took."""

    def to_dict(self) -> dict[str, Any]:
        """The fields as `json.dumps` takes them."""
        result: dict[str, Any] = _plain(self)
        return result


@dataclass(frozen=True)
class Certificate:
    """A proof that was written and checked."""

    file: Path
    positions: int
    """Positions in it, each time one is listed."""
    references: int
    """References to positions listed before."""
    checked: Checked
    result: SearchResult | ProofResult


def certificate(
    position: Position,
    path: str | os.PathLike[str],
    *,
    overwrite: bool = False,
    **keywords: Unpack[SolveKeywords],
) -> Certificate:
    """Solves a position and writes the proof to a file, which :func:`check` and the program
    check with the rules alone.

    Args:
        position: what to prove.
        path: the file.
        overwrite: replaces a file of this name.
        keywords: as for :func:`solve`.

    Raises:
        CertificateError: nothing is proven within the limits, or the file cannot be written.
        FileExistsError: there is such a file.
    """
    target = Path(path)
    _refuse_path(target, overwrite)
    solver = Solver(position, **keywords)
    solver.run()
    return solver.certify(target, overwrite=overwrite)


def _refuse_path(path: Path, overwrite: bool) -> None:
    """Before the work, which would be lost."""
    if not overwrite and path.exists():
        raise FileExistsError(f"{path} is there already; overwrite=True replaces it")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"{path.parent} is no folder, so that {path.name} cannot be there")


def _write(running: _Running[Any], path: Path, overwrite: bool) -> Certificate:
    _refuse_path(path, overwrite)
    at = running.position
    # A game without texts is told how it came there.
    begin, moves = (at.text, ()) if at.text else (at.start or "", at.moves)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        positions, references = running._work.certify(begin, moves, part)
        shown = at._rules.check(part, None)
        checked = _checked(shown)
        if not checked.claims:
            raise CertificateError("the proof shows nothing")
        if overwrite:
            part.replace(path)
        else:
            # Unlike a replacement a link fails where somebody has made such a file meanwhile.
            try:
                os.link(part, path)
            except FileExistsError:
                raise
            except OSError:
                # A file system without links.
                _refuse_path(path, overwrite)
                part.rename(path)
    finally:
        part.unlink(missing_ok=True)
    return Certificate(path, positions, references, checked, running.snapshot())


def check(
    path: str | os.PathLike[str],
    *,
    game: str | Game[Any, Any] | None = None,
    memory: int | str | None = None,
) -> Checked:
    """Holds a certificate against the rules of the game that it names, and nothing else.

    Args:
        path: the file.
        game: the rules, where they are your own.
        memory: bytes that the check may take, such as "64M"; 1 GiB by default.

    Raises:
        Refused: it does not show what it claims.
        OSError: it cannot be read.
    """
    # An error of this names the file.
    os.stat(path)
    if game is not None:
        return _checked(rules_of(game).check(path, memory))
    return _checked(_native.check_file(path, memory))


def _checked(text: str) -> Checked:
    raw = read(text)
    return Checked(**{**raw, "claims": tuple(Claim(**claim) for claim in raw["claims"])})
