"""Rules in Python."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar, Union

from proofwood import _native
from proofwood._errors import OptionError

if TYPE_CHECKING:
    import numpy

__all__ = ["CHANCE", "Game", "RulesReport", "check_rules"]

S = TypeVar("S")
"""A position of a game: any object that does not change, such as a tuple."""
M = TypeVar("M")
"""A move: any object that can be a key of a dict."""

CHANCE: Final = -1
"""The result of `Game.turn` at chance nodes, such as rolls of a die."""

Key = Union[bytes, str, int, tuple[Any, ...], None]


class Game(Generic[S, M]):
    """Rules of a game of one to eight players. Five methods are required; all others have a
    default.

        >>> class Sticks(Game[tuple[int, int], int]):
        ...     '''Take one, two or three of the sticks; the player who takes the last one wins.'''
        ...     zero_sum = True
        ...     payoff_range = (-1, 1)
        ...     def initial_state(self): return (10, 0)
        ...     def turn(self, state): return state[1] if state[0] else None
        ...     def legal_moves(self, state): return range(1, min(state[0], 3) + 1)
        ...     def play(self, state, move): return (state[0] - move, 1 - state[1])
        ...     def payoffs(self, state): return (1, -1) if state[1] else (-1, 1)
        ...     def key(self, state): return state
        >>> solve(position(Sticks())).best_move
        '2'

    States must be immutable: :meth:`play` returns a new one. The same state must give the same
    turn, moves (in the same order) and payoffs every time; :func:`check_rules` finds rules that do
    not. An exception in a method ends the search and is raised for its caller.

    A search calls these methods from threads of its own, one at a time as long as Python has its
    global lock.
    """

    name: str = ""
    """The game's description; the class's name if it is empty."""
    players: Sequence[str] = ("player 0", "player 1")
    """The players' names; one to eight."""
    zero_sum: bool = False
    """Whether the payoffs of two players always add up to zero. Proofs are then exact."""
    payoff_range: tuple[int, int] | Sequence[tuple[int, int]] | None = None
    """The least and the greatest payoff, for all players or for each; a tight range helps
    proofs."""
    has_chance: bool = False
    """Whether `turn` may return `CHANCE`."""
    batch_size: int = 64
    """The greatest number of states in a call of :meth:`evaluate_batch`; 1 to 512."""
    batch_wait: float = 0.001
    """The longest time in seconds that a call waits for more states; it does not wait if the search
    finds no others."""
    has_priors: bool = False
    """Whether :meth:`evaluate_batch` returns priors, too. The search then selects by PUCT."""

    def __getstate__(self) -> dict[str, Any]:
        # The engine's form of the rules is created again when it is needed.
        return {name: kept for name, kept in self.__dict__.items() if name != "_proofwood_rules"}

    # Required.

    def initial_state(self) -> S:
        """The initial position."""
        raise NotImplementedError(f"{type(self).__name__} must implement initial_state()")

    def turn(self, state: S) -> int | None:
        """The player to move, from 0; `CHANCE`; or None when the game is over."""
        raise NotImplementedError(f"{type(self).__name__} must implement turn()")

    def legal_moves(self, state: S) -> Iterable[M]:
        """The legal moves, or the outcomes of chance; at least one, and always in the same order.
        Never called when the game is over. A game with forced passes lists the pass."""
        raise NotImplementedError(f"{type(self).__name__} must implement legal_moves()")

    def play(self, state: S, move: M) -> S:
        """The position after a move; `state` must not change."""
        raise NotImplementedError(f"{type(self).__name__} must implement play()")

    def payoffs(self, state: S) -> Sequence[int]:
        """The players' payoffs; called only when the game is over. A positive payoff is a win, a
        negative one a loss."""
        raise NotImplementedError(f"{type(self).__name__} must implement payoffs()")

    # Optional.

    def weight(self, state: S, move: M) -> int:
        """The relative weight of an outcome of chance, at least 1."""
        return 1

    def key(self, state: S) -> Key:
        """The identity of the position: bytes, text, whole numbers, or tuples of these. Positions
        with the same key must have the same future, and list the same moves in the same order. With
        keys, proofs are carried between transpositions, and provers recognise repetitions. None by
        default."""
        return None

    def move_text(self, state: S, move: M) -> str:
        """A move in the game's notation, without spaces and commas; `str` of it by default."""
        return str(move)

    def state_text(self, state: S) -> str:
        """The position on one line, which :meth:`parse_state` reads; empty by default."""
        return ""

    def parse_state(self, text: str) -> S:
        """Reads a position.

        Raises:
            ValueError: the text is not a position; the message says why.
        """
        raise ValueError("this game has no text form for positions; give the moves instead")

    def board_text(self, state: S) -> str:
        """The position drawn over several lines; `state_text`, or else `str` of it."""
        return self.state_text(state) or str(state)

    def evaluate(self, state: S) -> Sequence[float]:
        """The players' expected values, from -1 to 1; opposites with zero sum. Without this method,
        leaves are valued by random playouts."""
        raise NotImplementedError(f"{type(self).__name__} does not implement evaluate()")

    def evaluate_batch(
        self, states: list[S]
    ) -> Sequence[Sequence[float]] | numpy.ndarray | tuple[Any, Any]:
        """The values of several states at once: an array with a row for each state and a number for
        each player, float32 of shape (len(states), len(players)). With `has_priors` a pair of
        values and priors: a row for each state with a number from 0 for each legal move, in the
        order of :meth:`legal_moves`. The search divides the numbers of a row by their sum."""
        raise NotImplementedError(f"{type(self).__name__} does not implement evaluate_batch()")


