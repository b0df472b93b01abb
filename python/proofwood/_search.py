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
"""The time in seconds of a search without a limit."""

_running: weakref.WeakSet[_Running[Any]] = weakref.WeakSet()


# A forked process has none of the threads, and must not wait for them when it ends.
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_running.clear)


@atexit.register
def _stop_all() -> None:
    """Ends running searches before the interpreter ends."""
    for running in list(_running):
        running.stop()
    for running in list(_running):
        running._settle()
        # Waits for the threads, too: otherwise they could call Python after its end.
        try:
            running._work.wait(None)
        except Exception:  # noqa: BLE001, S110 - there is nowhere to report it
            pass


def _place(position: Position) -> _native.Position:
    """The position to search."""
    try:
        return position._place
    except AttributeError:
        raise TypeError("position should be a proofwood.Position made by proofwood.position(), "
                        f"not {position!r}") from None


class _Running(Generic[R]):
    """A search that runs in the background."""

    _work: _native.Search | _native.Proof
    _position: Position

    def __reduce__(self) -> Any:
        raise TypeError("a search cannot be copied or pickled; make another from its position")

    def __repr__(self) -> str:
        state = "running" if self.running else "not running"
        return f"<{type(self).__name__} of {self._position!r}, {state}>"

    @property
    def position(self) -> Position:
        """The root position."""
        return self._position

    @property
    def running(self) -> bool:
        """Whether a run is in progress."""
        return self._work.is_running()

    def start(self, **limits: Unpack[Limits]) -> Self:
        """Starts a run in the background, with these limits, or else with the default ones; without
        any it ends when the goal is reached, the memory is full, or at :meth:`stop`. Each run
        continues with the results of the previous one.

        Raises:
            SearchError: a run is already in progress.
            OptionError: a limit cannot be used.
        """
        self._work.start("start", dict(limits))
        _running.add(self)
        return self

    def stop(self) -> None:
        """Stops the run within milliseconds; :meth:`wait` returns the answer."""
        self._work.stop()

    def snapshot(self) -> R:
        """The current answer, even during a run."""
        return self._result(self._work.snapshot())

    def wait(self, timeout: float | None = None) -> R | None:
        """Waits for the end of the run, at most `timeout` seconds.

        Returns:
            The answer, or None after the timeout; the run then continues.

        Raises:
            Interrupted: after Ctrl-C, with the answer so far in `result`. The run continues.
            SearchError: the run failed, or was never started.
        """
        try:
            found = self._work.wait(timeout)
        except KeyboardInterrupt:
            raise Interrupted(self.snapshot()) from None
        return None if found is None else self._result(found)

    def run(self, **limits: Unpack[Limits]) -> R:
        """Searches until a limit is reached or the goal is reached.

        Raises:
            Interrupted: after Ctrl-C, with the answer so far in `result`. The run has ended.
            SearchError: the run failed.
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
        """Yields the current answer repeatedly during the run, and then the final answer.

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
            # In a closed loop, no task waits for the answer.
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
        """Waits for the answer and lets the event loop run; a cancelled task stops the search."""
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
        """Writes a certificate of the proven results to a file, and checks it.

        Args:
            path: the file, which appears only after the check.
            overwrite: whether to replace an existing file.

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
        """Waits until the run ends, whether it succeeds or fails."""
        while self._work.is_running():
            try:
                self._work.wait(None)
            except Exception:  # noqa: BLE001 - `wait` raises it for its caller
                return

    def _result(self, answer: str) -> R:
        raise NotImplementedError


class Search(_Running[SearchResult]):
    """A search with playouts. It can be run repeatedly, and grows one tree.

        >>> import proofwood as pw
        >>> search = pw.Search(pw.position("tic-tac-toe"), threads=1)
        >>> search.run(playouts=100_000).proven
        'draw'

    Args:
        position: the root position.
        keywords: limits of each run and options, as in :func:`search`.
    """

    def __init__(self, position: Position, **keywords: Unpack[SearchKeywords]) -> None:
        self._work = _place(position).search("Search", dict(keywords))
        self._position = position

    def advance(self, move: Any) -> Self:
        """Plays a move, or several in a text, as in :meth:`Position.play`: the resulting position
        becomes the root, and its results are kept. A running search is stopped first.

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
        """Checks that the values in the tree equal recomputed ones; slow, for tests.

        Raises:
            SearchError: a value differs.
        """
        self._searching().audit()

    def _searching(self) -> _native.Search:
        assert isinstance(self._work, _native.Search)
        return self._work

    def _result(self, answer: str) -> SearchResult:
        return search_result(self._position, read(answer))


class Solver(_Running["SearchResult | ProofResult"]):
    """A solver of a position: provers, or the search with playouts (algorithm "gpn").

    Args:
        position: the position to solve.
        keywords: limits of each run and options, as in :func:`solve`.
    """

    def __init__(self, position: Position, **keywords: Unpack[SolveKeywords]) -> None:
        self._position = position
        # Proven positions are stored for `certify`.
        self._work = _place(position).solver("Solver", dict(keywords), True)

    def _result(self, answer: str) -> SearchResult | ProofResult:
        raw = read(answer)
        make = proof_result if "questions" in raw else search_result
        return make(self._position, raw)


