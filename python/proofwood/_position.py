"""Games by name, and positions."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from proofwood import _native
from proofwood._errors import TextError
from proofwood._game import Game, rules_of, whole
from proofwood._results import read

__all__ = ["GameInfo", "Position", "game_info", "games", "perft", "position"]


@dataclass(frozen=True)
class GameInfo:
    """The description of a game."""

    name: str
    """The name; options follow it after a colon."""
    summary: str
    also: tuple[str, ...]
    """Other common names."""
    rules: str
    notation: str
    """The notation of moves and positions."""
    options: tuple[tuple[str, str], ...]
    """The spelling and the effect of each option."""
    example: str
    """An example of a description with options."""


def games() -> list[GameInfo]:
    """All games with a name."""
    return [GameInfo(**told) for told in _native.games()]


def game_info(name: str) -> GameInfo:
    """The description of the game with this name or unambiguous prefix.

    Raises:
        SpecError: there is no such game; the message suggests the most similar names.
    """
    return GameInfo(**_native.game_info(name))


class Position:
    """A position of a game. It is immutable: :meth:`play` returns a new one. Positions can be
    compared, hashed, copied and pickled. Two are equal if their games and texts are equal,
    regardless of the moves; in a game without texts, if the same moves were played. A game in
    Python equals only itself, unless it defines `__eq__` and `__hash__`.

    Create one with :func:`position`.
    """

    __slots__ = ("_game", "_moves", "_place", "_rules", "_start", "_view")

    _game: str | Game[Any, Any]
    _rules: _native.Rules
    _place: _native.Position
    _start: str | None
    _moves: tuple[str, ...]
    _view: dict[str, Any] | None

    def __new__(cls, *_: object) -> Position:
        raise TypeError("create a position with proofwood.position(game, moves, text=...)")

    @property
    def game(self) -> str:
        """The game's description, such as `connect-four:9x5`."""
        return self._rules.spec

    @property
    def rules(self) -> Game[Any, Any] | None:
        """The game in Python; None for a named game."""
        return self._game if isinstance(self._game, Game) else None

    @property
    def state(self) -> Any:
        """The state of a game in Python.

        Raises:
            TypeError: the game is not a game in Python.
        """
        return self._place.state()

    @property
    def start(self) -> str | None:
        """The text of the position before the moves; None for the game's start."""
        return self._start

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played from the start, in the game's notation."""
        return self._moves

    @property
    def text(self) -> str:
        """The position on one line, which `position(game, text=...)` reads; empty if the game has
        no such form."""
        text: str = self._seen()["position"] or ""
        return text

    @property
    def board(self) -> str:
        """The position drawn over several lines."""
        board: str = self._seen()["board"]
        return board

    @property
    def players(self) -> tuple[str, ...]:
        """The players' names."""
        players: tuple[str, ...] = self._seen()["players"]
        return players

    @property
    def to_move(self) -> int | None:
        """The player to move, from 0; None at chance nodes and when the game is over."""
        to_move: int | None = self._seen()["to_move"]
        return to_move

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The legal moves, or the outcomes of chance; empty when the game is over."""
        moves: tuple[str, ...] = self._seen()["legal_moves"]
        return moves

    @property
    def probabilities(self) -> tuple[float, ...] | None:
        """The probability of each outcome at a chance node; otherwise None."""
        found: tuple[float, ...] | None = self._seen()["probabilities"]
        return found

    @property
    def payoffs(self) -> tuple[int, ...] | None:
        """The players' payoffs; None before the end."""
        payoffs: tuple[int, ...] | None = self._seen()["payoffs"]
        return payoffs

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self.payoffs is not None

    @property
    def is_chance(self) -> bool:
        """Whether the position is a chance node."""
        return self.probabilities is not None

    def play(self, *moves: Any) -> Position:
        """The position after these moves. Each is one move, or several in a text as in
        :func:`position`. A whole number is the move with this text. In a game in Python a move may
        also be an object from its `legal_moves`. A forced pass may be omitted; it is still added to
        :attr:`moves`.

        Raises:
            TextError: a move is not legal; the message lists the legal ones.
        """
        place, played = self._place, list(self._moves)
        number = 0
        for given in moves:
            text = self._written(given, place)
            for move in self._rules.split_moves(text) or [text]:
                number += 1
                try:
                    place, written = place.play(move)
                except TextError as error:
                    if len(moves) == 1 and move == text:
                        raise
                    raise TextError(f"move {number}: {error}") from None
                played.extend(written)
        return _made(self._game, self._rules, place, self._start, tuple(played))

    def move(self, text: str) -> Any:
        """The move with this text: in a game in Python, an object from its `legal_moves`; in a
        named game, the text itself.

        Raises:
            TextError: no legal move has this text.
        """
        if text not in self.legal_moves:
            legal = " ".join(self.legal_moves)
            raise TextError(f"'{text}' is not a legal move here; legal moves: {legal}")
        rules = self.rules
        if rules is None or self.is_chance:
            return text
        return list(rules.legal_moves(self.state))[self.legal_moves.index(text)]

    def _written(self, move: Any, place: _native.Position) -> str:
        """The text of a move."""
        if isinstance(move, str):
            return move
        if isinstance(self._game, Game):
            return self._game.move_text(place.state(), move)
        try:
            return str(operator.index(move))
        except TypeError:
            raise TypeError(f"a move should be a string or a whole number, not {move!r}") from None

    def play_random(self, seed: int = 0) -> Position:
        """The position after a random legal move, or an outcome of chance by its weight; the same
        position if the game is over."""
        if self.is_over:
            return self
        place, written = self._place.play_random(whole("seed", seed, 0, 2**64 - 1))
        return _made(self._game, self._rules, place, self._start, (*self._moves, written))

    def perft(self, depth: int) -> int:
        """The number of sequences of `depth` moves."""
        return self._place.perft(whole("depth", depth, 0, 2**32 - 1))

    def _seen(self) -> dict[str, Any]:
        if self._view is None:
            object.__setattr__(self, "_view", read(self._place.view()))
        assert self._view is not None
        return self._view

    def _key(self) -> tuple[object, ...]:
        text = self.text
        return (self._own(), text) if text else (self._own(), self._start, self._moves)

    def _own(self) -> str | Game[Any, Any]:
        return self.game if isinstance(self._game, str) else self._game

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("positions are immutable; play() returns a new one")

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, _: object) -> Position:
        return self

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self._own(), self._start, self._moves)

    def __str__(self) -> str:
        return self.board

    def __repr__(self) -> str:
        text = f", text={self.text!r}" if self.text else f", {' '.join(self._moves)!r}"
        return f"proofwood.position({self._own()!r}{text})"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.board)}</pre>"


