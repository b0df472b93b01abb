"use strict";
// The page's state, and the handlers of its buttons, fields and keys.

const client = new Client();
const state = {
  games: [],
  /** The game's description, the first position, the moves played, and the moves taken back. */
  game: "connect-four", position: null, moves: [], ahead: [],
  /** The engine's answer about the shown position. */
  place: null,
  /** The newest figures of the position, and the running request that updates them. */
  report: null, figures: null, running: null, analysing: false,
  /** The game and the options of a loaded tree; a search with the same options continues it. */
  kept: null,
};

const board = new BoardView($("board"), move, showChoice);
const table = new MoveTable(move);
const tree = new TreeView((request) => client.once(request));
const proof = new ProofView(client, showWalk, leaveProof, showVerdict);

// Positions and moves.

let journeys = 0;

/** Goes to a position and shows it. */
async function go({ game = state.game, position = state.position, moves = state.moves }) {
  halt();
  const number = ++journeys;
  const answer = await client.once({
    ask: "position", game, moves, ...(position ? { position } : {}),
  });
  // Another `go` began before the answer came.
  if (number !== journeys) return false;
  if (answer.error) {
    fault(capital(answer.error));
    return false;
  }
  fault(null);
  Object.assign(state, { game: answer.game, position, moves: answer.played ?? moves });
  state.report = null;
  state.figures = null;
  state.place = answer;
  tree.clear();
  show();
  writeAddress(state);
  describe();
  next();
  return true;
}

/** Plays a move in the game, or in the proof that is being walked. */
async function move(text) {
  showChoice([]);
  if (proof.walking) return proof.play(text);
  const legal = state.place?.legal.find((it) => it.move === text);
  if (!legal) return;
  const moved = await go({ moves: [...state.moves, text] });
  if (moved && state.ahead.at(-1) === text) state.ahead.pop();
  else if (moved) state.ahead = [];
  history_();
}

async function undo() {
  if (proof.walking) return proof.back(1);
  if (!state.moves.length) return;
  // In a game against the engine, its move and the one before it are both taken back.
  const side = $("engine-side").value;
  const both = side !== "" && side !== "all" && state.place.to_move !== Number(side);
  const kept = Math.max(0, state.moves.length - (both ? 2 : 1));
  const taken = state.moves.slice(kept).reverse();
  if (await go({ moves: state.moves.slice(0, kept) })) state.ahead.push(...taken);
  history_();
}

async function redo() {
  const again = state.ahead.at(-1);
  if (again === undefined || proof.walking) return;
  await move(again);
}

async function toStart() {
  if (proof.walking) return proof.go([]);
  const taken = [...state.moves].reverse();
  if (await go({ moves: [] })) state.ahead.push(...taken);
  history_();
}

/** Plays several moves at once. */
async function playLine(moves) {
  if (proof.walking || !moves.length) return;
  if (await go({ moves: [...state.moves, ...moves] })) state.ahead = [];
  history_();
}

// Display.

function show() {
  const { place } = state;
  board.show(place, state.figures, $("shown").value);
  showPlayers(place);
  showStatus(place);
  $("notes").replaceChildren(...place.board.notes.map((note) => html("li", {}, note)));
  showButtons(place);
  table.show(place, state.figures);
  showReport();
  history_();
}

function history_() {
  $("undo").disabled = $("first").disabled = !(proof.walking ? proof.path : state.moves).length;
  $("redo").disabled = proof.walking || !state.ahead.length;
  const moves = proof.walking ? proof.path : state.moves;
  $("played").replaceChildren(...(moves.length ? [html("span", { class: "hint" }, `${counted(moves.length, "move")}: `), moves.join(" ")] : []));
}

function showPlayers(place) {
  $("players").replaceChildren(...place.players.map((name, player) => {
    const payoff = place.payoffs ? html("span", { class: "payoff" }, minus(place.payoffs[player])) : null;
    return html("li", { class: place.to_move === player ? "to-move" : null }, chip(place.board, player), name, payoff);
  }));
}

/** Returns whose turn it is, or how the game ended. */
function statusOf(place) {
  const { players, payoffs, to_move: mover } = place;
  if (place.over && payoffs) {
    const best = Math.max(...payoffs);
    const winners = players.filter((_, player) => payoffs[player] === best);
    if (payoffs.length > 1 && winners.length === payoffs.length) return "Game over: a draw";
    return payoffs.length === 1 ? `Game over: ${minus(payoffs[0])}` : `Game over: ${winners.join(" and ")} won`;
  }
  if (place.chance) return "Chance decides";
  return mover === null || mover === undefined ? "" : `${players[mover]} to move`;
}

