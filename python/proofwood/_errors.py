"""Errors. Every message is one line from the library: the fault, its place, and the right form."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from proofwood._match import MatchResult
    from proofwood._results import ProofResult, SearchResult

__all__ = [
    "CertificateError",
    "Interrupted",
    "OptionError",
    "ProofwoodError",
    "Refused",
    "RulesError",
    "SearchError",
    "SpecError",
    "TextError",
]


class ProofwoodError(Exception):
    """The base of all errors of this package except :class:`Interrupted`, and `TypeError` for
    unknown keywords."""


class OptionError(ProofwoodError, ValueError):
    """An invalid option or limit."""


class SpecError(ProofwoodError, ValueError):
    """There is no such game, or its options are invalid."""


class TextError(ProofwoodError, ValueError):
    """A move that is not legal, or a position that cannot be read."""


class RulesError(ProofwoodError):
    """A game that breaks its contract."""


class SearchError(ProofwoodError):
    """A search that failed: no memory, no threads, or used at the wrong moment."""


class CertificateError(ProofwoodError):
    """A certificate that was not written: nothing is proven, or the file cannot be made."""


class Refused(CertificateError):
    """A certificate that does not show what it claims."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a call. `result` is the answer so far, or None."""

    def __init__(self, result: SearchResult | ProofResult | MatchResult | None = None) -> None:
        super().__init__("interrupted; .result holds the results so far")
        self.result = result
