type integer = number;
type Proven = "win" | "draw" | "loss" | "not-win" | "not-loss" | "unknown";

// A position, described by its text form, its drawing and its legal moves
type View = {
  position: string | null;  // The text form, on one line; empty, and null in JSON, if the game has none
  board: string;  // The drawing for human readers, several lines long
  players: string[];  // The players' names, first player first
  to_move: integer | null;  // The player to move; null if chance decides or the game is over
  legal_moves: string[];  // The legal moves, or the possible outcomes if chance decides
  probabilities: number[] | null;  // The probability of each outcome, in the order of `legal_moves`, if chance decides; otherwise null
  payoffs: integer[] | null;  // Each player's payoff if the game is over; otherwise null
};

// An answer with its game and position
type Answered = (Answer | ProofAnswer) & {
  game: string;  // The game's description
  position: string | null;  // The position's text form; empty, and null in JSON, if the game has none
};

// The answer of a search: its `Report` with moves as text. Values are from the point of view of the player to move, or of player 0 if chance decides or the game is over
type Answer = {
  players: string[];  // The players' names, first player first
  to_move: integer | null;  // The player to move; null if chance decides or the game is over
  goal: "outcome" | "score" | "win" | "draw-or-better";  // The goal of the search: who wins (`outcome`) or the exact payoff (`score`)
  stop_reason: string | null;  // The reason why the search ended; null while it runs
  solved: boolean;  // Whether the goal has been reached, regardless of the reason why the search ended
  proven: Proven;  // The proven outcome for the player to move
  bounds: [integer | null, integer | null];  // Proven bounds on the payoff of the player to move, the lower one first; null for an unknown bound
  expected: Expected | null;  // Proven bounds on the expected payoff of the player to move; null in games without chance
  mean: number | null;  // The mean value of all playouts for the player to move, from −1 to 1, limited to the proven range; null before the first playout
  best_move: string | null;  // The move to play; null if chance decides or the game is over
  pv: string[];  // The expected line of play, beginning with the best move
  ends_in: integer | null;  // If a win is proven, the greatest number of moves of both sides until the game is over, according to the proof in the tree; otherwise null
  proof_numbers: (integer | "inf" | null)[];  // The players' proof numbers, first player first; null for a number that is not counted
  counts_proof_numbers: boolean;  // Whether proof numbers are counted; if not, each is 0, 1 or infinite, and a 1 is null in JSON
  saturated: boolean;  // Whether a proof number of the position has reached the greatest finite number
  paranoid: boolean;  // Whether proven values hold against a coalition of all other players
  paranoid_pruning: boolean;  // Whether the search skipped moves because a proof against a coalition made them superfluous
  playouts: integer;  // The number of playouts of this search, without those of earlier searches of the same tree
  playouts_per_second: number;  // Playouts per second of this search
  nodes: integer;  // The number of nodes in the tree
  bytes: integer;  // The size of the tree's nodes in bytes
  seconds: number;  // The time taken by the search
  threads: integer;  // The number of worker threads
  seed: integer;  // The seed of the random numbers
  settings?: { [name: string]: Setting };  // The settings in force, by the names of their options; empty, and missing in JSON, while the search runs
  counters?: { [name: string]: integer };  // Counts of events inside the search, by name; only in a program built with the feature `counters`
  moves: Move[];  // The legal moves in the order of the rules, or the outcomes if chance decides
};

// A setting of a search and its origin
type Setting = {
  value: string;  // The value, in the form that the command line accepts
  source: "given" | "recommended" | "default";  // The origin of the value: given by the user, recommended by the game, or the default
};

// A move at the root of a search. Values are from the point of view of the side that plays it
type Move = {
  move: string;  // The move in the game's notation
  probability: number | null;  // The probability of this outcome if chance decides; otherwise null
  visits: integer;  // The number of playouts through this move
  proven: Proven;  // The proven outcome
  mean: number | null;  // The mean value of these playouts, from −1 to 1, limited to the proven range; null before the first one
  prior: number | null;  // The evaluator's prior, from 0 to 1; null without priors
  bounds: [integer | null, integer | null];  // Proven bounds on the payoff, the lower one first; null for an unknown bound
  expected: Expected | null;  // Proven bounds on the expected payoff; null in games without chance
  proof_numbers: (integer | "inf" | null)[];  // The players' proof numbers after the move, first player first; null for a number that is not counted
  pv?: string[];  // The expected line of play that begins with this move; only the explorer's page receives it
};

