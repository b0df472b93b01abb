"""Proofwood: game-tree search with proofs.

    >>> import proofwood as pw
    >>> p = pw.position("connect-four", "161121166146475364")
    >>> r = pw.solve(p, time=20)
    >>> r.proven
    'win'

`position` creates a position of one of 28 games. `search` finds a good move, `solve` proves the
position's value, `certificate` writes the proof to a file and `check` checks it with the rules
alone. `Search` and `Solver` do the same in the background. `match` plays games. `options` lists the
keywords of searches. The book's page on Python has more.
"""

try:
    from proofwood._native import __version__
except ImportError as missing:  # pragma: no cover
    raise ImportError(
        "the compiled part of proofwood is missing: install the package (pip install ./python in "
        "the source folder), and do not start Python in the folder python/"
    ) from missing

from proofwood._errors import (
    CertificateError,
    Interrupted,
    OptionError,
    ProofwoodError,
    Refused,
    RulesError,
    SearchError,
    SpecError,
    TextError,
)
from proofwood._game import CHANCE, Game, RulesReport, check_rules
from proofwood._match import MatchGame, MatchResult, Player, match
from proofwood._option import Option, options
from proofwood._options import Limits, SearchKeywords, SolveKeywords
from proofwood._position import GameInfo, Position, game_info, games, perft, position
from proofwood._results import Expected, MoveInfo, ProofResult, Question, SearchResult, ShortestWin
from proofwood._search import (
    Certificate,
    Checked,
    Claim,
    Search,
    Solver,
    certificate,
    check,
    search,
    shortest_win,
    solve,
)

__all__ = [
    "CHANCE",
    "Certificate",
    "CertificateError",
    "Checked",
    "Claim",
    "Expected",
    "Game",
    "GameInfo",
    "Interrupted",
    "Limits",
    "MatchGame",
    "MatchResult",
    "MoveInfo",
    "Option",
    "OptionError",
    "Player",
    "Position",
    "ProofResult",
    "ProofwoodError",
    "Question",
    "Refused",
    "RulesError",
    "RulesReport",
    "Search",
    "SearchError",
    "SearchKeywords",
    "SearchResult",
    "ShortestWin",
    "SolveKeywords",
    "Solver",
    "SpecError",
    "TextError",
    "__version__",
    "certificate",
    "check",
    "check_rules",
    "game_info",
    "games",
    "match",
    "options",
    "perft",
    "position",
    "search",
    "shortest_win",
    "solve",
]
