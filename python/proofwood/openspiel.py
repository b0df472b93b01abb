"""OpenSpiel: its games as games of the engine, and the engine as one of its bots.

Needs the package `open_spiel`, and is imported by name: `import proofwood.openspiel`.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

import pyspiel

from proofwood._errors import ProofwoodError
from proofwood._game import CHANCE, Game, Key
from proofwood._position import Position, position
from proofwood._results import SearchResult
from proofwood._search import LIMITS, Search

__all__ = ["Bot", "SpielGame", "native_position"]

_LARGEST_WEIGHT = 2**31


class SpielGame(Game[Any, int]):
    """A game of OpenSpiel with perfect information, move by move. Moves are OpenSpiel's numbers
    of actions, as text: "3".

    Args:
        game: the game, or its name: "connect_four", "breakthrough(rows=5,columns=4)".
        scale: a factor that makes returns whole numbers.
        key: the key of a position (:meth:`proofwood.Game.key`), such as `str`. If a state's text
            omits a part that matters later, such as the turns left in pig, give none. Without keys
            provers treat each order of moves as a separate position.
        start: the initial state; by default the game's.

    Raises:
        ValueError: the game is of another kind.
    """

    def __init__(
        self,
        game: Any,
        *,
        scale: int = 1,
        key: Callable[[Any], Key] | None = None,
        start: Any = None,
    ) -> None:
        self.spiel = pyspiel.load_game(game) if isinstance(game, str) else game
        self.scale = scale
        self._key = key
        # The state is stored as text, so that the game can be pickled.
        self._start = None if start is None else pyspiel.serialize_game_and_state(self.spiel, start)
        kind = self.spiel.get_type()
        name = str(self.spiel)
        if kind.information != pyspiel.GameType.Information.PERFECT_INFORMATION:
            raise ValueError(f"{name} is not a game of perfect information")
        if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
            raise ValueError(f"in {name}, players move simultaneously")
        if kind.chance_mode == pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC:
            raise ValueError(f"{name} does not give the probabilities of chance outcomes")
        self.name = name
        players = self.spiel.num_players()
        self.players = tuple(f"player {player}" for player in range(players))
        self.has_chance = kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
        self.zero_sum = players == 2 and kind.utility == pyspiel.GameType.Utility.ZERO_SUM
        least, most = self.spiel.min_utility(), self.spiel.max_utility()
        if math.isfinite(least) and math.isfinite(most):
            self.payoff_range = (math.floor(least * scale), math.ceil(most * scale))

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "spiel": str(self.spiel)}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update({**kept, "spiel": pyspiel.load_game(kept["spiel"])})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SpielGame):
            return NotImplemented
        one, two = (
            (str(game.spiel), game.scale, game._key, game._start) for game in (self, other)
        )
        return one == two

    def __hash__(self) -> int:
        return hash((str(self.spiel), self.scale, self._start))

    def initial_state(self) -> Any:
        if self._start is None:
            return self.spiel.new_initial_state()
        return pyspiel.deserialize_game_and_state(self._start)[1]

    def turn(self, state: Any) -> int | None:
        player: int = state.current_player()
        if player >= 0:
            return player
        return None if state.is_terminal() else CHANCE

    def legal_moves(self, state: Any) -> Sequence[int]:
        if state.is_chance_node():
            return [outcome for outcome, _ in state.chance_outcomes()]
        moves: Sequence[int] = state.legal_actions()
        return moves

    def play(self, state: Any, move: int) -> Any:
        return state.child(move)

    def payoffs(self, state: Any) -> list[int]:
        returns = [value * self.scale for value in state.returns()]
        whole = [round(value) for value in returns]
        if any(abs(value - near) > 1e-6 for value, near in zip(returns, whole)):
            raise ValueError(f"the returns {returns} are not whole; give SpielGame a larger scale")
        return whole

    def weight(self, state: Any, move: int) -> int:
        outcomes = tuple(state.chance_outcomes())
        return _weights(tuple(chance for _, chance in outcomes))[
            [outcome for outcome, _ in outcomes].index(move)
        ]

    def key(self, state: Any) -> Key:
        return None if self._key is None else self._key(state)

    def board_text(self, state: Any) -> str:
        return str(state)


@functools.lru_cache(maxsize=1024)
def _weights(chances: tuple[float, ...]) -> tuple[int, ...]:
    """Whole numbers in proportion to probabilities."""
    parts = [Fraction(chance).limit_denominator(1_000_000) for chance in chances]
    common = math.lcm(*(part.denominator for part in parts))
    if common >= _LARGEST_WEIGHT:
        return tuple(max(1, round(chance * _LARGEST_WEIGHT / 2)) for chance in chances)
    return tuple(max(1, int(part * common)) for part in parts)


# Games that the engine itself provides, with rules a thousand times as fast.


def _connect_four(text: str) -> str:
    return str(int(text[1:]) + 1)


def _tic_tac_toe(text: str) -> str:
    row, column = re.findall(r"\d", text)
    return f"{'abc'[int(column)]}{3 - int(row)}"


def _breakthrough(rows: int, text: str) -> str:
    """Converts a move: there Black moves first from the top, here White from the bottom."""
    return re.sub(r"\d+", lambda row: str(rows + 1 - int(row[0])), text.strip("*"))


def _parameters(game: Any, names: Sequence[str]) -> list[int]:
    given = game.get_parameters()
    return [int(given[name]) for name in names]


def _native(game: Any) -> tuple[str, Callable[[str], str]] | None:
    """The engine's own game, and the conversion of its moves to actions."""
    name = game.get_type().short_name
    if name == "connect_four":
        rows, columns, line = _parameters(game, ("rows", "columns", "x_in_row"))
        spec = f"connect-four:{columns}x{rows}" + ("" if line == 4 else f",k={line}")
        return spec, _connect_four
    if name == "tic_tac_toe":
        return "tic-tac-toe", _tic_tac_toe
    if name == "breakthrough":
        rows, columns = _parameters(game, ("rows", "columns"))
        return f"breakthrough:{columns}x{rows}", functools.partial(_breakthrough, rows)
    return None


