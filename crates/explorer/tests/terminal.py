"""Draws what a program shows on a terminal as SVG: the terminal is tmux, without a window.

    cargo build --release --package proofwood-cli --features watch
    python3 crates/explorer/tests/terminal.py target/release/proofwood

It writes docs/src/figures/watch.svg. What a search knows after some seconds differs from machine
to machine, so that no test compares the pictures.
"""

import html
import os
import pathlib
import re
import subprocess
import sys
import time

FIGURES = pathlib.Path(__file__).parents[2] / "docs" / "src" / "figures"
COLUMNS, ROWS = 90, 24
WIDE, HIGH = 8, 17  # of a character, in pixels
INK, PAPER = "#d8dee4", "#15191c"
# The sixteen colours of a terminal, dull and bright.
COLOURS = """#15191c #e06c62 #7fb77e #d9b45f #6da8e0 #b48ad6 #5fb8b8 #c5ccd3
#77818a #f08a80 #98cf97 #efcb78 #8bbcf0 #c9a3e8 #7fd0d0 #ffffff""".split()


def shown(program, command, seconds):
    """The screen of a program, with its escape codes, after some seconds."""
    tmux = ["tmux", "-L", f"proofwood-picture-{os.getpid()}", "-f", "/dev/null", "-u"]
    run = lambda *words: subprocess.run([*tmux, *words], check=True, capture_output=True, text=True)
    run("new-session", "-d", "-x", str(COLUMNS), "-y", str(ROWS), f"'{program}' {command}")
    try:
        time.sleep(seconds)
        screen = run("capture-pane", "-e", "-p").stdout
        run("send-keys", "q")
        time.sleep(1)
        return screen
    finally:
        subprocess.run([*tmux, "kill-server"], check=False, capture_output=True)


def styled(codes, style):
    """A style after the codes of an escape sequence."""
    for code in map(int, codes.split(";") if codes else ["0"]):
        if code == 0:
            style = {}
        elif code in (1, 2):
            style = {**style, ("bold" if code == 1 else "dim"): True}
        elif code == 7:
            style = {**style, "turned": True}
        elif 30 <= code <= 37 or 90 <= code <= 97:
            style = {**style, "ink": COLOURS[code % 10 + (8 if code >= 90 else 0)]}
        elif code == 39:
            style = {name: is_on for name, is_on in style.items() if name != "ink"}
        elif code in (22, 27):
            gone = ("bold", "dim") if code == 22 else ("turned",)
            style = {name: is_on for name, is_on in style.items() if name not in gone}
    return style


def drawn(screen, title):
    """A screen as SVG."""
    width, height = COLUMNS * WIDE + 24, ROWS * HIGH + 24
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}">',
        f"<title>{html.escape(title)}</title>",
        "<style>text{font:13.3px 'DejaVu Sans Mono',ui-monospace,Menlo,Consolas,monospace;white-space:pre}</style>",
        f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>',
    ]
    style = {}
    for row, line in enumerate(screen.splitlines()[:ROWS]):
        column = 0
        for part in re.split(r"(\x1b\[[0-9;]*m)", line):
            if part.startswith("\x1b"):
                style = styled(part[2:-1], style)
                continue
            # Runs of blanks need not be drawn.
            for word in re.finditer(r"\S+(?: \S+)*", part):
                text, left = word.group(), 12 + (column + word.start()) * WIDE
                look = f' fill="{style.get("ink", INK)}"'
                if style.get("bold"):
                    look += ' font-weight="700"'
                if style.get("dim"):
                    look += ' opacity=".65"'
                parts.append(
                    f'<text x="{left}" y="{12 + row * HIGH + 13}" textLength="{len(text) * WIDE}"'
                    f' lengthAdjust="spacingAndGlyphs"{look}>{html.escape(text)}</text>'
                )
            column += len(part)
    return "\n".join([*parts, "</svg>", ""])


def main(program):
    command = "search othello --moves 'f5 d6 c3 d3 c4' --time 10m --threads 2 --memory 1G --watch"
    screen = shown(pathlib.Path(program).resolve(), command, 15)
    file = FIGURES / "watch.svg"
    file.write_text(drawn(screen, "proofwood search othello --watch in a terminal"))
    print(f"{file}: {file.stat().st_size // 1024} KiB")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python3 terminal.py PROGRAM")
    main(sys.argv[1])