@dataclass(frozen=True)
class RulesReport:
    """The figures and findings of a check of rules."""

    games: int
    """The number of random games that were played."""
    ended: int
    """The number of games that ended within 10,000 moves."""
    longest: int
    """The number of moves of the longest game."""
    positions: int
    hashes: int
    """The number of different keys among the positions; 0 if the game has none."""
    transpositions: int
    """The number of transpositions: positions reached again by other moves, whose futures were
    compared."""
    texts: int
    """The number of positions whose text was read back as the same position."""
    adds_up_to_zero: bool
    """Whether the payoffs of two players always added up to zero."""


def rules_of(game: str | Game[Any, Any]) -> _native.Rules:
    """The rules of a game, given by description or as an object."""
    if isinstance(game, str):
        return _native.Rules(game)
    if not isinstance(game, Game):
        raise TypeError("a game should be a description such as 'othello:6', or a proofwood.Game, "
                        f"not {game!r}")
    # The engine's form of the game is stored in the game, so that all its positions share it. The
    # reference is weak, because that form refers to the game: else neither would ever be freed.
    kept: weakref.ref[_native.Rules] | None = game.__dict__.get("_proofwood_rules")
    rules = kept() if kept is not None else None
    if rules is None:
        rules = _native.Rules.of(game, game.name or type(game).__name__)
        # Frozen dataclasses are games, too.
        object.__setattr__(game, "_proofwood_rules", weakref.ref(rules))
    return rules


def whole(name: str, number: int, least: int, most: int) -> int:
    """Checks that a number is from `least` to `most`."""
    number = operator.index(number)
    if not least <= number <= most:
        raise OptionError(f"{name}: {number} should be a whole number from {least} to {most}")
    return number


def check_rules(
    game: str | Game[Any, Any], *, games: int = 100, seed: int = 0
) -> RulesReport:
    """Plays random games and checks at each position that the rules keep their contract. Call it in
    a test of your rules, before anything else uses them.

    Raises:
        RulesError: the rules break the contract; the message says which, where, and how to
            reproduce it.
    """
    games, seed = whole("games", games, 1, 2**64 - 1), whole("seed", seed, 0, 2**64 - 1)
    return RulesReport(**rules_of(game).check_rules(seed, games))