// The answer of a proof search: its `ProofReport` with moves as text
type ProofAnswer = {
  players: string[];  // The players' names, first player first
  to_move: integer | null;  // The player to move; null if chance decides or the game is over
  algorithm: string;  // The name of the prover
  goal: "outcome" | "score" | "win" | "draw-or-better";  // The goal of the search
  player: integer;  // The player to whom `proven` and `bounds` apply
  stop_reason: string | null;  // The reason why the search ended; null while it runs
  solved: boolean;  // Whether the goal has been reached
  proven: Proven;  // The proven outcome for `player`
  bounds: [integer | null, integer | null];  // Proven bounds on the payoff of `player`, the lower one first; null for an unknown bound
  best_move: string | null;  // The move to play; null if no answer favours the side to move
  pv: string[];  // A line of play that begins with the best move
  paranoid: boolean;  // Whether proven values hold against a coalition of all other players
  questions: Question[];  // The questions and their answers, in the order in which they were asked
  nodes: integer;  // The number of nodes, over all questions
  expansions: integer;  // The number of positions whose moves were generated, over all questions
  nodes_per_second: number;  // Nodes per second, over all threads
  bytes: integer;  // The size of tables and trees in bytes, for the question that needed most
  seconds: number;  // The time taken by the search
  threads: integer;  // The number of worker threads
  seed: integer;  // The seed of the random numbers
  counters?: { [name: string]: integer };  // Counts of events inside the provers, by name; only in a program built with the feature `counters`
};

// A question and its answer: can `player` force a payoff of `at_least`?
type Question = {
  player: integer;  // The player whom the question is about, counted from 0
  at_least: integer;  // The payoff that the question is about: the answer is yes if the player can force at least this
  answer: "proven" | "disproven" | null;  // The answer: `proven` is a yes, `disproven` a no; null if the search ended without one
  answered_by: string | null;  // The prover that found the answer, if the algorithm `auto` chose it; otherwise null
  estimate: number | null;  // The estimated probability of a yes, from 0 to 1, which proves nothing; null if there is an answer or the prover makes no estimates
  nodes: integer;  // The number of nodes
  expansions: integer;  // The number of positions whose moves were generated
  seconds: number;  // The time taken
};

// The shortest win of a player: its `ShortestWin` with moves as text
type Shortest = {
  winner: integer;  // The player who wins
  moves: integer | null;  // The number of moves of both sides together; null if a limit ended the search first
  more_than: integer;  // A proven lower bound: the win takes more moves than this number
  pv: string[];  // The best line of play of both sides
  nodes: integer;  // The number of nodes of the search
  stop_reason: string | null;  // The reason why the search ended without an answer; null if it found one
};

// The content of a checked certificate: `Checked` with the players' names
type Checked = {
  game: string;  // The game's description
  position: string;  // The position that the certificate is about
  players: string[];  // The players' names, first player first
  claims: Claim[];  // The proven claims
  bytes: integer;  // The size of the text in bytes, before compression
  memory: integer;  // The memory that the check took, in bytes
};

// A proven claim, with either `at_least` or `below`
type Claim = {
  player: integer;  // The player whose payoff the claim bounds
  at_least: integer | null;  // The least payoff that the player can force; null in the other kind of claim
  below: integer | null;  // The payoff below which the others can hold the player; null in the other kind of claim
  endless: boolean;  // Whether the proof relies on endless play at some position
  positions: integer;  // The number of positions listed in the proof
  references: integer;  // The number of references to positions that are listed earlier
};

// 
type Expected = {
  lower: number | null;  // The lower bound; null if unknown
  upper: number | null;  // The upper bound; null if unknown
  exact: boolean;  // Whether the bounds are equal
  rounded: boolean;  // Whether the bounds are final and differ only by rounding
};

