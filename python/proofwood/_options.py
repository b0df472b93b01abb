"""The keywords of a search and of a solver. Written by options.py from the library's tables
of options: change those, and run it again."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, TypedDict


class Limits(TypedDict, total=False):
    """Limits of a search; the first one that is reached ends it."""

    time: float | timedelta | None
    """Seconds on the clock."""
    cpu_time: float | timedelta | None
    """Seconds of processor time, of all threads together."""
    playouts: int | float | None
    """Playouts of this search."""
    nodes: int | float | None
    """Nodes in the tree."""
    bytes: int | str | None
    """Bytes that the tree takes, such as 65536 or "64M"."""


class SearchOptions(Limits, total=False):
    """The keywords of a search."""

    threads: int | None
    """Worker threads that search the tree together. Values: 1 to 1024. Default: one per core."""
    seed: int | None
    """Seed of all random numbers; with one thread the same seed grows the same tree. Values: 0 to
    18446744073709551615. Default: 0."""
    c: float | None
    """Weight C of the exploration term of UCT, with priors the c_init of PUCT (1.25). Values: 0 to
    1000. Default: recommended by the game."""
    leaves: str | None
    """Value leaves by random playouts, by what the game says that positions look worth, or by the
    network in a file, the last two with priors. Values: playouts | game | FILE.safetensors.
    Default: playouts."""
    noise: float | None
    """With priors: the part of the root's priors that is Dirichlet noise, for self-play. AlphaZero
    has 0.25; its concentration is 10 divided by the number of moves. Values: 0 to 1. Default:
    0."""
    temperature: float | None
    """Draw the move to play by its visits to the power of 1 / temperature; 0 takes the most
    visited. Values: 0 to 100. Default: 0."""
    temperature_moves: int | None
    """Moves of both sides after which the temperature is 0. Values: 0 to 1000000. Default: 30."""
    c_pn: float | None
    """Weight C_pn of the proof-number bias; with 0 the numbers are not counted. Values: 0 to 1000.
    Default: recommended by the game."""
    bias: Literal["none", "rank", "max", "sum", "rank-ludii"] | None
    """Formula of the proof-number bias. Values: none | rank | max | sum | rank-ludii. Default:
    max."""
    solver: bool | None
    """Use proven wins, draws and losses (MCTS-Solver). Values: on | off. Default: on."""
    score_bounds: bool | None
    """Keep and use score intervals (Score-Bounded MCTS). Values: on | off. Default: on."""
    look_ahead: bool | None
    """Look at once which new children end the game. Values: on | off. Default: on."""
    transpositions: bool | None
    """Carry proofs between nodes with the same position, where the game has hashes. It takes a
    sixteenth of the memory, from 1M on. Values: on | off. Default: on."""
    foresight: bool | None
    """Believe what the rules foresee of positions that are not over (hex: chains that cannot be
    cut). Values: on | off. Default: on."""
    prover_share: float | None
    """Part of the search's work that a prover does beside the playouts, from the start, where the
    game has hashes; 0 for none. It takes a quarter of the memory, from 1M on. Values: 0 to 0.9.
    Default: recommended by the game."""
    paranoid: bool | None
    """With three players or more, or without zero sum: search for what the side to move can force
    against all others, and prune by it. Values: on | off. Default: off."""
    disprove_rest: bool | None
    """Spend some visits on bounds, in games with chance whose score is asked for. One in eight
    visits of a node, by lot, goes to a child that may still be worth most, so that upper bounds
    come down. Values: on | off. Default: off."""
    virtual_loss: Literal["unobserved", "none"] | None
    """How playouts under way count for other threads. Values: unobserved | none. Default:
    unobserved."""
    keep_choice: int | None
    """Visits of a node for each thread from which on a choice serves several playouts; 0 chooses
    at every visit. The chosen child is entered twice before a choice is made anew, from twice
    as many visits four times, at most 16 times. Games with chance always choose at every visit.
    Values: 0 to 1000000. Default: 32."""
    expand_after: int | None
    """Visits of a leaf before the next one expands it. Values: 1 to 1000000000. Default:
    recommended by the game."""
    playout_policy: Literal["random", "informed"] | None
    """Moves of playouts: random, or those that the game knows to be better, such as one that wins
    at once. Values: random | informed. Default: informed."""
    playout_cap: int | None
    """Moves after which a playout is cut off; informed ones then ask the game what the position
    looks worth. Values: 0 to 1000000. Default: recommended by the game."""
    memory: int | str | None
    """Memory for the tree; a search without another limit ends when it is used up, others drop
    what is settled or rarely visited and grow on. Values: bytes, or with K, M, G or T; from
    16K. Default: half of the machine's."""
    stack: int | str | None
    """Stack of each worker thread; increase it for deeply recursive rules or evaluators. Values:
    bytes, or with K, M, G or T; from 256K. Default: 2M."""
    stop_when_decided: bool | None
    """End the search when no other move can get more visits before the time or the playouts are
    used up. Values: on | off. Default: off."""
    audit: bool | None
    """Count evaluations at every node, so that an audit can check all visits. Values: on | off.
    Default: off."""