def search(position: Position, **keywords: Unpack[SearchKeywords]) -> SearchResult:
    """Searches for the best move. Other Python threads run meanwhile.

    Args:
        position: the root position.
        time: wall-clock time in seconds; 5 if no limit is given.
        cpu_time: processor time of all threads together, in seconds.
        playouts: the number of playouts.
        nodes: nodes in the tree.
        bytes: the size of the tree in bytes, such as "64M".
        threads: worker threads; one per core by default.
        keywords: every other option of the engine, by its name on the command line with
            underscores: `c_pn`, `goal`, `memory`. `proofwood.options()` has them all.

    Raises:
        OptionError: an option or a limit is invalid.
        RulesError: the game breaks its contract.
        Interrupted: after Ctrl-C, with the answer so far in `result`.
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
    """Proves the value of a position; without a limit it runs until the value is proven.

    Args:
        position: the position to solve.
        algorithm: "auto" (alpha-beta and df-pn in turns), "ab", "dfpn", "pds", "df-ppns", "pns",
            "pn2", "mcpns", "ppns", or "gpn", the search with playouts, the default for games with
            chance, and if an option or a limit applies only to it.
        goal: "outcome", "win", "draw-or-better" or "score".
        keywords: limits as for :func:`search`, and every other option; `proofwood.options()`
            has them all.

    Returns:
        A :class:`ProofResult`; with algorithm "gpn" a :class:`SearchResult`, which has figures
        of all moves.

    Raises:
        OptionError: an option or a limit is invalid.
        RulesError: the game breaks its contract.
        Interrupted: after Ctrl-C, with the answer so far in `result`.
    """
    made = Solver.__new__(Solver)
    made._position = position
    made._work = _place(position).solver("solve", dict(keywords), False)
    return made.run()


def shortest_win(
    position: Position, winner: int | None = None, **keywords: Unpack[SolveKeywords]
) -> ShortestWin:
    """Proves the shortest forced win of a player, against the longest resistance: for two players
    with zero sum and no chance. If the player cannot force a win, only a limit ends the search;
    call :func:`solve` first.

    Args:
        position: the root position.
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
    """A proven claim: `player` can force `at_least`, or the others can hold it `below`."""

    player: int
    at_least: int | None
    below: int | None
    endless: bool
    """Whether the proof may rely on endless play."""
    positions: int
    references: int


@dataclass(frozen=True)
class Checked:
    """The content of a checked certificate."""

    game: str
    position: str
    players: tuple[str, ...]
    claims: tuple[Claim, ...]
    bytes: int
    """The size of the text in bytes."""
    memory: int
    """The memory of the check in bytes."""

    def to_dict(self) -> dict[str, Any]:
        """The fields in a form for `json.dumps`."""
        result: dict[str, Any] = _plain(self)
        return result


@dataclass(frozen=True)
class Certificate:
    """A written and checked proof."""

    file: Path
    positions: int
    """The number of positions listed; a position listed twice counts twice."""
    references: int
    """The number of references to earlier positions."""
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
        position: the position to prove.
        path: the file.
        overwrite: whether to replace an existing file.
        keywords: as for :func:`solve`.

    Raises:
        CertificateError: nothing is proven within the limits, or the file cannot be written.
        FileExistsError: the file exists.
    """
    target = Path(path)
    _refuse_path(target, overwrite)
    solver = Solver(position, **keywords)
    solver.run()
    return solver.certify(target, overwrite=overwrite)


def _refuse_path(path: Path, overwrite: bool) -> None:
    """Checks a path before the work starts, so that no work is lost."""
    if not overwrite and path.exists():
        raise FileExistsError(f"{path} already exists; overwrite=True replaces it")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"cannot write {path.name}: {path.parent} is not a folder")


def _write(running: _Running[Any], path: Path, overwrite: bool) -> Certificate:
    _refuse_path(path, overwrite)
    at = running.position
    # In a game without texts the moves describe the position.
    begin, moves = (at.text, ()) if at.text else (at.start or "", at.moves)
    part = path.with_name(f"{path.name}.{secrets.token_hex(4)}.partial")
    try:
        positions, references = running._work.certify(begin, moves, part)
        shown = at._rules.check(part, None)
        checked = _checked(shown)
        if not checked.claims:
            raise CertificateError("the certificate contains no claims")
        if overwrite:
            part.replace(path)
        else:
            # Unlike a replacement, a link fails if the file has been created meanwhile.
            try:
                os.link(part, path)
            except FileExistsError:
                raise
            except OSError:
                # The file system has no links.
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
    """Checks a certificate against the rules of the game that it names, and nothing else.

    Args:
        path: the file.
        game: your own rules, if the game has no name.
        memory: the memory limit of the check in bytes, such as "64M"; 1 GiB by default.

    Raises:
        Refused: the certificate does not prove its claims.
        OSError: the file cannot be read.
    """
    # This raises an error that names the file.
    os.stat(path)
    if game is not None:
        return _checked(rules_of(game).check(path, memory))
    return _checked(_native.check_file(path, memory))


def _checked(text: str) -> Checked:
    raw = read(text)
    return Checked(**{**raw, "claims": tuple(Claim(**claim) for claim in raw["claims"])})
