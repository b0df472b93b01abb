"""PettingZoo: games of the engine, or rules in Python, as environments for learners (AEC).

Needs the packages `pettingzoo` and `numpy`, and is imported by name:
`import proofwood.pettingzoo`.
"""

from __future__ import annotations

import random
from typing import Any

import numpy
from gymnasium import spaces
from pettingzoo import AECEnv

from proofwood._game import Game
from proofwood._position import Position, position

__all__ = ["GameEnv"]


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game as an environment. Agents are the game's players, `player_0` and so on. Action `i` is
    the move `i` of `position.legal_moves`; `action_mask` marks those that exist. The observation is
    the position's text (or the moves if the game has none), a byte per character, padded with
    zeros. Dice are rolled by the environment. Rewards are payoffs.

        >>> env = GameEnv("tic-tac-toe")
        >>> env.reset(seed=0)
        >>> observation, reward, over, cut, info = env.last()
        >>> int(observation["action_mask"].sum()), info["legal_moves"][0]
        (9, 'a3')

    Args:
        game: the game's description, or rules in Python.
        max_moves: the maximum number of moves in a position; more raise an error.
        max_text: the longest text of a position.
        max_plies: the number of moves after which an episode is cut off.
    """

    metadata = {"name": "proofwood_v0", "is_parallelizable": False, "render_modes": ["ansi"]}

    def __init__(
        self,
        game: str | Game[Any, Any],
        *,
        max_moves: int = 512,
        max_text: int = 1024,
        max_plies: int = 2500,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._start = position(game)
        self._sizes = (max_moves, max_text, max_plies)
        self.render_mode = render_mode
        self.possible_agents = [f"player_{player}" for player in range(len(self._start.players))]
        observed = spaces.Dict(
            {
                "observation": spaces.Box(0, 255, (max_text,), numpy.uint8),
                "action_mask": spaces.Box(0, 1, (max_moves,), numpy.int8),
            }
        )
        self.observation_spaces = {agent: observed for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(max_moves) for agent in self.possible_agents}
        self.position: Position = self._start
        self._dice = random.Random(0)

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins an episode, at the position `p` with `options={"position": p}`."""
        self._dice = random.Random(seed)
        self.position = (options or {}).get("position", self._start)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, Any] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._settle()

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        moves = self.position.legal_moves
        if action is None or not 0 <= action < len(moves):
            raise ValueError(f"action {action} should be a number from 0 to {len(moves) - 1}")
        self._cumulative_rewards[agent] = 0
        self.position = self.position.play(moves[int(action)])
        self._clear_rewards()
        self._settle()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        max_moves, max_text, _ = self._sizes
        text = (self.position.text or " ".join(self.position.moves)).encode()[:max_text]
        observation = numpy.zeros(max_text, numpy.uint8)
        observation[: len(text)] = numpy.frombuffer(text, numpy.uint8)
        mask = numpy.zeros(max_moves, numpy.int8)
        if agent == self.agent_selection:
            mask[: len(self.position.legal_moves)] = 1
        return {"observation": observation, "action_mask": mask}

    def render(self) -> str | None:
        return self.position.board if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Does nothing: no resource is open."""

    def _settle(self) -> None:
        """Resolves chance nodes, and sets the next agent, or the rewards at the end."""
        max_moves, _, max_plies = self._sizes
        while self.position.is_chance:
            self.position = self.position.play_random(self._dice.getrandbits(63))
        payoffs, mover = self.position.payoffs, self.position.to_move
        if payoffs is not None:
            self.rewards = dict(zip(self.agents, payoffs))
            self.terminations = dict.fromkeys(self.agents, True)
        elif len(self.position.moves) >= max_plies:
            self.truncations = dict.fromkeys(self.agents, True)
        if mover is not None:
            self.agent_selection = self.possible_agents[mover]
        moves = self.position.legal_moves
        if len(moves) > max_moves:
            raise ValueError(f"max_moves: {max_moves} should be at least {len(moves)} here")
        self.infos = {agent: {"legal_moves": moves} for agent in self.agents}
