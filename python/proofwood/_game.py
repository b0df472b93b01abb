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
"""What `Game.turn` answers where a die or the like decides."""

Key = Union[bytes, str, int, tuple[Any, ...], None]


class Game(Generic[S, M]):
    """Rules of a game of one to eight players. Five methods are required; all others have a
    default.

        >>> class Sticks(Game[tuple[int, int], int]):
        ...     '''Take one, two or three of the sticks; who takes the last one wins.'''
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

    States must not change: :meth:`play` makes another one. The same state must give the same
    turn, moves (in the same order) and payoffs every time; :func:`check_rules` finds rules that
    do not. An exception in a method ends the search and is raised where the search was asked
    for.

    A search calls these methods from threads of its own, one at a time as long as Python has its
    global lock.
    """

    name: str = ""
    """The game's description; the class's name where it is empty."""
    players: Sequence[str] = ("player 0", "player 1")
    """What each player is called; one to eight."""
    zero_sum: bool = False
    """Whether the payoffs of two players always add up to zero. Proofs are then exact."""
    payoff_range: tuple[int, int] | Sequence[tuple[int, int]] | None = None
    """The least and the greatest payoff, of all players or of each; a tight range helps proofs."""
    has_chance: bool = False
    """Whether `turn` may answer `CHANCE`."""
    batch_size: int = 64
    """States in a call of :meth:`evaluate_batch`, at most; 1 to 512."""
    batch_wait: float = 0.001
    """Seconds that a call waits for more of them, at most: it does not wait when the search finds
    no other."""
    has_priors: bool = False
    """Whether :meth:`evaluate_batch` answers priors, too. The search then chooses by PUCT."""

    def __getstate__(self) -> dict[str, Any]:
        # What the engine knows of it is made again where it is needed.
        return {name: kept for name, kept in self.__dict__.items() if name != "_proofwood_rules"}

    # Required.

    def initial_state(self) -> S:
        """The position that the game starts from."""
        raise NotImplementedError(f"{type(self).__name__} needs initial_state()")

    def turn(self, state: S) -> int | None:
        """The player to move, from 0; `CHANCE`; or None when the game is over."""
        raise NotImplementedError(f"{type(self).__name__} needs turn()")

    def legal_moves(self, state: S) -> Iterable[M]:
        """The legal moves, or what chance may bring; at least one, and always in the same order.
        Never called when the game is over. A game with forced passes lists the pass."""
        raise NotImplementedError(f"{type(self).__name__} needs legal_moves()")

    def play(self, state: S, move: M) -> S:
        """The position after a move; `state` stays as it is."""
        raise NotImplementedError(f"{type(self).__name__} needs play()")

    def payoffs(self, state: S) -> Sequence[int]:
        """What each player receives; called only when the game is over. More than 0 is a win,
        less a loss."""
        raise NotImplementedError(f"{type(self).__name__} needs payoffs()")

    # What there is besides.

    def weight(self, state: S, move: M) -> int:
        """Where chance decides, how often this happens in proportion to the others; from 1."""
        return 1

    def key(self, state: S) -> Key:
        """What tells the position from others: bytes, text, whole numbers, or tuples of these.
        Positions with one key must have one future, and list the same moves in the same order.
        With keys, proofs are carried between positions that are reached in different ways, and
        provers recognise repetitions. None by default: they are not."""
        return None

    def move_text(self, state: S, move: M) -> str:
        """A move as people write it, without spaces and commas; `str` of it by default."""
        return str(move)

    def state_text(self, state: S) -> str:
        """The position on one line, which :meth:`parse_state` reads; empty by default."""
        return ""

    def parse_state(self, text: str) -> S:
        """Reads a position.

        Raises:
            ValueError: what is wrong with the text.
        """
        raise ValueError("this game has no text form for positions; give the moves instead")

    def board_text(self, state: S) -> str:
        """The position drawn over several lines; `state_text`, or else `str` of it."""
        return self.state_text(state) or str(state)

    def evaluate(self, state: S) -> Sequence[float]:
        """What each player may expect, from -1 to 1; opposites with zero sum. Random playouts by
        the rules take its place where it is not there."""
        raise NotImplementedError(f"{type(self).__name__} has no evaluate()")

    def evaluate_batch(
        self, states: list[S]
    ) -> Sequence[Sequence[float]] | numpy.ndarray | tuple[Any, Any]:
        """The same of several states at once: an array with a row for each state and a number
        for each player, float32 of shape (len(states), len(players)). With `has_priors` that and
        the priors: a row for each state with a number from 0 for each legal move, in the order of
        :meth:`legal_moves`. The search divides the numbers of a row by their sum."""
        raise NotImplementedError(f"{type(self).__name__} has no evaluate_batch()")


@dataclass(frozen=True)
class RulesReport:
    """What a check of rules has looked at."""

    games: int
    """Random games."""
    ended: int
    """Those that came to an end within 10,000 moves."""
    longest: int
    """Moves of the longest of them."""
    positions: int
    hashes: int
    """Different keys among them; 0 where the game has none."""
    transpositions: int
    """Positions that came again by other moves, and whose futures were compared."""
    texts: int
    """Positions whose text was read back as the same position."""
    adds_up_to_zero: bool
    """Two players were always paid amounts that add up to zero."""


def rules_of(game: str | Game[Any, Any]) -> _native.Rules:
    """The rules of a game: by its description, or its own."""
    if isinstance(game, str):
        return _native.Rules(game)
    if not isinstance(game, Game):
        raise TypeError(f"a game is its description, or a proofwood.Game, not {game!r}")
    # Kept with the game: all positions of a game share what the engine knows of it. Weakly,
    # because that has the game: neither would ever be forgotten.
    kept: weakref.ref[_native.Rules] | None = game.__dict__.get("_proofwood_rules")
    rules = kept() if kept is not None else None
    if rules is None:
        rules = _native.Rules.of(game, game.name or type(game).__name__)
        # Frozen dataclasses are games, too.
        object.__setattr__(game, "_proofwood_rules", weakref.ref(rules))
    return rules


def whole(name: str, number: int, least: int, most: int) -> int:
    """A number from `least` to `most`, or an error that names it."""
    number = operator.index(number)
    if not least <= number <= most:
        raise OptionError(f"{name}: {number} should be a whole number from {least} to {most}")
    return number


def check_rules(
    game: str | Game[Any, Any], *, games: int = 100, seed: int = 0
) -> RulesReport:
    """Plays random games and checks at each position what rules promise. Run it in a test of
    your rules, before anything else is asked of them.

    Raises:
        RulesError: a promise is broken; the message says which, where, and how to see it again.
    """
    games, seed = whole("games", games, 1, 2**64 - 1), whole("seed", seed, 0, 2**64 - 1)
    return RulesReport(**rules_of(game).check_rules(seed, games))
