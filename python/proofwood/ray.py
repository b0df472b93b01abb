"""Ray: many positions searched or solved on a cluster.

Needs the packages `ray` and `proofwood` on every node, and is imported by name: `import
proofwood.ray`. Without Ray, use `proofwood work` (the book's page "Many machines").
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeVar, cast

import ray

from proofwood._position import Position
from proofwood._results import ProofResult, SearchResult
from proofwood._search import search, solve

__all__ = ["search_all", "solve_all"]

R = TypeVar("R")


def solve_all(
    positions: Iterable[Position], *, ahead: int = 1000, retries: int = 100, **keywords: Any
) -> Iterator[SearchResult | ProofResult]:
    """Solves many positions, and yields the results in the order of the positions.

        >>> import proofwood as pw
        >>> from proofwood.ray import solve_all
        >>> p = pw.position("connect-four", "161121166146475364")
        >>> [r.proven for r in solve_all([p, p.play("4")], algorithm="dfpn")]
        ['win', 'loss']

    Args:
        positions: the positions to solve, possibly from a generator: at most `ahead` of them are
            taken before the first result is yielded.
        ahead: the number of concurrent tasks.
        retries: the number of restarts of a task whose worker is lost.
        keywords: as for `proofwood.solve`. A task takes as many processors of the cluster as it
            has threads: one, unless `threads` says otherwise.
    """
    return _all(solve, positions, ahead, retries, keywords)


def search_all(
    positions: Iterable[Position], *, ahead: int = 1000, retries: int = 100, **keywords: Any
) -> Iterator[SearchResult]:
    """Searches for the best moves of many positions; keywords as for `proofwood.search`, otherwise
    as :func:`solve_all`."""
    return _all(search, positions, ahead, retries, keywords)


def _all(
    function: Callable[..., R],
    positions: Iterable[Position],
    ahead: int,
    retries: int,
    keywords: dict[str, Any],
) -> Iterator[R]:
    if ahead < 1:
        raise ValueError(f"ahead: {ahead} should be a positive whole number")
    keywords.setdefault("threads", 1)
    # Ray's type hints do not cover this use.
    task: Any = cast(Any, ray.remote)(function)
    task = task.options(num_cpus=int(keywords["threads"]), max_retries=retries)
    under_way: deque[Any] = deque()
    for position in positions:
        under_way.append(task.remote(position, **keywords))
        if len(under_way) >= ahead:
            yield ray.get(under_way.popleft())
    while under_way:
        yield ray.get(under_way.popleft())
