"""Results: frozen dataclasses with the fields of the program's `--json`, by name.

Players are numbers from 0, indices into `players`. `proven`, `bounds` and `mean` are those of the
side to move, or of player 0 at chance nodes and when the game is over; in `moves` those of the side
that plays the move. `bounds` are the proven least and greatest payoff, None if nothing is proven.
`mean` is the mean of playouts, from -1 (all lost) to 1 (all won), and proves nothing. Times are in
seconds, memory is in bytes.
"""

from __future__ import annotations

import dataclasses
import json
import math
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from proofwood._position import Position

__all__ = ["Expected", "MoveInfo", "ProofResult", "Question", "SearchResult", "ShortestWin"]

Value = Literal["win", "draw", "loss", "not-win", "not-loss", "unknown"]
"""The proven outcome."""

Bounds = tuple["int | None", "int | None"]
"""The least and the greatest payoff still possible."""


@dataclass(frozen=True)
class Expected:
    """Proven bounds on an expected payoff, in games with chance."""

    lower: float | None
    upper: float | None
    exact: bool
    """Whether the bounds are equal."""
    rounded: bool
    """Whether the bounds are final and differ only by rounding."""


@dataclass(frozen=True)
class MoveInfo:
    """The results for a move at the root, or an outcome of chance."""

    move: str
    visits: int
    """Playouts through the move."""
    proven: Value
    mean: float | None
    prior: float | None
    """The evaluator's prior, from 0 to 1, if it has any."""
    bounds: Bounds
    expected: Expected | None
    probability: float | None
    """The probability of an outcome of chance; None for a move."""
    proof_numbers: tuple[float | None, ...]
    """Each player's proof number; `inf` if a win is impossible, None if they are not counted."""


@dataclass(frozen=True)
class Question:
    """A question of a prover: can `player` force `at_least`?"""

    player: int
    at_least: int
    answer: Literal["proven", "disproven"] | None
    answered_by: str | None
    """With algorithm "auto": the prover that found the answer."""
    estimate: float | None
    """The probability of a yes as estimated by ppns and df-ppns; it proves nothing."""
    nodes: int
    expansions: int
    seconds: float


def _plain(value: Any) -> Any:
    """Converts a value for `json`."""
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        fields = dataclasses.fields(value)
        return {field.name: _plain(getattr(value, field.name)) for field in fields}
    if isinstance(value, (tuple, list)):
        return [_plain(part) for part in value]
    if isinstance(value, dict):
        return {key: _plain(part) for key, part in value.items()}
    if isinstance(value, float) and math.isinf(value):
        return "inf"
    return value


