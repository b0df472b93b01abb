type integer = number;
type Proven = "win" | "draw" | "loss" | "not-win" | "not-loss" | "unknown";

// A position, described by its text form, its drawing and its legal moves
type View = {
  position: string | null;  // The text form on one line; empty, and null in JSON, if the game has none
  board: string;  // The drawing for human readers, over several lines
  players: string[];  // The players' names, first player first
  to_move: integer | null;  // The player to move; null for chance and when the game is over
  legal_moves: string[];  // The legal moves, or the possible outcomes of chance
  probabilities: number[] | null;  // The probability of each outcome, at a chance node
  payoffs: integer[] | null;  // The players' payoffs, when the game is over
};

// An answer with its game and position
type Answered = (Answer | ProofAnswer) & {
  game: string;  // The game's description
  position: string | null;  // The position's text form; empty, and null in JSON, if the game has none
};

// The answer of a search: its `Report` with moves as text
type Answer = {
  players: string[];  // The players' names, first player first
  to_move: integer | null;  // The player to move; null for chance and when the game is over
  goal: "outcome" | "score" | "win" | "draw-or-better";  // The question
  stop_reason: string | null;  // The reason why the search ended; null while it runs
  settled: boolean;  // The question is answered, whatever ended the search
  proven: Proven;  // The proven outcome for the player to move
  bounds: [integer | null, integer | null];  // Proven bounds on the payoff
  expected: Expected | null;  // Proven bounds on the expected payoff, in games with chance
  mean: number | null;  // Mean value of all playouts, −1 to 1, clamped to the proven bounds
  best_move: string | null;  // The move to play
  pv: string[];  // The line of best play, as far as it is known
  ends_in: integer | null;  // The number of moves of both sides until a proven win ends the game at the latest, by the proof in the tree
  proof_numbers: (integer | "inf" | null)[];  // The players' proof numbers
  counts_proof_numbers: boolean;  // Proof numbers are counted. Otherwise each is 0, 1 or infinite
  saturated: boolean;  // A proof number has reached its greatest finite value
  paranoid: boolean;  // Proofs hold against a coalition of all other players
  paranoid_pruning: boolean;  // Such proofs excluded moves from the search
  playouts: integer;  // Playouts of this search, without those of earlier searches of the tree
  playouts_per_second: number;  // Playouts per second of this search
  nodes: integer;  // Nodes of the tree
  bytes: integer;  // Bytes of the tree
  seconds: number;  // The time taken by the search
  threads: integer;  // The number of threads
  seed: integer;  // The seed of the random numbers
  settings?: { [name: string]: Setting };  // The settings in force, by the names of the options; empty while the search runs
  counters?: { [name: string]: integer };  // Counts of the search's mechanisms; null without the feature `counters`
  moves: Move[];  // Each move at the root, in the order of the rules
};

// A setting in force
type Setting = {
  value: string;  // The value, as the command line takes it
  source: "given" | "recommended" | "default";  // Its origin: the user, the game or the default
};

// A move at the root of a search. Values are those of the side that plays it
type Move = {
  move: string;  // The move as the game writes it
  probability: number | null;  // Its probability, at a chance node
  visits: integer;  // Playouts through this move
  proven: Proven;  // The proven outcome
  mean: number | null;  // Mean value of these playouts, −1 to 1, clamped to the proven bounds
  prior: number | null;  // The evaluator's prior, from 0 to 1, if it has any
  bounds: [integer | null, integer | null];  // Proven bounds on the payoff
  expected: Expected | null;  // Proven bounds on the expected payoff, in games with chance
  proof_numbers: (integer | "inf" | null)[];  // The players' proof numbers
  pv?: string[];  // The line of play that begins with this move; filled for the page alone
};

// The answer of a proof search: its `ProofReport` with moves as text
type ProofAnswer = {
  players: string[];  // The players' names, first player first
  to_move: integer | null;  // The player to move; null for chance and when the game is over
  algorithm: string;  // The prover
  goal: "outcome" | "score" | "win" | "draw-or-better";  // The question
  player: integer;  // The player whose value and bounds are given
  stop_reason: string | null;  // The reason why the search ended; null while it runs
  settled: boolean;  // The question is answered
  proven: Proven;  // The proven outcome for `player`
  bounds: [integer | null, integer | null];  // Proven bounds on the payoff of `player`
  best_move: string | null;  // The move to play
  pv: string[];  // The line of best play, as far as it is known
  paranoid: boolean;  // Proofs hold against a coalition of all other players
  questions: Question[];  // The questions and their answers, in order
  nodes: integer;  // Nodes of all questions
  expansions: integer;  // Positions whose moves were listed
  nodes_per_second: number;  // Nodes per second
  bytes: integer;  // Bytes of tables and trees
  seconds: number;  // The time taken by the search
  threads: integer;  // The number of threads
  seed: integer;  // The seed of the random numbers
  counters?: { [name: string]: integer };  // Counts of the provers' mechanisms; null without the feature `counters`
};