function showStatus(place) {
  $("status").textContent = statusOf(place);
}

/** Announces the last move and the status to screen readers. */
function describe() {
  const { place } = state;
  const last = state.moves.at(-1);
  const begun = last === undefined ? `${place.game}. ` : `${last} played. `;
  announce(`${begun}${statusOf(place)}. ${place.over ? "" : counted(place.legal.length, "possible move")}`);
}

/** Shows buttons for moves that have no cells. */
function showButtons(place) {
  const plain = place.legal.filter((legal) => !legal.cells.length);
  const few = plain.slice(0, 30);
  const buttons = few.map(({ move: text, probability }) => {
    const figure = state.figures?.get(text);
    const more = probability !== undefined ? ` ${(100 * probability).toFixed(0)} %`
      : figure ? ` ${figure.tag ?? cellText(figure, "share")}` : "";
    return tint(html("button", { class: "move-button", "data-move": text, click: () => move(text) },
      text, html("span", { class: "figure" }, more)), figure);
  });
  if (place.chance && !proof.walking) {
    buttons.unshift(html("button", { class: "primary", click: rollDie }, "Roll"));
  }
  if (plain.length > few.length) {
    buttons.push(html("span", { class: "hint" }, `and ${plain.length - few.length} more: type one below`));
  }
  const focused = document.activeElement?.dataset?.move;
  const had = $("buttons").contains(document.activeElement);
  $("buttons").replaceChildren(...buttons);
  if (had) (buttons.find((it) => it.dataset.move === focused) ?? buttons[0])?.focus();
}

/** Shows buttons to choose between moves that share their cells. */
function showChoice(moves) {
  const before = $("buttons").querySelector(".choice");
  before?.remove();
  if (!moves.length) return;
  const choice = html("span", { class: "choice" }, "Which one? ",
    moves.map((text) => html("button", { class: "primary", click: () => move(text) }, text)));
  $("buttons").prepend(choice);
  choice.querySelector("button").focus();
}

/** Draws a random outcome by its probability. */
function rollDie() {
  let at = Math.random();
  const { legal } = state.place;
  const outcome = legal.find(({ probability }) => (at -= probability ?? 0) < 0) ?? legal.at(-1);
  move(outcome.move);
}

// Searching.

/** Stops the running request. */
function halt() {
  if (state.running === null) return;
  client.stop(state.running);
  state.running = null;
  if (state.report) Object.assign(state.report, { done: true, stop_reason: "stopped" });
  showRunning();
}

/** Returns a shell command that restarts the engine at the shown position. */
function command() {
  const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
  const words = ["proofwood explore", state.game];
  if (state.position) words.push("--position", quoted(state.position));
  if (state.moves.length) words.push("--moves", quoted(state.moves.join(" ")));
  return words.join(" ");
}

/** Asks the engine about the position and calls `done` with the last answer. */
function study(request, done) {
  halt();
  const { place } = state;
  const id = client.ask({
    game: state.game, moves: state.moves, every: 0.25, ...(state.position ? { position: state.position } : {}), ...request,
  }, (answer) => {
    // The answer belongs to an earlier question or another position.
    if (state.running !== id || state.place !== place) return;
    if (answer.done) state.running = null;
    if (answer.error) {
      fault(capital(answer.error));
      if (state.report) Object.assign(state.report, { done: true, stop_reason: "stopped" });
    } else takeReport(answer, request.ask);
    if (answer.done) {
      showRunning();
      done?.(answer);
    }
  });
  state.running = id;
  showRunning();
}

let drawing = null;
let tabled = 0;

/** Stores a report's figures, to be drawn with the next frame. */
function takeReport(report, kind) {
  state.report = { ...report, kind };
  if (report.moves) state.figures = new Map(report.moves.map((it) => [it.move, it]));
  else if (report.best_move && isProven(report)) {
    state.figures = new Map([[report.best_move, { proven: report.proven, bounds: report.bounds, expected: report.expected }]]);
  }
  if (drawing !== null && !report.done) return;
  cancelAnimationFrame(drawing);
  drawing = requestAnimationFrame(() => {
    drawing = null;
    if (proof.walking) return;
    board.show(state.place, state.figures, $("shown").value);
    showReport();
    // The rest waits for another frame, to keep each one short.
    setTimeout(() => {
      if (proof.walking || !state.place) return;
      // The table takes the longest to draw, so it is drawn less often.
      if (!$("view-moves").hidden && (report.done || performance.now() > tabled + 450)) {
        tabled = performance.now();
        table.show(state.place, state.figures);
      }
      if (state.place.legal.some((legal) => !legal.cells.length)) showButtons(state.place);
      if (kind === "search" && !$("view-tree").hidden) tree.refresh();
    });
  });
}

