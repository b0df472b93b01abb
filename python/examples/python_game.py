"""A game whose rules are in Python: searched, checked, proven, and the proof checked.

Euclid (Cole and Davie 1969): two numbers; the mover subtracts a multiple of the smaller from the
larger; the player who makes one of them 0 wins.

    python python_game.py 21 13
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import proofwood as pw

Pair = tuple[int, int, int]  # the larger, the smaller, who is to move


class Euclid(pw.Game[Pair, int]):
    """A move is the multiple of the smaller number that is taken away."""

    zero_sum = True
    payoff_range = (-1, 1)
    players = ("Ann", "Bob")

    def __init__(self, one: int, other: int) -> None:
        self.name = f"euclid:{one},{other}"
        self.pair = max(one, other), min(one, other)

    def initial_state(self) -> Pair:
        return (*self.pair, 0)

    def turn(self, state: Pair) -> int | None:
        return state[2] if state[1] else None

    def legal_moves(self, state: Pair) -> Sequence[int]:
        return range(1, state[0] // state[1] + 1)

    def play(self, state: Pair, move: int) -> Pair:
        large, small, mover = state
        left = large - move * small
        return (max(left, small), min(left, small), 1 - mover)

    def payoffs(self, state: Pair) -> tuple[int, int]:
        return (-1, 1) if state[2] == 0 else (1, -1)

    def key(self, state: Pair) -> Pair:
        return state

    def state_text(self, state: Pair) -> str:
        return f"{state[0]} {state[1]} {self.players[state[2]]}"

    def parse_state(self, text: str) -> Pair:
        large, small, mover = text.split()
        return int(large), int(small), self.players.index(mover)


def main(one: int, other: int) -> None:
    game = Euclid(one, other)
    print(pw.check_rules(game, games=50))
    start = pw.position(game)
    print(pw.search(start, playouts=1000, threads=1))
    r = pw.solve(start, threads=1)
    print(r)
    # The mover wins if the larger number is at least the golden ratio times the smaller.
    golden = game.pair[0] * 2 > game.pair[1] * (1 + 5**0.5)
    assert (r.proven == "win") == golden or one == other
    with tempfile.TemporaryDirectory() as folder:
        written = pw.certificate(start, Path(folder) / "euclid.proof", threads=1)
        print(f"a proof of {written.positions} positions:", pw.check(written.file, game=game).claims)


if __name__ == "__main__":
    main(*(int(word) for word in sys.argv[1:3] or ("21", "13")))
