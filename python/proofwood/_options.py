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
    """Number of worker threads that search the tree together. Values: 1 to 1024. Default: one per
    core."""
    seed: int | None
    """Seed for all random numbers; with one thread, the same seed grows the same tree. Values: 0
    to 18446744073709551615. Default: 0."""
    c: float | None
    """Exploration constant C of UCT; with priors, c_init of PUCT (default 1.25). Values: 0 to
    1000. Default: recommended by the game."""
    leaves: str | None
    """Evaluate leaves by playouts, by the game's static evaluation, or by the network in a file;
    the last two also provide priors. Values: playouts | game | FILE.safetensors. Default:
    playouts."""
    noise: float | None
    """Share of Dirichlet noise in the root's priors, for self-play. AlphaZero uses 0.25. The
    concentration is 10 divided by the number of moves. Values: 0 to 1. Default: 0."""
    temperature: float | None
    """Draw the move to play with probability proportional to visits^(1 / temperature); 0 plays the
    most visited move. Values: 0 to 100. Default: 0."""
    temperature_moves: int | None
    """Number of plies after which the temperature is 0. Values: 0 to 1000000. Default: 30."""
    c_pn: float | None
    """Weight C_pn of the proof-number bias; 0 turns off proof numbers. Values: 0 to 1000. Default:
    recommended by the game."""
    bias: Literal["none", "rank", "max", "sum", "rank-ludii"] | None
    """Formula of the proof-number bias. Values: none | rank | max | sum | rank-ludii. Default:
    max."""
    solver: bool | None
    """Use proven wins, draws and losses (MCTS-Solver). Values: on | off. Default: on."""
    score_bounds: bool | None
    """Keep and use score intervals (Score-Bounded MCTS). Values: on | off. Default: on."""
    look_ahead: bool | None
    """Check new children for the end of the game as soon as they are added. Values: on | off.
    Default: on."""
    transpositions: bool | None
    """Share proofs between nodes with the same position, if the game has hash keys. The table
    takes a sixteenth of the memory if the limit is at least 1M. Values: on | off. Default: on."""
    foresight: bool | None
    """Use the game's static bounds for unfinished positions (in Hex, chains that cannot be cut).
    Values: on | off. Default: on."""
    prover_share: float | None
    """Share of the work that a background prover of the root does, if the game has hash keys; 0
    turns it off. The prover takes a quarter of the memory if the limit is at least 1M. Values:
    0 to 0.9. Default: recommended by the game."""
    paranoid: bool | None
    """Search for the payoff that the side to move can force against all other players together,
    and use it for pruning (three or more players, or not zero-sum). Values: on | off. Default:
    off."""
    disprove_rest: bool | None
    """Reserve one visit in eight for tightening bounds (games with chance, goal score). These
    visits go to randomly chosen children that may still be best, so that upper bounds fall.
    Values: on | off. Default: off."""
    virtual_loss: Literal["unobserved", "none"] | None
    """Count playouts in flight as visits for other threads (unobserved), or not at all (none).
    Values: unobserved | none. Default: unobserved."""
    keep_choice: int | None
    """Visits per thread after which a node reuses its selection for several playouts; 0 selects at
    every visit. A selection serves two playouts, four after twice as many visits, and so on up
    to 16. Games with chance select at every visit. Values: 0 to 1000000. Default: 32."""
    expand_after: int | None
    """Number of visits to a leaf before the next visit expands it. Values: 1 to 1000000000.
    Default: recommended by the game."""
    playout_policy: Literal["random", "informed"] | None
    """Moves in playouts: random, or informed by the game (immediate wins, for example). Values:
    random | informed. Default: informed."""
    playout_cap: int | None
    """Cut off playouts after this many moves; informed playouts then use the game's static
    evaluation. Values: 0 to 1000000. Default: recommended by the game."""
    memory: int | str | None
    """Memory for the tree; when it is full, a search without another limit ends, and any other
    search drops solved or rarely visited nodes. Values: a number of bytes, optionally followed
    by K, M, G or T; at least 16K. Default: half of the machine's memory."""
    stack: int | str | None
    """Stack size of each worker thread; increase it for deeply recursive rules or evaluators.
    Values: a number of bytes, optionally followed by K, M, G or T; at least 256K. Default: 2M."""
    stop_when_decided: bool | None
    """End the search early when no other move can overtake the most visited one. Values: on | off.
    Default: off."""
    audit: bool | None
    """Count evaluations at every node, so that an audit can check all visits. Values: on | off.
    Default: off."""


class SearchKeywords(SearchOptions, total=False):
    """The keywords of `search`."""

    goal: Literal["outcome", "score"] | None
    """Question to answer: who wins (outcome), or the exact score. Values: outcome | score.
    Default: outcome."""


class SolveKeywords(SearchOptions, total=False):
    """The keywords of `solve`. Those that are options of a search alone choose gpn, the search
    with playouts."""

    algorithm: Literal["auto", "ab", "dfpn", "pds", "df-ppns", "pns", "pn2", "mcpns", "ppns", "gpn"] | None
    """Proof algorithm: auto alternates ab and dfpn; ab (alpha-beta), dfpn and pds (proof numbers)
    search depth first with a transposition table; pns and pn2 grow a tree best first; mcpns and
    ppns guide such a tree by playouts; df-ppns is ppns depth first with a table. Values: auto |
    ab | dfpn | pds | df-ppns | pns | pn2 | mcpns | ppns | gpn. Default: auto; gpn for games
    with chance."""
    goal: Literal["outcome", "win", "draw-or-better", "score"] | None
    """Question to answer. Values: outcome | win | draw-or-better | score. Default: outcome."""
    tt: int | str | None
    """Size of the transposition table of depth-first provers; a table that is too small makes them
    slow, but never wrong. Values: a number of bytes, optionally followed by K, M, G or T; at
    least 64. Default: 1G, or half of the machine's memory if that is less."""
    epsilon: float | None
    """ε of the 1+ε trick in dfpn, pds and df-ppns: with larger values, the search stays longer
    with a move; 0 is the plain algorithm. Values: 0 to 1000. Default: 0.25, or 0.0625 for pds."""
    player: int | None
    """Player that the question is about, counted from 0. Values: at least 0. Default: the side to
    move."""
    playouts_per_leaf: int | None
    """Number of playouts from each new position (mcpns, ppns and df-ppns). Values: at least 1.
    Default: 60."""
    theta: float | None
    """Minimum distance of sampled win rates from 0 and 1, so that they never look proven (mcpns,
    ppns and df-ppns). Values: greater than 0, less than 0.5. Default: 0.01."""
    precision: float | None
    """Stop ppns or df-ppns when its estimated probability is within this distance of 0 or 1. An
    estimate proves nothing: the question stays open. Values: greater than 0, less than 0.5.
    Default: off."""
    mobility: bool | None
    """Set a leaf's initial proof number to its number of moves instead of 1; in ab, count the
    replies in every position. Values: on | off. Default: on for dfpn and pds."""
    symmetries: bool | None
    """Treat symmetric positions, such as mirror images, as one, if the game declares symmetries.
    Values: on | off. Default: on."""
    keep_proofs: bool | None
    """When a prover's tree is dropped, keep the positions that it solved in a table. Values: on |
    off. Default: off."""