function showRunning() {
  const busy = state.running !== null;
  document.body.classList.toggle("busy", busy);
  $("analyse").textContent = busy ? "Stop" : "Analyse";
  $("who-wins").disabled = !state.place || state.place.over;
  showReport();
}

/** Returns a sentence about who wins, as far as it is proven. */
function verdictOf(place, report) {
  if (place.over) return { tone: "none", text: statusOf(place) };
  if (!report) return { tone: "none", text: "Who wins here?" };
  const player = report.to_move ?? place.to_move ?? 0;
  const name = place.players[player] ?? "";
  const others = place.players.filter((_, other) => other !== player).join(" and ");
  const score = report.bounds && report.bounds[0] !== null && report.bounds[0] === report.bounds[1]
    && Math.abs(report.bounds[0]) > 1 ? ` by ${Math.abs(report.bounds[0])}` : "";
  const sayings = {
    win: `${name} wins`,
    loss: place.players.length === 2 ? `${others} wins` : `${name} loses`,
    draw: "It is a draw",
    "not-win": `${name} cannot win`,
    "not-loss": `${name} does not lose`,
  };
  const saying = sayings[provenOf(report)];
  if (saying) return { tone: report.proven, text: `${saying}${score}: proven.` };
  if (!report.done) return { tone: "open", text: "Not proven yet …" };
  return { tone: "open", text: report.stop_reason === "stopped" ? "Not proven yet; ask again to continue." : "Not proven." };
}

function showReport() {
  const { place, report } = state;
  if (!place || proof.walking) return;
  const { tone, text } = verdictOf(place, report);
  const before = $("verdict").dataset.tone;
  $("verdict").dataset.tone = tone;
  write($("verdict-text"), text);
  if (tone !== before && tone in WORDS) announce(text);
  const parts = [];
  if (report) {
    const points = share(report);
    if (points !== null && !isProven(report)) parts.push(`${points.toFixed(1)} % of the points`);
    if (boundsText(report)) parts.push(`${report.expected ? "expected" : "bounds"} ${boundsText(report)}`);
    if (report.playouts) parts.push(counted(report.playouts, "playout"));
    if (report.nodes !== undefined) parts.push(`${short(report.nodes)} nodes`);
    if (report.seconds !== undefined) parts.push(`${report.seconds.toFixed(1)} s`);
    const rate = report.playouts_per_second ?? report.nodes_per_second;
    if (rate) parts.push(`${short(rate)} per second`);
    if (report.bytes) parts.push(bytes(report.bytes));
    const answered = report.questions?.findLast((question) => question.answer);
    if (answered) parts.push(`by ${answered.answered_by ?? report.algorithm}`);
  } else if (!place.over) {
    parts.push("Ask, or let the engine analyse. Nothing leaves this machine.");
  }
  write($("verdict-more"), parts.join(" · "));
  const line = report?.pv ?? [];
  if (line.slice(0, 30).join(" ") === [...$("line").children].map((it) => it.textContent).join(" ")) return;
  $("line").replaceChildren(...line.slice(0, 30).map((text, at) =>
    html("button", { class: "line-move", title: `Play on to here (${counted(at + 1, "move")})`,
      click: () => playLine(line.slice(0, at + 1)) }, text)));
}

/** Returns a search's options: those of the loaded tree, if any, and the goal. */
const searchOptions = () => ({
  ...(state.kept?.game === state.game ? state.kept.options : {}), goal: $("goal").value,
});

/** Shows the results of the tree that the engine loaded at its start. */
async function showKept() {
  const answer = await client.once({ ask: "kept" });
  if (answer.error) return fault(capital(answer.error));
  state.kept = { game: state.game, options: answer.options };
  $("goal").value = answer.options.goal === "score" ? "score" : "outcome";
  takeReport(answer, "search");
  showTab("tree");
}

/** Asks who wins; the search runs until a proof or a stop. */
async function whoWins() {
  if (proof.walking) await proof.leave();
  state.analysing = false;
  const provers = $("method").value === "provers";
  const goal = $("goal").value;
  if (provers) study({ ask: "solve", algorithm: "auto", goal });
  else {
    showTab("tree");
    study({ ask: "search", options: searchOptions() });
  }
}

async function analyse() {
  if (proof.walking) await proof.leave();
  if (state.running !== null) {
    state.analysing = false;
    halt();
    return;
  }
  state.analysing = true;
  study({ ask: "search", options: searchOptions() });
}

