"""Measures the rate of `analyze` on positions of Connect Four, next to `solve --positions` on the
same positions. This is no test. Usage: rate.py PROGRAM FOLDER [POSITIONS].
"""

import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

WIDTH, HEIGHT, UNDER_WAY, THREADS = 7, 6, 64, 2
program, folder = sys.argv[1], Path(sys.argv[2])
wanted = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000


def wins(cells, player):
    steps = [(1, 0), (0, 1), (1, 1), (1, -1)]
    lines = ([(x + i * a, y + i * b) for i in range(4)] for x, y in cells for a, b in steps)
    return any(all(cells.get(cell) == player for cell in line) for line in lines)


def sample():
    """Returns a position after 16 to 24 random moves; None if a player has won."""
    cells, heights, moves = {}, [0] * WIDTH, random.randint(16, 24)
    for move in range(moves):
        column = random.choice([c for c in range(WIDTH) if heights[c] < HEIGHT])
        cells[column, heights[column]] = "xo"[move % 2]
        heights[column] += 1
        if wins(cells, "xo"[move % 2]):
            return None
    rows = ["".join(cells.get((c, r), ".") for c in range(WIDTH)) for r in reversed(range(HEIGHT))]
    return "/".join(rows) + " " + "xo"[moves % 2]


def spent(before):
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def analyze():
    command = [program, "analyze", "connect-four", "--algorithm", "auto"]
    command += ["--jobs", str(THREADS), "--threads", "1"]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe)
    values, asked = {}, 0
    while len(values) < len(positions):
        while asked < len(positions) and asked - len(values) < UNDER_WAY:
            query = json.dumps({"id": asked, "position": positions[asked]})
            process.stdin.write(query.encode() + b"\n")
            asked += 1
        process.stdin.flush()
        answer = json.loads(process.stdout.readline())
        values[answer["id"]] = answer["proven"]
        if len(values) == len(positions):
            status = Path(f"/proc/{process.pid}/status").read_text()
            peak = next(line for line in status.splitlines() if line.startswith("VmHWM"))
    process.stdin.close()
    process.wait()
    return [values[number] for number in range(len(positions))], peak


def solve():
    command = [program, "solve", "connect-four", "--positions", str(folder / "positions"), "--json"]
    run = subprocess.run(command + ["--threads", str(THREADS)], capture_output=True, check=True)
    return [json.loads(line)["proven"] for line in run.stdout.splitlines()], ""


random.seed(21)
positions = []
while len(positions) < wanted:
    positions += filter(None, [sample()])
(folder / "positions").write_text("\n".join(["position", *positions]))
found = []
for way in (solve, analyze, solve, analyze):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    values, peak = way()
    print(f"{way.__name__:8} {time.time() - start:6.2f} s, {spent(before):6.2f} s of CPU  {peak}")
    found.append(values)
assert all(values == found[0] for values in found)