def _made(
    game: str | Game[Any, Any],
    rules: _native.Rules,
    place: _native.Position,
    start: str | None,
    moves: tuple[str, ...],
) -> Position:
    made = object.__new__(Position)
    for name, value in (
        ("_game", game),
        ("_rules", rules),
        ("_place", place),
        ("_start", start),
        ("_moves", moves),
        ("_view", None),
    ):
        object.__setattr__(made, name, value)
    return made


def _again(game: str | Game[Any, Any], start: str | None, moves: tuple[str, ...]) -> Position:
    """Restores a pickled position."""
    return position(game, moves, text=start)


def position(
    game: str | Game[Any, Any], moves: str | Iterable[Any] = (), *, text: str | None = None
) -> Position:
    """A position of a game.

    Args:
        game: the game's description, such as "connect-four" or "othello:6"; :func:`games` lists
            them all. Or your own rules, a :class:`Game`.
        moves: moves to play from the start, or from `text`: "43655644233456", "f5 d6,c3", or a
            list of moves, as :meth:`Position.play` accepts them.
        text: the position before the moves, as in `Position.text`; by default the start.

    Raises:
        SpecError: there is no such game.
        TextError: a move is not legal, or the text is not a position.
    """
    rules = rules_of(game)
    place = rules.start() if text is None else rules.read(text)
    made = _made(game, rules, place, text, ())
    listed = (moves,) if isinstance(moves, str) else tuple(moves)
    listed = tuple(move for move in listed if not isinstance(move, str) or move.strip())
    return made.play(*listed) if listed else made


def perft(position: Position, depth: int) -> int:
    """The number of sequences of `depth` moves from a position. Games that end earlier do not
    count."""
    return position.perft(depth)