// The answer of a search or a prover, with further results that options request
type Searched = Answered & {
  line?: integer;  // The number of the line in the file of positions, counted from 1
  id?: string;  // The line's value in the column `id`
  audit?: string;  // The result of `--audit on`: `ok` or the fault that the audit found in the tree
  certificate?: Certificate;  // The certificate that `--certificate` has written
  shortest?: Shortest | null;  // The shortest win, with `--shortest`; null if no win is proven
};

// A certificate that was written and checked
type Certificate = {
  file: string;  // The name of the file
  positions: integer;  // The number of positions listed in the file
  references: integer;  // The number of references to positions that are listed earlier
};

// An error in place of the answer to a line of a file of positions
type BadLine = {
  line: integer;  // The number of the line, counted from 1
  id?: string;  // The line's value in the column `id`
  game?: string;  // The game on the command line or, if there is none, the game that the line names
  error: string;  // The reason why the line has no answer
};

// A position and the move that led to it
type Ply = View & {
  game: string;
  ply: integer;  // The number of moves before the position
  move: string | null;  // The last of these moves; null before the first move
  over: boolean;  // Whether the game is over
};

// The count of move sequences from a position
type Perft = {
  game: string;  // The game's description
  position: string | null;  // The position's text form; null if the game has none
  depth: integer;  // The number of moves in a sequence
  nodes: integer;  // The number of sequences of `depth` moves
  nodes_by_depth: integer[];  // The numbers of sequences of 1, 2, … and `depth` moves
  seconds: number;  // The time taken
};

// The values that a game recommends for options, and the defaults where it recommends none
type Recommended = {
  c: number;  // The value for `--c`
  c_pn: number;  // The value for `--c-pn`
  expand_after: integer;  // The value for `--expand-after`
  playout_cap: integer;  // The value for `--playout-cap`
  prover_share: number;  // The value for `--prover-share`
};

// A built-in game
type Game = {
  name: string;  // The name used in commands
  also: string[];  // Other names of the game
  summary: string;  // The game in a few words
  rules: string;  // The rules in a few sentences
  notation: string;  // The notation of moves
  options: GameOption[];  // The options of a description, such as a board's size
  example: string;  // An example of a description with options
  game: string;  // The description to which all further fields apply: the name or, if the name alone is not enough, the example
  players: string[];  // The players' names, first player first
  chance: boolean;  // Whether chance decides some moves
  zero_sum: boolean;  // Whether the players' payoffs always add up to 0
  payoffs: [integer, integer];  // The least and the greatest payoff of the first player
  recommended: Recommended;  // The values that the game recommends for options
  start: string;  // The text form of the start position
  position: string;  // The text form of a position after some moves
};

// An option of a game
type GameOption = {
  option: string;  // The spelling of the option
  meaning: string;  // The meaning of the option
};

// The result of checking a certificate
type CheckedFile = (Checked | {}) & {
  file: string;  // The name of the file
  accepted: boolean;  // Whether the certificate is correct
  reason?: string;  // The reason why the certificate is rejected
};

// A position and, if it is the last of a recorded game, the record of this game
type Shown = Ply & {
  recorded?: GameRecord;  // The record of the game, if the game is from a match's record
};

// A game that was played
type GameRecord = {
  number: integer;  // The number of the game, counted from 1
  a_seat: integer;  // The seat of contender A, counted from 0; B has all other seats
  start: string | null;  // The text form of the position before the first move; null for the game's start
  moves: string;  // All moves, those of the opening first
  opening_plies: integer;  // The number of moves that belong to the opening
  plies: integer;  // The total number of moves
  payoffs: integer[] | null;  // Each player's payoff; null if the rules did not end the game
  points: number;  // A's share of the game's one point, from 0 to 1
  forfeit?: string;  // The reason why B, another program, forfeited the game
  a: Spent;  // The resources spent by A
  b: Spent;  // The resources spent by B in all of its seats
};

