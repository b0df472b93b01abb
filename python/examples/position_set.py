"""Solves a set of positions on all cores, one thread each, and plots the times.

    python position_set.py                      # random positions of Connect Four
    python position_set.py --plot times.svg     # needs matplotlib
"""

from __future__ import annotations

import argparse
import os
from concurrent.futures import ThreadPoolExecutor

import proofwood as pw


def positions(count: int, plies: int) -> list[pw.Position]:
    """Positions after random moves, in which the game is not over."""
    found: dict[pw.Position, None] = {}
    seed = 0
    while len(found) < count:
        p = pw.position("connect-four")
        for ply in range(plies):
            p = p.play_random(seed * 1000 + ply)
        seed += 1
        if not p.is_over:
            found[p] = None
    return list(found)


def solved(p: pw.Position) -> pw.SearchResult | pw.ProofResult:
    return pw.solve(p, threads=1, tt="64M", time=60)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--plies", type=int, default=24)
    parser.add_argument("--plot")
    options = parser.parse_args()
    # The engine lets other Python threads run, so threads suffice; no processes are needed.
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(solved, positions(options.count, options.plies)))
    for r in results:
        print(f"{r.proven:8} {r.seconds:8.4f} s  {r.nodes:9} nodes  {''.join(r.position.moves)}")
    if options.plot:
        import matplotlib

        matplotlib.use("agg")
        from matplotlib import pyplot

        pyplot.step(sorted(r.seconds for r in results), range(1, len(results) + 1), where="post")
        pyplot.xscale("log")
        pyplot.xlabel("seconds")
        pyplot.ylabel("positions solved")
        pyplot.savefig(options.plot)


if __name__ == "__main__":
    main()