@dataclass(frozen=True, repr=False)
class _Result:
    """The common fields of the results of searches and provers."""

    position: Position
    """The position that was searched."""
    players: tuple[str, ...]
    to_move: int | None
    goal: str
    stop_reason: str | None
    """The reason why the search ended; None while it runs."""
    solved: bool
    """Whether the question is answered."""
    proven: Value
    bounds: Bounds
    best_move: str | None
    pv: tuple[str, ...]
    """The line of best play, as far as it is known."""
    paranoid: bool
    """Whether values are guarantees against a coalition of all other players."""
    nodes: int
    bytes: int
    seconds: float
    threads: int
    seed: int
    counters: Mapping[str, int] | None
    moves: tuple[MoveInfo, ...]
    """The results for each move; empty for provers."""
    proof_numbers: tuple[float | None, ...]
    """Each player's proof number, None if they are not counted; empty for provers, which ask one
    question after another."""

    @property
    def game(self) -> str:
        """The game's description."""
        return self.position.game

    def to_dict(self) -> dict[str, Any]:
        """The fields in a form for `json.dumps`, named as in the program's `--json`."""
        own = {f.name: _plain(getattr(self, f.name)) for f in dataclasses.fields(self)
               if f.name != "position"}
        return {"game": self.game, "position": self.position.text or None, **own}

    def _columns(self) -> dict[str, tuple[type, list[Any]]]:
        """The columns of a data frame, each with a fixed type."""
        moves = self.moves

        def column(kind: type, value: Callable[[MoveInfo], Any]) -> tuple[type, list[Any]]:
            return kind, [value(known) for known in moves]

        return {
            "game": column(str, lambda _: self.game),
            "position": column(str, lambda _: self.position.text),
            "move": column(str, lambda known: known.move),
            "visits": column(int, lambda known: known.visits),
            "mean": column(float, lambda known: known.mean),
            "prior": column(float, lambda known: known.prior),
            "proven": column(str, lambda known: known.proven),
            "lower": column(int, lambda known: known.bounds[0]),
            "upper": column(int, lambda known: known.bounds[1]),
            "probability": column(float, lambda known: known.probability),
            **{
                f"proof_number_{player}": (float, [known.proof_numbers[player] for known in moves])
                for player in range(len(self.players))
            },
        }

    def to_pandas(self) -> Any:
        """The moves as a pandas data frame, one row each. All results of games with the same number
        of players have the same columns and types, so that frames can be concatenated."""
        import pandas

        types = {str: "object", int: "Int64", float: "float64"}
        return pandas.DataFrame(
            {name: pandas.Series(values, dtype=types[kind])
             for name, (kind, values) in self._columns().items()}
        )

    def to_polars(self) -> Any:
        """The moves as a polars data frame, one row each, with columns as in :meth:`to_pandas`."""
        import polars

        types = {str: polars.String, int: polars.Int64, float: polars.Float64}
        columns = self._columns()
        return polars.DataFrame(
            {name: values for name, (_, values) in columns.items()},
            schema={name: types[kind] for name, (kind, _) in columns.items()},
        )

    def _mover(self) -> str:
        return self.players[self.to_move or 0]

    def _headline(self) -> str:
        mover, best = self._mover(), self.best_move
        by = f" with {best}" if best else ""
        match self.proven:
            case "win":
                return f"{mover} wins{by}, proven"
            case "draw":
                return f"{mover} draws{by}, proven"
            case "loss":
                return f"{mover} loses, proven"
            case "not-win":
                return f"{mover} cannot win, proven; best move {best}"
            case "not-loss":
                return f"{mover} does not lose{by}, proven"
            case _:
                return f"best move {best}; nothing is proven" if best else "nothing is known"

    def _effort(self) -> str:
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{self.nodes:,} nodes in {self.seconds:.3g} s on {threads}"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.game}: {self._headline()}; {self._effort()}>"

    def __str__(self) -> str:
        lines = [self._headline()]
        if self.pv:
            lines.append("line " + " ".join(self.pv))
        lines.append(self._effort())
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        """The board and a table of the moves, for notebooks."""
        head = f"<p><b>{escape(self._headline())}</b></p>"
        board = f"<pre>{escape(self.position.board)}</pre>"
        line = f"<p>line {escape(' '.join(self.pv))}</p>" if self.pv else ""
        return f"<div>{board}{head}{_table(self.moves, self.players)}{line}" \
               f"<p>{escape(self._effort())}</p></div>"


def _number(value: float | None) -> str:
    if value is None:
        return "?"
    return "∞" if math.isinf(value) else str(int(value))


def _table(moves: Sequence[MoveInfo], players: Sequence[str]) -> str:
    if not moves:
        return ""
    total = sum(known.visits for known in moves) or 1
    # If proof numbers are not counted, they only repeat the column "proven".
    counted = all(None not in known.proof_numbers for known in moves)
    rows = []
    for known in sorted(moves, key=lambda known: -known.visits):
        lower, upper = known.bounds
        ends = (".." if lower != upper else "").join(
            "?" if end is None else str(end) for end in ((lower,) if lower == upper and
                                                         lower is not None else (lower, upper)))
        cells = [
            known.move,
            "" if known.proven == "unknown" else known.proven,
            f"{known.visits:,}",
            f"{100 * known.visits / total:.0f} %",
            "" if known.mean is None else f"{known.mean:+.3f}",
            ends,
        ]
        if counted:
            cells.append(" / ".join(_number(number) for number in known.proof_numbers))
        rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    names = ["move", "proven", "visits", "share", "mean", "bounds"]
    if counted:
        names.append("proof numbers of " + " / ".join(players))
    head = "".join(f"<th>{escape(name)}</th>" for name in names)
    return f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>"