// The resources that a player has spent
type Spent = {
  moves: integer;  // The number of moves that the player has searched
  playouts: integer;  // The number of playouts of these searches
  seconds: number;  // The wall-clock time of these searches
};

// The settings that determine the games of a contest. The number of games and how many run at once are not among them
type Settings = {
  game: string;  // The game's description
  a: string;  // The options of contender A
  b: string;  // The options of contender B, or the command of another program
  openings: { [name: string]: integer | string[] };  // The openings: `random` with a number of random moves, or `listed` with a list of positions or moves
  seed: integer;  // The seed from which the seeds of all games are derived
  max_plies: integer;  // The number of moves after which a game is a draw
};

// A 95 % confidence interval of a win rate, between 0 and 1
type Interval = {
  lower: number;  // The lower end
  upper: number;  // The upper end
};

// A sequential test of two hypotheses about A's advantage in Elo
type Sprt = {
  elo0: number;  // The advantage in Elo under the first hypothesis
  elo1: number;  // The advantage in Elo under the second hypothesis, greater than `elo0`
  alpha: number;  // The probability of accepting `elo1` although `elo0` is true, below 0.5
  beta: number;  // The probability of accepting `elo0` although `elo1` is true, below 0.5
};

// The result of a match
type Match = Settings & {
  players: string[];  // The names of the game's players, first player first
  games: integer;  // The number of finished games
  wins: integer;  // The number of games in which A received the whole point
  draws: integer;  // The number of games in which A received a part of the point
  losses: integer;  // The number of games in which A received nothing
  win_rate: number | null;  // A's share of all points, from 0 to 1; null before the first game
  interval: Interval;  // Wilson's 95 % confidence interval of the win rate
  even: number;  // The win rate of equally strong players: one divided by the number of players
  elo: number | null;  // A's advantage in Elo, for two players; null if it is infinite or no game was played
  elo_interval: [number | null, number | null] | null;  // The ends of the interval in Elo, each null if infinite. The whole is null if no game was played or if there are more than two players
  sprt: SprtResult | null;  // The sequential test of `--sprt`; null without it
  forfeits: string[];  // The games that B forfeited, each as `game 3: ` followed by the reason
  mean_plies: number;  // The mean number of moves in a game, counting the moves of all players
  a_spent: Spent;  // The resources spent by A in all games
  b_spent: Spent;  // The resources spent by B in all games and all of its seats
  record: string | null;  // The file with the record of the games; null without `--record`
  finished: boolean;  // Whether all games were played or the sequential test came to a decision
};

// The state of a sequential test
type SprtResult = Sprt & {
  log_likelihood_ratio: number;  // The logarithm of the likelihood of `elo1` divided by that of `elo0`
  limits: [number, number];  // The log-likelihood ratios at which `elo0` and `elo1` are accepted
  verdict: "elo0" | "elo1" | "open";  // The accepted hypothesis, or `open` if more games are needed
};

// The review of a move
type Reviewed = {
  game: string;
  ply: integer;  // The number of the move in the game, counted from 1
  player: integer | null;  // The player who moved; null if chance decided
  move: string;
  best_move: string | null;  // The best move in the position before the move; null if unknown
  before: Known;  // The knowledge about the position before the move
  after: Known;  // The knowledge about the position after the move
  solved: boolean | null;  // Whether it is proven that the move lost something or that it lost nothing; null if chance decided
  mark: string | null;  // `?` for a mistake, `??` for a blunder; null for any other move
  thrown: Thrown | null;  // The proven loss by the move; null if none is proven
};

// What is known about a position, for the player who moved, or for player 0 if chance decided
type Known = {
  proven: string;  // The proven outcome; `unknown` if none is proven
  bounds: [integer | null, integer | null];  // Proven bounds on the payoff, the lower one first; null for an unknown bound
  mean: number | null;  // The mean value of playouts, from −1 to 1; null without playouts
};

// The proven loss by a move
type Thrown = {
  from: string | null;  // The outcome proven before the move; null if the outcome stayed the same and only payoff was lost
  to: string | null;  // The outcome proven after the move; null if only payoff was lost
  payoff: integer | null;  // The least amount of payoff that was lost; null if no amount is proven
};

