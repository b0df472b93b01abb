"""The options of searches and provers, for reading at the prompt."""

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
    """The functions that accept it."""
    values: str
    default: str
    help: str

    def __str__(self) -> str:
        taken, help = " and ".join(self.functions), self.help.rstrip(".")
        return f"{self.name} ({taken}): {help}. Values: {self.values}. Default: {self.default}."


class _Options(tuple[Option, ...]):
    """A list of options that prints one per line."""

    def __repr__(self) -> str:
        return "\n".join(map(str, self))


def options(name: str | None = None) -> tuple[Option, ...]:
    """The options of the engine, by keyword, without limits such as `time`.

    Args:
        name: an option, or a common prefix of several; all by default.

    Raises:
        OptionError: no option has this name.
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
        raise OptionError(f"there is no option '{name}'; options() lists all options")
    return _Options(exact or named)