/** Starts the engine at a new position: a die's roll, its own move, or a running analysis. */
function next() {
  const { place } = state;
  if (place.over || proof.walking) return;
  const side = $("engine-side").value;
  const plays = side === "all" || (side !== "" && place.to_move === Number(side));
  if (place.chance && side !== "") {
    setTimeout(() => state.place === place && rollDie(), 350);
  } else if (plays && place.to_move !== null) {
    const time = Math.min(600, Math.max(0.1, Number($("seconds").value) || 1));
    study({ ask: "search", time }, (answer) => {
      if (answer.best_move && state.place === place) move(answer.best_move);
    });
  } else if (state.analysing) {
    study({ ask: "search", options: searchOptions() });
  }
}

// Walking through a proof.

function showWalk(place, marks, { root }) {
  halt();
  state.place = place;
  state.figures = marks;
  board.show(state.place, marks, "share");
  showPlayers(state.place);
  showStatus(state.place);
  $("notes").replaceChildren(...state.place.board.notes.map((note) => html("li", {}, note)));
  showButtons(state.place);
  table.show(state.place, marks);
  showVerdict("walk", `${place.claim}.`,
    `Walking through a proof · ${whole(place.left)} ${place.left === 1 ? "entry" : "entries"} left to show`);
  history_();
  const isOther = state.game !== place.game;
  Object.assign(state, { game: place.game, position: root.position, moves: place.played });
  if (isOther) showGame();
  // An address with a certificate leads to the whole proof, so it stays.
  if (readAddress().certificate === null) writeAddress(state);
}

/** Shows a verdict that does not come from an engine's report. */
function showVerdict(tone, text, more = "") {
  $("verdict").dataset.tone = tone;
  $("verdict-text").textContent = text;
  $("verdict-more").textContent = more;
  $("line").replaceChildren();
}

async function leaveProof({ game, root }, path) {
  state.ahead = [];
  await go({ game, position: root.position, moves: [...root.moves, ...path] });
  showGame();
}

const leaveWalk = () => proof.leave();

// The choice of a game and its first position.

const nameOf = (game) => game.split(":")[0];

function showGame() {
  const info = state.games.find((it) => it.name === nameOf(state.game));
  if (!info) return;
  $("game").value = info.name;
  $("options").value = state.game.split(":")[1] ?? "";
  showOptions(info);
  $("rules").textContent = info.rules;
  $("notation").textContent = info.notation;
  const players = state.place?.players ?? [];
  const before = $("engine-side").value;
  $("engine-side").replaceChildren(html("option", { value: "" }, "nobody"),
    ...players.map((name, player) => html("option", { value: player }, name)),
    html("option", { value: "all" }, "all sides"));
  $("engine-side").value = [...$("engine-side").options].some((it) => it.value === before) ? before : "";
}

function showOptions(info) {
  $("options").placeholder = info.options.length ? info.options.map((it) => it.option).join(", ") : "none";
  $("option-help").textContent = info.options.length
    ? `${capital(info.summary)}. ${info.options.map((it) => `${it.option}: ${it.meaning}`).join("; ")}.`
    : `${capital(info.summary)}.`;
}

async function startGame(event) {
  event?.preventDefault();
  const info = state.games.find((it) => it.name === $("game").value);
  const options = $("options").value.trim();
  const game = options ? `${info.name}:${options}` : info.game;
  if (proof.walking) await proof.leave();
  if (await go({ game, position: null, moves: [] })) {
    state.ahead = [];
    showGame();
    history_();
  }
}

async function setUp(event) {
  event.preventDefault();
  if (proof.walking) await proof.leave();
  const text = $("position").value.trim();
  if (await go({ position: text || null, moves: [] })) {
    state.ahead = [];
    history_();
  }
}

/** Plays the one or more moves typed as text. */
async function typed(event) {
  event.preventDefault();
  const text = $("move-text").value.trim();
  if (!text) return;
  if (proof.walking) await proof.play(text);
  else {
    const legal = state.place?.legal.some((it) => it.move === text);
    const moves = legal ? [text] : text.split(/[\s,]+/);
    if (!(await go({ moves: [...state.moves, ...moves] }))) return $("move-text").select();
    state.ahead = [];
    history_();
  }
  $("move-text").value = "";
}

async function copyLink() {
  try {
    await navigator.clipboard.writeText(location.href);
    announce("The link is copied");
    $("copy").textContent = "Copied";
  } catch {
    $("copy").textContent = "The link is in the address bar";
  }
  setTimeout(() => { $("copy").textContent = "Copy the link"; }, 2000);
}

// Views.

const TABS = ["moves", "tree", "proof", "game"];

