"""Measures the figures of the book's page on Python, on this machine. Costs are processor time.

    python measure.py            # everything
    python measure.py calls      # only the named ones: calls speed ctrl-c leaks threads bots

`speed` compares with the program, whose path is in PROOFWOOD.
"""

from __future__ import annotations

import os
import resource
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import proofwood as pw

Board = tuple[int, int, int]

LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100]


class Toe(pw.Game[Board, int]):
    """Tic-tac-toe in Python."""

    zero_sum = True
    payoff_range = (-1, 1)

    def initial_state(self) -> Board:
        return (0, 0, 0)

    def turn(self, state: Board) -> int | None:
        one, two, mover = state
        last = two if mover == 0 else one
        if (one | two) == 511 or any(last & line == line for line in LINES):
            return None
        return mover

    def legal_moves(self, state: Board) -> Sequence[int]:
        taken = state[0] | state[1]
        return [cell for cell in range(9) if not taken >> cell & 1]

    def play(self, state: Board, move: int) -> Board:
        one, two, mover = state
        return (one, two | 1 << move, 0) if mover else (one | 1 << move, two, 1)

    def payoffs(self, state: Board) -> tuple[int, int]:
        one, two, _ = state
        if any(one & line == line for line in LINES):
            return (1, -1)
        return (-1, 1) if any(two & line == line for line in LINES) else (0, 0)

    def key(self, state: Board) -> Board:
        return state


class Idle(pw.Game[int, int]):
    """Rules that do almost nothing, to measure the cost of the calls."""

    calls = 0

    def initial_state(self) -> int:
        return 0

    def turn(self, state: int) -> int | None:
        Idle.calls += 1
        return 0 if state < 100 else None

    def legal_moves(self, state: int) -> Sequence[int]:
        Idle.calls += 1
        return (1,)

    def play(self, state: int, move: int) -> int:
        Idle.calls += 1
        return state + move

    def payoffs(self, state: int) -> tuple[int, int]:
        Idle.calls += 1
        return (0, 0)


class Ready(Toe):
    """An evaluator whose leaves cost only the call."""

    def evaluate(self, state: Board) -> tuple[float, float]:
        return (0.0, 0.0)


class Batched(Toe):
    batch_size = 8
    sizes: list[int] = []

    def evaluate_batch(self, states: list[Board]) -> Any:
        Batched.sizes.append(len(states))
        return [(0.0, 0.0)] * len(states)


QUIET: Any = dict(memory="64M", solver=False, score_bounds=False, look_ahead=False)


def calls() -> None:
    Idle.calls = 0
    begun = time.process_time()
    pw.Position.perft(pw.position(Idle()), 99)
    for _ in range(30):
        pw.search(pw.position(Idle()), playouts=100, threads=1, **QUIET)
    took = time.process_time() - begun
    print(f"a call of a method: {1e6 * took / Idle.calls:.2f} µs ({Idle.calls} calls)")
    for name, game, threads in (("played out by the rules", Toe(), 1),
                                ("evaluate()", Ready(), 1),
                                ("evaluate_batch()", Batched(), 1),
                                ("evaluate_batch(), 8 threads", Batched(), 8)):
        Batched.sizes.clear()
        begun = time.process_time()
        r = pw.search(pw.position(game), playouts=5000, threads=threads, **QUIET)
        took = time.process_time() - begun
        print(f"tic-tac-toe in Python, {name}: {1e6 * took / r.playouts:.1f} µs a playout")
        if Batched.sizes:
            print(f"    {statistics.mean(Batched.sizes):.1f} leaves a call")


def speed() -> None:
    program = os.environ.get("PROOFWOOD", "proofwood")
    few, many = 100_000, 1_100_000

    def here(game: str, playouts: int) -> float:
        begun = time.process_time()
        pw.search(pw.position(game), playouts=playouts, threads=1, memory="256M")
        return time.process_time() - begun

    def there(game: str, playouts: int) -> float:
        command = [program, "search", game, "--playouts", str(playouts), "--threads", "1",
                   "--memory", "256M", "--json"]
        begun = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, capture_output=True, check=True)
        ended = resource.getrusage(resource.RUSAGE_CHILDREN)
        return ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime

    for game in ("connect-four", "othello"):
        times: dict[tuple[Any, int], float] = {}
        for _ in range(7):
            for run in (here, there):
                for playouts in (few, many):
                    key = (run, playouts)
                    times[key] = min(run(game, playouts), times.get(key, 1e9))
        # The difference of two runs excludes the time to start.
        one, other = (
            (many - few) / (times[run, many] - times[run, few]) for run in (here, there)
        )
        print(f"{game}: {one:,.0f} playouts a second of processor time here, {other:,.0f} in the "
              f"program ({100 * (one / other - 1):+.1f} %)")


