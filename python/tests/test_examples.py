"""The examples and the pages' code run to their end."""

import ast
import asyncio
import importlib.util
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parent.parent / "examples"
PAGES = ["README.md", "python/README.md", "docs/src/python.md"]

pytestmark = pytest.mark.skipif(not EXAMPLES.exists(), reason="only with the sources")


def run(folder: Path, script: str, *arguments: str) -> str:
    command = [sys.executable, str(EXAMPLES / script), *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_solve_and_draw(tmp_path: Path) -> None:
    out = run(tmp_path, "solve_and_draw.py")
    assert out.count("draw\n") == 9 and "Best play: " in out


def test_python_game(tmp_path: Path) -> None:
    assert "Ann wins" in run(tmp_path, "python_game.py", "34", "20")
    assert "Ann loses" in run(tmp_path, "python_game.py", "21", "13")


def test_position_set(tmp_path: Path) -> None:
    plot = []
    if importlib.util.find_spec("matplotlib"):
        plot = ["--plot", "times.svg"]
    out = run(tmp_path, "position_set.py", "--count", "4", "--plies", "30", *plot)
    assert len(out.splitlines()) == 4
    assert not plot or (tmp_path / "times.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize("page", PAGES)
def test_code_of_pages(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a page's blocks like cells of one notebook, where `await` is allowed."""
    pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    text = (EXAMPLES.parent.parent / page).read_text(encoding="utf-8")
    # The bridges to other libraries have tests of their own.
    code = [code for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL)
            if "proofwood.openspiel" not in code and "proofwood.ray" not in code]
    assert code
    names: dict[str, object] = {}
    for block in code:
        result = eval(compile(block, page, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT), names)
        if inspect.iscoroutine(result):
            asyncio.run(result)