class SearchKeywords(SearchOptions, total=False):
    """The keywords of `search`."""

    goal: Literal["outcome", "score"] | None
    """What to find out: who wins, or the exact score. Values: outcome | score. Default: outcome."""


class SolveKeywords(SearchOptions, total=False):
    """The keywords of `solve`. Those that are options of a search alone choose gpn, the search
    with playouts."""

    algorithm: Literal["auto", "ab", "dfpn", "pds", "df-ppns", "pns", "pn2", "mcpns", "ppns", "gpn"] | None
    """How to prove: auto is ab and dfpn in turns; ab is alpha-beta, and dfpn and pds follow proof
    numbers, all of them depth first with a table in place of a tree; pns and pn2 grow a tree
    where it proves most; mcpns and ppns do so by playouts from each new position, and df-ppns
    is ppns depth first with a table. Values: auto | ab | dfpn | pds | df-ppns | pns | pn2 |
    mcpns | ppns | gpn. Default: auto; gpn for games with chance."""
    goal: Literal["outcome", "win", "draw-or-better", "score"] | None
    """What to find out. Values: outcome | win | draw-or-better | score. Default: outcome."""
    tt: int | str | None
    """Bytes of the transposition table of provers that go depth first; a table that is far too
    small makes them slow and never wrong. Values: bytes, or with K, M, G or T; from 64.
    Default: 1G, or half of the machine's memory where that is less."""
    epsilon: float | None
    """How much longer dfpn, pds and df-ppns stay with a move than its numbers say: the ε of the
    1+ε trick; 0 is plain dfpn and pds. Values: 0 to 1000. Default: 0.25, for pds 0.0625."""
    player: int | None
    """The player whom the question is about, counted from 0. Values: from 0. Default: the side to
    move."""
    playouts_per_leaf: int | None
    """Playouts of mcpns, ppns and df-ppns from each new position. Values: from 1. Default: 60."""
    theta: float | None
    """How far mcpns, ppns and df-ppns move a win rate of 0 or 1 inside, so that nothing sampled
    looks proven. Values: more than 0, less than 0.5. Default: 0.01."""
    precision: float | None
    """End ppns or df-ppns as soon as the probability that it estimates is no further than this
    from 0 or 1. That is an estimate and proves nothing: the answer stays open. Values: more
    than 0, less than 0.5. Default: off."""
    mobility: bool | None
    """Start a leaf with its number of moves instead of 1; have ab count replies in every position.
    Values: on | off. Default: on for dfpn and pds."""
    symmetries: bool | None
    """Take a position and its images, such as its mirror image, for one, where the game names
    images. Values: on | off. Default: on."""
    keep_proofs: bool | None
    """Keep what provers with a tree have settled when the tree is gone, in a table. Values: on |
    off. Default: off."""