// A question and its answer: can `player` force `at_least`?
type Question = {
  player: integer;  // The claimant, from 0
  at_least: integer;  // The least payoff for which the answer is yes
  answer: "proven" | "disproven" | null;  // The answer; null for an open question
  answered_by: string | null;  // For `auto`, with an answer: the prover that found it
  estimate: number | null;  // For algorithms that estimate, without an answer: the probability of a yes. It proves nothing
  nodes: integer;  // Nodes of the search
  expansions: integer;  // Positions whose moves were listed
  seconds: number;  // The time taken
};

// The shortest win of a player: its `ShortestWin` with moves as text
type Shortest = {
  winner: integer;  // The player who wins
  moves: integer | null;  // The number of moves of both sides together; null if a limit came first
  more_than: integer;  // A proven lower bound: the win takes more moves than this
  pv: string[];  // Best play of both sides
  nodes: integer;  // Nodes of the search
  stop_reason: string | null;  // The reason why the search ended without an answer
};

// The content of a checked certificate: `Checked` with the players' names
type Checked = {
  game: string;  // The game's description
  position: string;  // The position that the certificate is about
  players: string[];  // The players' names, first player first
  claims: Claim[];  // The claims that were shown
  bytes: integer;  // Bytes of the text before compression
  memory: integer;  // Bytes of memory that the check took
};

// A proven claim
type Claim = {
  player: integer;  // The player whose payoff it bounds
  at_least: integer | null;  // The player can force at least this payoff
  below: integer | null;  // Alternatively, the others can hold the player below this payoff
  endless: boolean;  // The claim holds by endless play
  positions: integer;  // Positions in the proof
  references: integer;  // References to earlier positions
};

// Bounds on an expected payoff
type Expected = {
  lower: number | null;
  upper: number | null;
  exact: boolean;  // The bounds are equal
  rounded: boolean;  // The bounds are final and differ by rounding alone
};

// The answer of a search or a prover, and what else was asked for
type Searched = Answered & {
  line?: integer;  // The line of a file of positions that this answers
  id?: string;  // What the file's column `id` says
  audit?: string;  // With `--audit on`: `"ok"`, or what is wrong with the tree
  certificate?: Certificate;  // With `--certificate`: what was written
  shortest?: Shortest | null;  // With `--shortest`: how soon the winner wins; null when nobody is proven to win
};

// A certificate that was written and checked
type Certificate = {
  file: string;  // The file's name
  positions: integer;  // Positions in it, each time one is listed
  references: integer;  // References to positions listed before
};

// A line of a file of positions that could not be answered
type BadLine = {
  line: integer;  // The number of the line
  id?: string;  // What the column `id` says
  game?: string;  // The game that was asked for
  error: string;  // The reason
};

// A position and the move that led to it
type Ply = View & {
  game: string;
  ply: integer;  // How many moves were played
  move: string | null;  // The last of them; null before the first
  over: boolean;
};

// The count of move sequences from a position
type Perft = {
  game: string;
  position: string | null;
  depth: integer;
  nodes: integer;  // Sequences of exactly `depth` moves
  nodes_by_depth: integer[];  // The same for every depth from 1
  seconds: number;
};

// The values that options have in a game where nothing else is said
type Recommended = {
  c: number;
  c_pn: number;
  expand_after: integer;
  playout_cap: integer;
  prover_share: number;
};

// One of the games
type Game = {
  name: string;
  also: string[];  // Other names that people use
  summary: string;
  rules: string;
  notation: string;
  options: GameOption[];
  example: string;  // A description with options
  game: string;  // All that follows is about this description: the name, or the example where the name alone is no game
  players: string[];
  chance: boolean;
  zero_sum: boolean;
  payoffs: [integer, integer];  // The least and the greatest payoff of the first player
  recommended: Recommended;
  start: string;  // The start
  position: string;  // A position after some moves
};

// An option of a game
type GameOption = {
  option: string;
  meaning: string;
};

// The result of checking a certificate
type CheckedFile = (Checked | {}) & {
  file: string;
  accepted: boolean;  // Whether everything in it holds
  reason?: string;  // Why it does not
};

// A position, and the whole game that it is the end of
type Shown = Ply & {
  recorded?: GameRecord;  // What the record of a match says of the game
};