// A file that was written
type Written = {
  file: string;
  format: string;  // The format: `html`, `dot` or `sgf`
  game: string;
  positions: integer;  // The number of positions in the file
  bytes: integer;  // The size of the file in bytes
};

// A combination of option values, with its results against the engine without proof numbers
type Candidate = {
  options: string;  // The values as command-line options
  games: integer;  // The number of games played
  win_rate: number;  // The share of points won, from 0 to 1
  interval: Interval;  // Wilson's 95 % confidence interval of the win rate
};

// The result of tuning
type Tuned = {
  game: string;
  best: Candidate | null;  // The best candidate with the results of its last match; null if this match has not begun
  last: integer;  // The number of games of the last match
  candidates: Candidate[];  // All candidates with the results so far; the best first once all stages are finished
  finished: boolean;  // Whether all games were played; false after Ctrl-C
  interrupted_in: [integer, integer] | null;  // The number of the stage in which Ctrl-C ended the command, counted from 1, and the number of stages; null if all stages are finished
};

// The measurements for one number of threads
type Scaled = {
  game: string;  // The game's description
  threads: integer;  // The number of threads
  virtual_loss: string;  // The kind of virtual loss, which keeps threads off each other's paths
  playouts_per_second: number;  // The rate in playouts per second
  speed_up: number;  // The rate divided by the rate with one thread; 0 if that was not measured
  cores: number;  // The processor time divided by the wall-clock time while the rate was measured: the number of cores in use
  positions: integer;  // The number of positions that the search tried to prove
  solved: integer;  // The number of positions that were proven
  proof_seconds: number;  // The time spent on all these proofs
  proof_playouts: integer;  // The number of playouts in all these proofs
  games: integer;  // The number of games against one thread
  win_rate: number | null;  // The win rate against one thread, from 0 to 1; null without games
  lower: number | null;  // The lower end of the win rate's 95 % confidence interval; null without games
  upper: number | null;  // The upper end of the win rate's 95 % confidence interval; null without games
};

// The measured speed of searches of a game
type Speed = {
  game: string;  // The game's description
  rounds: integer;  // The number of rounds in which every row was measured
  seed: integer;  // The seed of the random numbers
  cores: integer;  // The number of processor cores of the machine
  rows: SpeedRow[];  // The measurements, a row for each configuration and number of threads
};

// The measurements for one configuration and one number of threads. Figures are medians over the rounds
type SpeedRow = {
  configuration: string;  // The name of the configuration
  options: string;  // The options of the configuration, as on the command line
  threads: integer;  // The number of threads
  playouts: integer;  // The number of playouts of a search
  playouts_per_second: number;  // The rate in playouts per second
  spread: number;  // Half the difference between the greatest and the least rate, divided by the median
  cost: number;  // The processor time of a playout, divided by that of a playout without a tree
  speed_up: number | null;  // The rate divided by the rate with one thread; null if that was not measured
  cores: number;  // The processor time divided by the wall-clock time: the number of cores in use
  nodes: integer | null;  // The number of nodes after the last search; null without a tree. With one thread, it is the same in every round, unless the searches are limited by time
  bytes_per_node: number | null;  // The size of the tree in bytes, divided by the number of its nodes; null without a tree
  bytes_per_playout: number | null;  // The size of the tree in bytes, divided by the number of playouts; null without a tree
  resident_bytes_per_playout: number | null;  // The growth of the process's resident memory in bytes, divided by the number of playouts; null if the system does not report it
};

// The advice on the number of threads for a game, with the measurements behind it
type Advice = {
  game: string;  // The game's description
  threads: integer | null;  // The recommended number of threads; null if nothing was measured
  rows: AdviceRow[];  // The measurements, one row for each number of threads
  finished: boolean;  // Whether all measurements were made; false after Ctrl-C
};

