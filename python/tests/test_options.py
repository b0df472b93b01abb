"""The keywords' types are those of the engine's tables."""

import runpy
from pathlib import Path

import pytest

from proofwood import _options

SCRIPT = Path(__file__).parent.parent / "options.py"


@pytest.mark.skipif(not SCRIPT.exists(), reason="only with the sources")
def test_the_written_types_are_those_of_the_tables() -> None:
    made = runpy.run_path(str(SCRIPT))["made"]()
    assert Path(str(_options.__file__)).read_text(encoding="utf-8") == made
