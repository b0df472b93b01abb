"""Solves every position of a small game and draws the values of its opening moves.

    python solve_and_draw.py            # tic-tac-toe
    python solve_and_draw.py mnk:4,4,3
"""

import sys

import proofwood as pw


def values(start: pw.Position) -> dict[str, str]:
    """The value of each move to its player."""
    turned = {"win": "loss", "loss": "win"}
    found = {}
    for move in start.legal_moves:
        value = pw.solve(start.play(move), threads=1).proven
        found[move] = turned.get(value, value)
    return found


def main(game: str) -> None:
    start = pw.position(game)
    print(start)
    r = pw.solve(start)
    print(r, end="\n\n")
    for move, value in values(start).items():
        print(f"{move:4} {value}")

    # A game in which both sides play best.
    p = start
    while not p.is_over:
        best = pw.solve(p, threads=1).best_move
        p = p.play(best or p.legal_moves[0])
    print(f"\nBest play: {' '.join(p.moves)}")
    print(p)


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "tic-tac-toe")