// A game that was played
type GameRecord = {
  number: integer;  // Its number, counted from 1
  a_seat: integer;  // The seat of contender A; B has all others
  start: string | null;  // The position before the moves; null for the game's start
  moves: string;  // All moves, the first `opening_plies` of which nobody chose
  opening_plies: integer;  // Moves of the opening
  plies: integer;  // All moves, counted
  payoffs: integer[] | null;  // What each player received; null for a draw by length
  points: number;  // A's share of the one point that there is
  forfeit?: string;  // Why B has lost, where it is another program and did what no player may do
  a: Spent;  // A's expenses
  b: Spent;  // What all players of B spent together
};

// A player's expenses
type Spent = {
  moves: integer;  // Moves that were searched
  playouts: integer;  // Playouts of all of them
  seconds: number;  // Time on the wall
};

// What decides which games a contest has; not how many of them are played, nor how many at a time
type Settings = {
  game: string;  // The description of the game
  a: string;  // The contenders' options
  b: string;  // The options of the second contender
  openings: { [name: string]: integer | string[] };  // The openings
  seed: integer;  // The seed from which all others follow
  max_plies: integer;  // After so many plies a game is a draw
};

// A 95 % confidence interval
type Interval = {
  lower: number;  // Its lower end
  upper: number;  // Its upper end
};

// Which of two differences in strength is the true one?
type Sprt = {
  elo0: number;  // The difference in Elo of the first hypothesis
  elo1: number;  // The difference in Elo of the second one
  alpha: number;  // How often `elo1` may be accepted though `elo0` is true
  beta: number;  // How often `elo0` may be accepted though `elo1` is true
};

// The result of a match
type Match = Settings & {
  players: string[];  // What the players of the game are called
  games: integer;
  wins: integer;
  draws: integer;
  losses: integer;
  win_rate: number | null;  // A's points for each game; null without a game
  interval: Interval;  // Wilson's 95 % interval
  even: number;  // What equal players would have
  elo: number | null;  // With two players; null where it is infinite
  elo_interval: [number | null, number | null] | null;
  sprt: SprtResult | null;
  forfeits: string[];  // Why B lost games that the rules did not end
  mean_plies: number;
  a_spent: Spent;
  b_spent: Spent;
  record: string | null;  // The file that has the games
  finished: boolean;
};

// What a sequential test has come to
type SprtResult = Sprt & {
  log_likelihood_ratio: number;
  limits: [number, number];
  verdict: "elo0" | "elo1" | "open";
};

// A move as JSON
type Reviewed = {
  game: string;
  ply: integer;
  player: integer | null;  // Null where chance decided
  move: string;
  best_move: string | null;
  before: Known;
  after: Known;
  settled: boolean | null;  // Whether it is proven what the move gave away, or that it gave nothing away; null where chance decided
  mark: string | null;  // `?` or `??`
  thrown: Thrown | null;  // What was given away for certain; null where nothing was
};

// What is known for who moved, for player 0 where chance decided
type Known = {
  proven: string;
  bounds: [integer | null, integer | null];
  mean: number | null;
};

// 
type Thrown = {
  from: string | null;  // Null where points alone are given away
  to: string | null;
  payoff: integer | null;  // How much of the payoff at least
};

// A file that was written
type Written = {
  file: string;
  format: string;  // `html`, `dot` or `sgf`
  game: string;
  positions: integer;
  bytes: integer;
};

// A set of values and how it has done
type Candidate = {
  options: string;
  games: integer;
  win_rate: number;
  interval: Interval;  // Wilson's 95 % interval
};

// What was found
type Tuned = {
  game: string;
  best: Candidate | null;  // The winner in its last match; null before that has begun
  last: integer;  // Games of the last match
  candidates: Candidate[];  // All candidates as far as they came; after the stages the best first
  finished: boolean;
  interrupted_in: [integer, integer] | null;  // The stage that Ctrl-C ended, and how many there are
};

// What was measured with so many threads
type Scaled = {
  game: string;
  threads: integer;
  virtual_loss: string;
  playouts_per_second: number;
  speed_up: number;  // Compared with one thread; 0 where that was not measured
  cores: number;  // Processor time by time on the wall while playouts were counted: how many cores the threads had
  positions: integer;
  settled: integer;
  proof_seconds: number;
  proof_playouts: integer;
  games: integer;
  win_rate: number | null;  // Against one thread
  lower: number | null;
  upper: number | null;
};

// What was measured of a game
type Speed = {
  game: string;
  rounds: integer;  // Those in which every row was measured
  seed: integer;
  cores: integer;
  rows: SpeedRow[];
};