@dataclass(frozen=True, repr=False)
class SearchResult(_Result):
    """The result of a search with playouts."""

    expected: Expected | None
    """Proven bounds on the expected payoff, in games with chance."""
    mean: float | None
    ends_in: int | None
    """Moves of both sides until a proven win ends the game at the latest."""
    counts_proof_numbers: bool
    """Whether proof numbers are counted; otherwise one that is neither 0 nor `inf` is None."""
    settings: Mapping[str, Mapping[str, str]]
    """The settings in force by name, each with its `value` and its `source` ("given",
    "recommended" by the game, or "default"); empty while the search runs."""
    saturated: bool
    """Whether a proof number has saturated and is only a lower bound."""
    paranoid_pruning: bool
    playouts: int
    """Playouts of this run."""
    playouts_per_second: float

    def _effort(self) -> str:
        return f"{self.playouts:,} playouts, {_Result._effort(self)}"


@dataclass(frozen=True, repr=False)
class ProofResult(_Result):
    """The result of a prover. `proven` and `bounds` are those of `player`."""

    algorithm: str
    player: int
    questions: tuple[Question, ...]
    expansions: int
    nodes_per_second: float

    def _mover(self) -> str:
        return self.players[self.player]


@dataclass(frozen=True)
class ShortestWin:
    """The shortest forced win of a player."""

    winner: int
    moves: int | None
    """The number of moves of both sides together; None if a limit was reached first."""
    more_than: int
    """A proven lower bound: the win takes more moves than this."""
    pv: tuple[str, ...]
    """Best play of both sides."""
    nodes: int
    stop_reason: str | None

    def to_dict(self) -> dict[str, Any]:
        """The fields in a form for `json.dumps`."""
        result: dict[str, Any] = _plain(self)
        return result


def read(text: str) -> dict[str, Any]:
    """Converts an answer of the compiled part: lists become tuples, for frozen dataclasses."""
    def frozen(value: Any) -> Any:
        if isinstance(value, list):
            return tuple(map(frozen, value))
        if isinstance(value, dict):
            return {key: frozen(part) for key, part in value.items()}
        return value

    answer: dict[str, Any] = frozen(json.loads(text))
    return answer


def _numbers(raw: dict[str, Any]) -> tuple[float | None, ...]:
    return tuple(math.inf if number == "inf" else number for number in raw["proof_numbers"])


def _expected(raw: dict[str, Any]) -> dict[str, Any]:
    found = raw["expected"]
    return {**raw, "expected": None if found is None else Expected(**found)}


def search_result(position: Position, raw: dict[str, Any]) -> SearchResult:
    """The result of a search from the answer of the compiled part."""
    moves = tuple(
        MoveInfo(**{**_expected(known), "proof_numbers": _numbers(known)}) for known in raw["moves"]
    )
    own = {"counters": None, "settings": {}, **_expected(raw), "proof_numbers": _numbers(raw)}
    return SearchResult(**{**own, "position": position, "moves": moves})


def proof_result(position: Position, raw: dict[str, Any]) -> ProofResult:
    """The result of a prover from the answer of the compiled part."""
    questions = tuple(Question(**asked) for asked in raw["questions"])
    rest = {"counters": None, **raw, "questions": questions, "moves": (), "proof_numbers": ()}
    return ProofResult(position=position, **rest)
