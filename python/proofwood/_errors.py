"""What can go wrong. Every message is one line of the library's: what was wrong, where, and
what would be right."""

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
    """All errors of this package but :class:`Interrupted`, and `TypeError` for a keyword that
    there is none of."""


class OptionError(ProofwoodError, ValueError):
    """An option or a limit that cannot be used."""


class SpecError(ProofwoodError, ValueError):
    """There is no such game, or its options are wrong."""


class TextError(ProofwoodError, ValueError):
    """A move that is not legal, or a position that cannot be read."""


class RulesError(ProofwoodError):
    """A game that does not keep what rules promise."""


class SearchError(ProofwoodError):
    """A search that failed: no memory, no threads, or used at the wrong moment."""


class CertificateError(ProofwoodError):
    """A certificate that was not written: nothing is proven, or the file cannot be made."""


class Refused(CertificateError):
    """A certificate that does not show what it claims."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a call. `result` is what was found until then, or None where nothing
    was."""

    def __init__(self, result: SearchResult | ProofResult | MatchResult | None = None) -> None:
        super().__init__("the search was interrupted; .result has what it found")
        self.result = result