// A configuration and a number of threads
type SpeedRow = {
  configuration: string;
  options: string;  // The options that make it, as on the command line
  threads: integer;
  playouts: integer;  // Playouts of one search
  playouts_per_second: number;
  spread: number;  // Half the range of the rates, as a share of their median
  cost: number;  // Processor time of a playout in units of one without a tree
  speed_up: number | null;  // Against one thread; null when that was not measured
  cores: number;  // Processor time by time on the wall: how many cores the threads had
  nodes: integer | null;  // Of the last search; on one thread every search grows the same tree
  bytes_per_node: number | null;
  bytes_per_playout: number | null;
  resident_bytes_per_playout: number | null;  // What the search added to the memory that its process occupies; null where the system does not tell
};

// What was found out of a game
type Advice = {
  game: string;
  threads: integer | null;  // The threads to use; null where nothing was measured
  rows: AdviceRow[];
  finished: boolean;  // All that was to be measured was
};

// So many threads
type AdviceRow = {
  threads: integer;
  playouts_per_second: number;  // The median of the rounds, and the least and the greatest
  range: [number, number];
  speed_up: number;
  equal_playouts: Strength | null;  // Against one thread
  equal_time: Strength | null;
};

// What games against one thread say
type Strength = {
  games: integer;
  win_rate: number;
  interval: Interval;  // 95 % (Wilson)
  elo: number | null;  // The same in Elo; null where it is infinite
  elo_interval: [number | null, number | null];
};

// An answer to a query of `analyze`
type Reply = (Answered | {}) & {
  id: string | number | null;  // The query's id; null for a line without one
  turn?: integer;  // The number of the query's moves before the position
  done: boolean;  // Whether it is the last answer about this position
  no_results?: boolean;  // True for a position that was stopped before its search began
  error?: string;  // The reason why there is no answer
  field?: string;  // The query's field at fault
  stopped?: boolean;  // For `stop`: whether a query was ended
  version?: string;  // For `version`: the program's version
  saved_tree?: string;  // The name of the tree that was saved
  not_saved?: string;  // Why the tree was not saved
};

// Positions of one game to search or to solve
type Task = {
  game?: string;  // The game's description, such as `othello:6`; by default the one that the command line names
  position?: string;  // The position to begin at, in the text form that `proofwood show` prints; by default the game's start
  moves?: string | string[];  // The moves to play from there, as a list or as one text
  allow_moves?: string[];  // The first moves to search; all others are left out
  avoid_moves?: string[];  // The first moves to leave out
  turns?: integer[];  // The numbers of moves after which to search, by default all: `[0, 3]` names two positions
  priority?: integer;  // The priority: greater ones come first; by default 0
  priorities?: integer[];  // A priority for each of `turns`
  every?: number;  // The time between two answers on the way, in seconds
  time?: string | number | boolean;  // The longest time, in seconds or with a unit
  cpu_time?: string | number | boolean;  // The longest time of all threads together, in seconds or with a unit
  playouts?: string | number | boolean;  // The greatest number of playouts
  nodes?: string | number | boolean;  // The greatest number of nodes
  bytes?: string | number | boolean;  // The greatest size of the tree, in bytes or with K, M, G or T
  algorithm?: string | number | boolean;  // The prover, or `gpn` for the search with playouts; it makes the query one that solves
  goal?: string | number | boolean;  // The goal: `outcome` or `score`, and for provers also `win` and `draw-or-better`
  options?: { [name: string]: string | number | boolean };  // Options by the names of the command line, without dashes
  load_tree?: string;  // The name of the tree to go on with, of the same game and position
  save_tree?: string;  // The name for the tree when the search has ended
  force?: boolean;  // Whether `save_tree` may replace a tree
};

// Queries to end
type Stop = {
  which?: string | number;  // The id of a query; by default all queries
  turns?: integer[];  // The turns to end; by default all
};

// A position to show
type Where = {
  game?: string;  // The game's description, such as `othello:6`
  position?: string;  // The position to begin at, in the game's text form; by default the game's start
  moves?: string | string[];  // The moves to play from there, as a list or as one text
};

// A part of a tree
type Part = {
  path?: string[];  // The moves from the tree's root to the part
  depth?: integer;  // The number of moves below it to show; by default 2
  width?: integer;  // The number of children to show of each position; by default 8
};

// A certificate to check
type Open = {
  certificate?: string;  // The file in base64
};

// A position in a proof
type Walk = {
  claim?: integer;  // The number of the claim, counted from 0
  path?: string[];  // The moves from the proof's root
};
