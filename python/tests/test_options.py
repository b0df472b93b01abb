"""The keywords' types are those of the engine's tables."""

import runpy
from pathlib import Path

import pytest

import proofwood as pw
from proofwood import _options

SCRIPT = Path(__file__).parent.parent / "options.py"


@pytest.mark.skipif(not SCRIPT.exists(), reason="only with the sources")
def test_the_written_types_are_those_of_the_tables() -> None:
    made = runpy.run_path(str(SCRIPT))["made"]()
    assert Path(str(_options.__file__)).read_text(encoding="utf-8") == made


def test_options_can_be_read_at_the_prompt() -> None:
    (c_pn,) = pw.options("c_pn")
    assert c_pn.functions == ("search",) and "0 to 1000" in c_pn.values
    assert len(pw.options()) == 40 and "threads (search and solve): " in repr(pw.options())
    assert {it.name for it in pw.options("temperature_")} == {"temperature_moves"}
    with pytest.raises(pw.OptionError, match="no option 'preset'"):
        pw.options("preset")
    with pytest.raises(TypeError, match=r"proofwood.options\(\) lists all"):
        pw.search(pw.position("tic-tac-toe"), preset="uct")  # type: ignore[call-arg]
