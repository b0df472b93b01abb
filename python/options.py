"""Writes proofwood/_options.py from the tables of options of the installed package.

    python options.py            # writes the file again
    python options.py --check    # fails if it differs from the tables
"""

from __future__ import annotations

import sys
import textwrap
from pathlib import Path

from proofwood import _native

FILE = Path(__file__).parent / "proofwood" / "_options.py"

HEAD = '''"""The keywords of a search and of a solver. Written by options.py from the library's tables
of options: change those, and run it again."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, TypedDict


class Limits(TypedDict, total=False):
    """Limits of a search; the first one that is reached ends it."""

    time: float | timedelta | None
    """Seconds on the clock."""
    cpu_time: float | timedelta | None
    """Seconds of processor time, of all threads together."""
    playouts: int | float | None
    """Playouts of this search."""
    nodes: int | float | None
    """Nodes in the tree."""
    bytes: int | str | None
    """Bytes that the tree takes, such as 65536 or "64M"."""
'''


def words(values: str) -> str:
    listed = ", ".join(f'"{word}"' for word in values.split(" | "))
    return f"Literal[{listed}]"


def annotation(kind: str, values: str) -> str:
    match kind:
        case "switch":
            return "bool"
        case "words":
            return words(values)
        case "whole":
            return "int"
        case "number":
            return "float"
        case "bytes":
            return "int | str"
        case _:
            return "str"


def field(row: tuple[str, str, str, str, str], extra: str = "") -> str:
    name, kind, values, default, help = row
    text = f"{help.rstrip('.')}. Values: {values}. Default: {default}."
    lines = textwrap.wrap(text, 92)
    body = "\n    ".join(lines)
    return f'    {name}: {annotation(kind, values)}{extra} | None\n    """{body}"""\n'


def made() -> str:
    search, prover = _native.option_tables()
    own = {row[0] for row in search}
    parts = [HEAD]
    parts.append('\n\nclass SearchOptions(Limits, total=False):\n    """The keywords of a search."""\n\n')
    # The goals of `search` and `solve` differ, so `goal` is not a common keyword.
    for row in search:
        parts.append(field(row) if row[0] != "goal" else "")
    goals = [row for row in search if row[0] == "goal"]
    parts.append('\n\nclass SearchKeywords(SearchOptions, total=False):\n    """The keywords of `search`."""\n\n')
    parts.extend(field(row) for row in goals)
    parts.append('\n\nclass SolveKeywords(SearchOptions, total=False):\n    """The keywords of `solve`. Those that are options of a search alone choose gpn, the search\n    with playouts."""\n\n')
    for row in prover:
        if row[0] == "algorithm":
            name, kind, values, _, help = row
            parts.append(field((name, kind, f"{values} | gpn", "auto; gpn for games with chance", help)))
        elif row[0] not in own or row[0] == "goal":
            parts.append(field(row))
    return "".join(parts)


def main() -> int:
    text = made()
    if "--check" not in sys.argv[1:]:
        FILE.write_text(text, encoding="utf-8")
        return 0
    if FILE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{FILE.name} is not what the tables say: run python options.py", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