// The measurements for one number of threads
type AdviceRow = {
  threads: integer;  // The number of threads
  playouts_per_second: number;  // The median rate of the rounds, in playouts per second
  range: [number, number];  // The least and the greatest rate of the rounds, in playouts per second
  speed_up: number;  // The rate divided by that of one thread
  equal_playouts: Strength | null;  // The results of games against one thread with equal playouts for each move; null if none were played
  equal_time: Strength | null;  // The results of games against one thread with equal time for each move; null if none were played
};

// The results of games against one thread
type Strength = {
  games: integer;  // The number of games
  win_rate: number;  // The share of points won, from 0 to 1
  interval: Interval;  // Wilson's 95 % confidence interval of the win rate
  elo: number | null;  // The win rate as a difference in Elo; null if it is infinite
  elo_interval: [number | null, number | null];  // The ends of the interval as differences in Elo, each null if infinite
};

// An answer to a query of `analyze`
type Reply = (Answered | {}) & {
  id: string | number | null;  // The query's id; null for a line without an id
  turn?: integer;  // The number of the query's moves before the position
  done: boolean;  // Whether this is the last answer about the position
  no_results?: boolean;  // True for a position whose query was stopped before its search began
  error?: string;  // The reason why there is no answer
  field?: string;  // The field of the query that caused the error
  stopped?: boolean;  // Whether the query `stop` has ended another query
  version?: string;  // The program's version, for the query `version`
  saved_tree?: string;  // The name under which the tree was saved
  not_saved?: string;  // The reason why the tree was not saved
};

// Positions of one game to search or to solve
type Task = {
  game?: string;  // The game's description, such as `othello:6`; by default the game that the command line names
  position?: string;  // The position to begin at, in the text form that `proofwood show` prints; by default the game's start
  moves?: string | string[];  // The moves to play from there, as a list or as one text
  allow_moves?: string[];  // The first moves to search; all others are left out
  avoid_moves?: string[];  // First moves to leave out
  turns?: integer[];  // The positions to search, each by the number of `moves` before it: `[0, 3]` means the first position and the one after three moves. By default only the last position, after all moves
  priority?: integer;  // The priority; queries with a greater priority are answered first. By default 0
  priorities?: integer[];  // A priority for each element of `turns`
  every?: number;  // The time between two intermediate answers, in seconds; by default there are none
  time?: string | number | boolean;  // The time limit, in seconds or with a unit, such as `500ms`
  cpu_time?: string | number | boolean;  // The limit on the processor time of all threads together, in seconds or with a unit
  playouts?: string | number | boolean;  // The limit on the number of playouts
  nodes?: string | number | boolean;  // The limit on the number of nodes
  bytes?: string | number | boolean;  // The limit on the size of the tree, in bytes or with K, M, G or T
  algorithm?: string | number | boolean;  // The prover, or `gpn` for the search with playouts. A query that names it is a `solve` query
  goal?: string | number | boolean;  // The goal: `outcome` or `score`, and for provers also `win` and `draw-or-better`
  options?: { [name: string]: string | number | boolean };  // Options by their names on the command line, without the dashes
  load_tree?: string;  // The name of a saved tree of the same game and position, with which the search begins
  save_tree?: string;  // The name under which the tree is saved when the search ends
  force?: boolean;  // Whether `save_tree` may replace a saved tree
};

// Queries to end
type Stop = {
  which?: string | number;  // The id of the query to end; by default all queries
  turns?: integer[];  // The turns of the query to end; by default all
};

// A position to show
type Where = {
  game?: string;  // The game's description, such as `othello:6`
  position?: string;  // The position to begin at, in the game's text form; by default the game's start
  moves?: string | string[];  // The moves to play from there, as a list or as one text
};

// A part of the tree of the newest search
type Part = {
  path?: string[];  // The moves from the tree's root to the position at which the part begins
  depth?: integer;  // The number of levels below this position; by default 2
  width?: integer;  // The number of children of each position; by default 8
};

// A certificate to check
type Open = {
  certificate?: string;  // The certificate file in base64
};

// A position in the proof of a certificate
type Walk = {
  claim?: integer;  // The number of the claim, counted from 0
  path?: string[];  // The moves from the root of the claim's proof to the position
};
