"""Tests files with variations: sgfmill writes one that the program reads, and reads the proof
that the program writes. Usage: sgf_files.py PROGRAM FOLDER. Ends with 77 where sgfmill is missing.
"""

import json
import subprocess
import sys
from pathlib import Path

try:
    from sgfmill import sgf
except ImportError as error:
    print(error)
    sys.exit(77)

program, folder = sys.argv[1], Path(sys.argv[2])


def run(*arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True)


# A game of Atari Go with comments, marks, and variations at two places. Points are counted from
# below: (0, 0) is a1.
game = sgf.Sgf_game(size=5)
game.root.set("C", "variations [here] \\ there")
node = game.root
line = [("b", (2, 2)), ("w", (1, 1)), ("b", (0, 0)), ("w", (3, 3))]
for number, (colour, point) in enumerate(line):
    parent, node = node, node.new_child()
    node.set_move(colour, point)
    node.set("LB", [(point, str(number))])
    if number in (1, 2):
        # Another move in this place, and a reply to it.
        other = parent.new_child()
        other.set_move(colour, (4, number))
        other.new_child().set_move("w" if colour == "b" else "b", (3, number))
path = folder / "variations.sgf"
path.write_bytes(game.serialise())
assert path.read_text().count("(;") == 5, path.read_text()
shown = json.loads(run("show", "atari-go:5", "--file", str(path), "--json").stdout)
assert shown["position"] == "...../...O./..X../.O.../X.... X", shown
half = json.loads(run("show", "atari-go:5", "--file", str(path), "--ply", "2", "--json").stdout)
assert half["position"] == "...../...../..X../.O.../..... X", half

# The other direction: sgfmill reads every variation of the proof.
proof, tree = folder / "a.proof", folder / "a.sgf"
run("solve", "atari-go:3", "--threads", "1", "--certificate", str(proof))
run("check", str(proof), "--sgf", str(tree), "--depth", "3")
read = sgf.Sgf_game.from_bytes(tree.read_bytes())
assert read.get_size() == 3, read.get_size()


def count(node, depth=0):
    """Counts the nodes below this one. Sides alternate, and the winner has one move."""
    children = list(node)
    for child in children:
        assert child.get_move()[0] == "bw"[depth % 2], (depth, child.get_move())
    return len(children) + sum(count(child, depth + 1) for child in children)


nodes = count(read.get_root())
print(nodes, "nodes")
assert nodes > 8