function showTab(name) {
  for (const tab of TABS) {
    const on = tab === name;
    $(`tab-${tab}`).setAttribute("aria-selected", String(on));
    $(`tab-${tab}`).tabIndex = on ? 0 : -1;
    $(`view-${tab}`).hidden = !on;
  }
  if (name === "moves" && state.place) table.show(state.place, state.figures);
  if (name === "tree" && state.report?.kind === "search") tree.refresh();
  if (name === "tree" && state.report?.kind === "solve") tree.clear("Provers keep no tree; choose \"Proven by: a tree\" to see one.");
  if (name === "game" && state.place) $("position").value = state.place.position;
}

function tabKey(event) {
  const at = TABS.findIndex((tab) => $(`tab-${tab}`) === event.target);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: TABS.length - 1 }[event.key];
  if (to === undefined) return;
  event.preventDefault();
  const name = TABS[(to + TABS.length) % TABS.length];
  showTab(name);
  $(`tab-${name}`).focus();
}

/** Handles the keys that work outside text fields. */
function globalKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (["INPUT", "TEXTAREA", "SELECT"].includes(event.target.tagName)) return;
  const actions = { Backspace: undo, Home: toStart };
  const action = event.target.closest('[role="tablist"]') ? null : actions[event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

/** Fetches a file from the page's server; returns null if that fails. */
async function fetched(address) {
  const answer = await fetch(address).catch(() => null);
  return answer?.ok ? answer.blob() : null;
}

/** Loads a certificate from the disk, where a page cannot fetch files: a script next to it calls
    `certificate` with the file in base64. */
function carried(address) {
  return new Promise((found) => {
    const script = html("script", { src: `${address.href}.js`, error: () => found(null) });
    window.certificate = (base64) => {
      found(new Blob([Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0))]));
    };
    document.head.append(script);
    script.addEventListener("load", () => script.remove());
  });
}

/** Shows what the address asks for: a certificate, or a position. */
async function goToAddress() {
  const words = readAddress();
  if (words.certificate !== null) {
    const from = words.certificate || "certificate";
    const address = new URL(from, location.href);
    if (!address.href.startsWith(new URL(".", location.href).href)) {
      return fault("Only certificates from the folder of this page can be opened.");
    }
    const blob = await (location.protocol === "file:" ? carried(address) : fetched(address));
    if (!blob) return fault(`The certificate ${from} cannot be loaded.`);
    return proof.open(blob, from.split("/").at(-1));
  }
  if (!words.game) return false;
  if (proof.walking) await proof.leave();
  const went = await go({ game: words.game, position: words.position, moves: words.moves });
  if (went) {
    state.ahead = [];
    showGame();
    if (TABS.includes(words.view)) showTab(words.view);
    if (words.ask === "kept") await showKept();
    else if (words.ask === "who-wins") whoWins();
    else if (words.ask === "analyse") analyse();
  }
  return went;
}

async function begin() {
  const answer = await client.once({ ask: "games" });
  if (answer.error) return fault(capital(answer.error));
  state.games = answer.games.sort((a, b) => (a.name < b.name ? -1 : 1));
  $("game").replaceChildren(...answer.games.map((it) => html("option", { value: it.name }, it.name)));
  const address = location.hash;
  const shown = await goToAddress();
  const wrong = $("fault-text").textContent;
  if (!state.place && shown !== true) {
    await go({});
    showGame();
    fault(wrong);
    // Restores the address of the certificate, which showing a position has replaced.
    if (readAddressOf(address).certificate !== null) history.replaceState(null, "", address);
  }
  document.body.dataset.ready = "yes";
}

$("game-form").addEventListener("submit", startGame);
$("game").addEventListener("change", () => {
  $("options").value = "";
  startGame();
});
$("position-form").addEventListener("submit", setUp);
$("move-form").addEventListener("submit", typed);
$("first").addEventListener("click", toStart);
$("undo").addEventListener("click", undo);
$("redo").addEventListener("click", redo);
$("who-wins").addEventListener("click", whoWins);
$("analyse").addEventListener("click", analyse);
$("engine-side").addEventListener("change", next);
$("shown").addEventListener("change", () => board.show(state.place, state.figures, $("shown").value));
// A new goal makes the previous results invalid.
$("goal").addEventListener("change", () => proof.walking || go({}));
$("copy").addEventListener("click", copyLink);
for (const tab of TABS) {
  $(`tab-${tab}`).addEventListener("click", () => showTab(tab));
  $(`tab-${tab}`).addEventListener("keydown", tabKey);
}
document.addEventListener("keydown", globalKey);
addEventListener("hashchange", goToAddress);
$("fault-close").addEventListener("click", () => fault(null));
tree.clear();
begin();