def native_position(state: Any) -> tuple[Position, dict[str, int]] | None:
    """The same position in the engine's own game, and the action of each of its moves; None if the
    engine does not have the game, or if the legal moves of the two differ."""
    game = state.get_game()
    found = _native(game)
    if found is None:
        return None
    spec, translate = found
    walked = game.new_initial_state()
    moves = []
    for action in state.history():
        moves.append(translate(walked.action_to_string(walked.current_player(), action)))
        walked.apply_action(action)
    if str(walked) != str(state):
        return None
    try:
        at = position(spec, moves)
        actions = {
            translate(state.action_to_string(state.current_player(), action)): action
            for action in state.legal_actions()
        }
    except (ProofwoodError, ValueError):
        return None
    return (at, actions) if set(actions) == set(at.legal_moves) else None


class Bot(pyspiel.Bot):  # type: ignore[misc]
    """The engine as a bot of OpenSpiel. It keeps its tree from move to move, and uses the engine's
    own rules if there are any (Connect Four, tic-tac-toe, Breakthrough).

    Args:
        game: the game.
        player: the player whose moves it chooses.
        scale: as for :class:`SpielGame`.
        key: as for :class:`SpielGame`.
        native: whether the engine's own rules may be used.
        keywords: limits and options of :func:`proofwood.search`; by default a second a move.
    """

    def __init__(
        self,
        game: Any,
        player: int,
        *,
        scale: int = 1,
        key: Callable[[Any], Key] | None = None,
        native: bool = True,
        **keywords: Any,
    ) -> None:
        pyspiel.Bot.__init__(self)
        self._rules = SpielGame(game, scale=scale, key=key)
        self._player = player
        self._native = native
        self._limits: Any = {name: keywords.pop(name) for name in LIMITS if name in keywords}
        if all(limit is None for limit in self._limits.values()):
            self._limits = {"time": 1.0}
        self._options = keywords
        self._search: Search | None = None

    def player_id(self) -> int:
        """The player whose moves it chooses."""
        return self._player

    def provides_policy(self) -> bool:
        return True

    def step(self, state: Any) -> int:
        """The action to play."""
        return self.step_with_policy(state)[1]

    def step_with_policy(self, state: Any) -> tuple[list[tuple[int, float]], int]:
        """The fraction of visits of every action, and the action to play."""
        result, actions = self._think(state)
        assert result.best_move is not None
        visits = sum(known.visits for known in result.moves)
        best = actions[result.best_move]
        policy = [
            (actions[known.move], known.visits / visits if visits else float(
                known.move == result.best_move))
            for known in result.moves
        ]
        return policy, best

    def inform_action(self, state: Any, player: int, action: int) -> None:
        """Does nothing: `step` reads the moves from the state."""

    def restart(self) -> None:
        """Discards the tree."""
        self._search = None

    def restart_at(self, state: Any) -> None:
        """Discards the tree."""
        self._search = None

    def _think(self, state: Any) -> tuple[SearchResult, dict[str, int]]:
        at, actions = self._find(state)
        search = self._search
        known = search.position if search is not None else None
        follows = (
            known is not None
            and known._own() == at._own()
            and at.moves[: len(known.moves)] == known.moves
        )
        if search is None or known is None or not follows:
            search = self._search = Search(at, **self._options)
        else:
            for move in at.moves[len(known.moves):]:
                search.advance(move)
        return search.run(**self._limits), actions

    def _find(self, state: Any) -> tuple[Position, dict[str, int]]:
        native = native_position(state) if self._native else None
        if native is not None:
            return native
        actions = {str(action): action for action in state.legal_actions()}
        moves = [str(action) for action in state.history()]
        try:
            at = position(self._rules, moves)
            if str(at.state) == str(state):
                return at, actions
        except ProofwoodError:
            pass
        # The state did not begin at the game's start.
        start = SpielGame(
            self._rules.spiel, scale=self._rules.scale, key=self._rules._key, start=state
        )
        return position(start), actions