def ctrl_c() -> None:
    for what in ("pw.search(p, time=600, threads=2)", "pw.solve(p, threads=2, tt='64M')",
                 "pw.search(q, time=600, threads=2)"):
        late = []
        script = ("import signal, time, proofwood as pw\nfrom measure import Toe\n"
                  "p, q = pw.position('othello'), pw.position(Toe())\n"
                  "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
                  "print('ready', flush=True)\n"
                  f"try:\n    {what.replace('(q,', '(q, solver=False, score_bounds=False,')}\n"
                  "except KeyboardInterrupt as e:\n    print(time.monotonic(), flush=True)\n")
        for _ in range(10):
            env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
            with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE,
                                  text=True, env=env) as program:
                assert program.stdout is not None
                program.stdout.readline()
                time.sleep(0.3)
                sent = time.monotonic()
                program.send_signal(signal.SIGINT)
                late.append(float(program.stdout.readline()) - sent)
        print(f"Ctrl-C during {what}: {1e3 * statistics.median(late):.0f} ms, "
              f"at most {1e3 * max(late):.0f} ms of 10")


def resident() -> float:
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def leaks() -> None:
    toe = pw.position(Toe())
    native = pw.position("tic-tac-toe")
    for name, p in (("by name", native), ("in Python", toe)):
        for number in range(10_001):
            pw.search(p, playouts=20, threads=1, memory="4M")
            if number in (1000, 10_000):
                print(f"searches of a game {name}: {number}, {resident():.1f} MiB resident")


def threads() -> None:
    p = pw.position("connect-four")

    def work() -> None:
        pw.search(p, playouts=300_000, threads=1, memory="256M")

    begun = time.perf_counter()
    work()
    one = time.perf_counter() - begun
    workers = [threading.Thread(target=work) for _ in range(4)]
    begun = time.perf_counter()
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    four = time.perf_counter() - begun
    print(f"4 threads of Python search at once: {4 * one / four:.2f} times as much as one, on "
          f"{os.cpu_count()} cores")


def bots() -> None:
    import pyspiel

    from proofwood.openspiel import Bot

    seconds, games = 0.1, 20
    for name, native in (("connect_four", True), ("connect_four", False), ("othello", False)):
        game = pyspiel.load_game(name)
        rate = rollouts(pyspiel, game, seconds)
        points = 0.0
        for number in range(games):
            seat = number % 2
            ours = Bot(game, seat, native=native, time=seconds, threads=1, memory="256M")
            evaluator = pyspiel.RandomRolloutEvaluator(1, number)
            theirs = pyspiel.MCTSBot(game, evaluator, 2.0, rate, 256, True, number, False)
            seats = [ours, theirs] if seat == 0 else [theirs, ours]
            returns = pyspiel.evaluate_bots(game.new_initial_state(), seats, number)
            points += (returns[seat] + 1) / 2
        how = "our own rules" if native else "OpenSpiel's rules through Python"
        print(f"{name}, {seconds} s a move on one thread, {how}: {points:g} of {games} points "
              f"against pyspiel.MCTSBot ({rate} simulations)")


def rollouts(pyspiel: Any, game: Any, seconds: float) -> int:
    """The number of simulations of OpenSpiel's bot in this time."""
    evaluator = pyspiel.RandomRolloutEvaluator(1, 0)
    bot = pyspiel.MCTSBot(game, evaluator, 2.0, 2000, 256, False, 0, False)
    state = game.new_initial_state()
    begun = time.perf_counter()
    bot.step(state)
    return max(1, int(2000 * seconds / (time.perf_counter() - begun)))


PARTS = {"calls": calls, "speed": speed, "ctrl-c": ctrl_c, "leaks": leaks, "threads": threads,
         "bots": bots}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
