"""The options of searches and provers, to be read at the prompt."""

from __future__ import annotations

from dataclasses import dataclass

from proofwood import _native
from proofwood._errors import OptionError

__all__ = ["Option", "options"]


@dataclass(frozen=True)
class Option:
    """A keyword of :func:`proofwood.search` or :func:`proofwood.solve`."""

    name: str
    functions: tuple[str, ...]
    """The functions that take it."""
    values: str
    default: str
    help: str

    def __str__(self) -> str:
        taken = " and ".join(self.functions)
        return f"{self.name} ({taken}): {self.help} Values: {self.values}. Default: {self.default}."


class _Options(tuple[Option, ...]):
    """Options, one a line."""

    def __repr__(self) -> str:
        return "\n".join(map(str, self))


def options(name: str | None = None) -> tuple[Option, ...]:
    """The options of the engine, as keywords take them; limits such as `time` are not among them.

    Args:
        name: one of them, or the beginning of several; all by default.

    Raises:
        OptionError: there is none of this name.
    """
    found: dict[tuple[str, str], Option] = {}
    for function, table in zip(("search", "solve"), _native.option_tables()):
        for keyword, _, values, default, text in table:
            before = found.get((keyword, values))
            taken = (*(before.functions if before else ()), function)
            found[keyword, values] = Option(keyword, taken, values, default, text)
    named = [it for it in found.values() if name is None or it.name.startswith(name)]
    exact = [it for it in named if it.name == name]
    if not named:
        raise OptionError(f"there is no option '{name}'; options() lists all")
    return _Options(exact or named)
