"use strict";
// The board: drawing, clicks and keys.

/** The kinds of cells that cannot be clicked. */
const STILL = new Set(["dot", "box", "store", "score"]);

class BoardView {
  /** Calls `onMove` with a clicked move, or `onChoice` with several moves of the same cells. */
  constructor(element, onMove, onChoice) {
    this.element = element;
    this.onMove = onMove;
    this.onChoice = onChoice;
    this.picked = [];
    this.focus = null;
    element.addEventListener("keydown", (event) => this.key(event));
  }

  /** Draws a position; `marks` maps each move to its figure. */
  show(place, marks, shown) {
    const moved = this.place?.board !== place.board;
    this.place = place;
    this.marks = marks;
    this.shown = shown;
    if (moved) {
      this.picked = [];
      this.last = new Set(place.last);
      this.draw();
    }
    this.mark();
  }

  draw() {
    const { board } = this.place;
    const names = board.labels?.length ? 0.62 : 0.08;
    const [left, top] = [-names, -names];
    const [width, height] = [board.columns + 2 * names, board.rows + 2 * names];
    const hadFocus = this.element.contains(document.activeElement);
    this.cells = new Map();
    this.element.replaceChildren();
    this.element.setAttribute("viewBox", `${left} ${top} ${width} ${height}`);
    this.element.style.setProperty("--ratio", `${width / height}`);
    this.element.style.setProperty("--cells", `${width}`);
    this.element.style.setProperty("--label", `${0.27 * Math.min(1, 0.35 + 0.08 * Math.max(width, height))}px`);
    this.element.setAttribute("class", `board ${board.shape}`);
    this.element.toggleAttribute("hidden", !board.cells.length);
    const floor = svg("g", { class: "floor", "aria-hidden": "true" });
    floor.append(...this.floor(board));
    const cells = svg("g", {});
    for (const cell of board.cells) cells.append(this.drawCell(cell, board));
    this.over = svg("g", { class: "over", "aria-hidden": "true" });
    this.element.append(floor, cells, this.over);
    const choosable = board.cells.filter((cell) => !STILL.has(cell.kind));
    const frame = this.element.parentElement;
    $("drag").hidden = frame.scrollWidth <= frame.clientWidth;
    if (!this.cells.has(this.focus)) this.focus = choosable[0]?.name;
    this.cells.get(this.focus)?.element.setAttribute("tabindex", "0");
    if (hadFocus) this.cells.get(this.focus)?.element.focus();
  }

  /** Draws the lines and the names of rows and columns, below the cells. */
  floor(board) {
    const parts = [];
    const margin = board.shape === "drop" ? 0.06 : 0;
    if (["drop", "stones", "loops", "dots"].includes(board.shape)) {
      parts.push(svg("rect", {
        class: "ground", x: -margin, y: -margin, rx: 0.15,
        width: board.columns + 2 * margin, height: board.rows + 2 * margin,
      }));
    }
    for (const { kind, points } of board.lines ?? []) {
      if (kind !== "grid") parts.push(svg("polyline", { class: "line casing", points: points.map((p) => p.join(",")).join(" ") }));
      parts.push(svg("polyline", { class: `line ${kind}`, points: points.map((p) => p.join(",")).join(" ") }));
    }
    for (const { x, y, text } of board.labels ?? []) {
      parts.push(svg("text", { class: "label", x, y: y + 0.09 }, text));
    }
    return parts;
  }

  drawCell(cell, board) {
    const { name, x, y, kind } = cell;
    const group = svg("g", {
      class: `cell ${kind}`,
      transform: `translate(${x} ${y})`,
      "data-name": name,
      "data-odd": (Math.floor(x) + Math.floor(y)) % 2 === 1 ? "odd" : null,
    });
    const ground = board.shape === "drop" ? svg("circle", { r: 0.4 }) : this.ground(kind);
    ground.classList.add("shape");
    group.append(ground);
    if (cell.piece && !["edge-lying", "edge-upright", "box"].includes(kind)) {
      group.append(drawPiece(cell.piece, cell.text, board.shape, cell.owner));
    } else if (cell.piece) {
      group.classList.add("full");
      if (cell.owner !== undefined) group.dataset.owner = cell.owner;
      if (kind === "box" && cell.text) group.append(svg("text", { class: "count taken", y: 0.09 }, cell.text));
    }
    if (kind === "pit" || kind === "store") group.append(drawSeeds(Number(cell.text) || 0));
    if (cell.text && ["pit", "store", "score"].includes(kind)) {
      group.append(svg("text", { class: "count", y: kind === "store" ? 0.66 : kind === "pit" ? 0.4 : 0.3 }, cell.text));
    }
    if (cell.text?.includes("×")) group.append(svg("text", { class: "count", x: 0.3, y: 0.42 }, cell.text.slice(2)));
    if (kind === "score" || kind === "store") {
      group.append(svg("text", { class: "owner", y: kind === "store" ? -0.6 : -0.18 }, name));
    }
    const isLast = this.last.has(name);
    group.classList.toggle("last", isLast);
    // A stone hides the colour of its cell.
    if (isLast && (board.shape === "drop" || kind === "point")) group.append(svg("circle", { class: "mark", r: 0.12 }));
    const tag = svg("text", { class: "tag", ...this.tagPlace(cell) });
    if (STILL.has(kind)) {
      group.setAttribute("aria-hidden", "true");
      if (cell.text) {
        group.setAttribute("role", "img");
        group.removeAttribute("aria-hidden");
        group.setAttribute("aria-label", `${name}: ${cell.text}`);
      }
    } else {
      group.setAttribute("role", "button");
      group.setAttribute("tabindex", "-1");
      group.addEventListener("click", () => this.click(name));
      group.addEventListener("focus", () => this.stand(name));
      group.append(svg("rect", { class: "touch", x: -0.5, y: -0.5, width: 1, height: 1 }));
    }
    group.append(tag);
    this.cells.set(name, { cell, element: group, tag });
    return group;
  }

  /** Places the figure in the middle of an empty cell and in a corner of any other. */
  tagPlace(cell) {
    if (cell.kind === "pit") return { y: -0.24, class: "tag corner" };
    return cell.piece ? { x: 0.47, y: 0.46, class: "tag corner right" } : { y: 0.09 };
  }

  ground(kind) {
    switch (kind) {
      case "hex": return svg("polygon", { points: "0,-.577 .5,-.289 .5,.289 0,.577 -.5,.289 -.5,-.289" });
      case "point": return svg("circle", { r: 0.4 });
      case "hole": return svg("circle", { r: 0.43 });
      case "dot": return svg("circle", { r: 0.1 });
      case "pit": return svg("circle", { r: 0.46 });
      case "store": return svg("rect", { x: -0.42, y: -0.95, width: 0.84, height: 1.9, rx: 0.42 });
      case "score": return svg("rect", { x: -0.9, y: -0.48, width: 1.8, height: 0.96, rx: 0.12 });
      case "edge-lying": return svg("rect", { x: -0.36, y: -0.09, width: 0.72, height: 0.18, rx: 0.09 });
      case "edge-upright": return svg("rect", { x: -0.09, y: -0.36, width: 0.18, height: 0.72, rx: 0.09 });
      case "box": return svg("rect", { x: -0.34, y: -0.34, width: 0.68, height: 0.68, rx: 0.08 });
      default: return svg("rect", { x: -0.5, y: -0.5, width: 1, height: 1 });
    }
  }

  /** Returns the legal moves that begin with these cells. */
  begun(cells) {
    return this.place.legal.filter(
      (move) => move.cells.length >= cells.length && cells.every((name, at) => move.cells[at] === name),
    );
  }

  /** Updates colours, figures, labels for screen readers, and the arrow of the best move. */
  mark() {
    const { legal, board } = this.place;
    const at = this.picked.length;
    const best = new Map();
    const first = new Set();
    let favourite = null;
    for (const move of legal) {
      if (move.cells.length) first.add(move.cells[0]);
      const figure = this.marks?.get(move.move);
      if (figure && !["reply", "shown"].includes(figure.mark) && move.cells.length && (!favourite || better(figure, favourite.figure) < 0)) {
        favourite = { move, figure };
      }
      if (move.cells.length <= at || !this.picked.every((name, i) => move.cells[i] === name)) continue;
      const name = move.cells[at];
      const before = best.get(name);
      const count = (before?.count ?? 0) + 1;
      const wins = !before || (figure && better(figure, before.figure) < 0);
      best.set(name, { figure: wins ? figure : before.figure, count });
    }
    this.over.replaceChildren();
    for (const [name, { cell, element, tag }] of this.cells) {
      if (STILL.has(cell.kind)) continue;
      const found = best.get(name);
      const picked = this.picked.includes(name);
      tint(element, found?.figure);
      element.classList.toggle("legal", Boolean(found));
      // Drawn above all cells, so that no neighbour hides part of it.
      if (picked) this.over.append(svg("rect", { class: "picked", x: cell.x - 0.46, y: cell.y - 0.46, width: 0.92, height: 0.92, rx: 0.08 }));
      else if (found && at) this.over.append(svg("circle", { class: "target", cx: cell.x, cy: cell.y, r: 0.14 }));
      const text = found?.figure ? found.figure.tag ?? cellText(found.figure, this.shown) : "";
      if (tag.textContent !== text) tag.textContent = text;
      tag.classList.toggle("long", text.length > 4);
      const piece = cell.owner === undefined ? cell.piece : `${cell.piece.split("-")[0]} of ${this.place.players[cell.owner]}`;
      const words = [name, pieceWords(piece) || (cell.text ?? (board.shape === "pits" ? "" : "empty"))];
      if (cell.kind.startsWith("edge")) words[1] = cell.piece ? "drawn" : "open";
      if (picked) words.push("chosen");
      if (found) words.push(at ? "move here" : "can be chosen", found.figure?.spoken ?? spoken(found.figure));
      put(element, "aria-label", words.filter(Boolean).join(", "));
      put(element, "aria-disabled", String(!found && !picked && !first.has(name)));
    }
    this.arrow(favourite?.figure && favourite.figure.visits !== 0 ? favourite.move : null);
  }

  /** Shows the best move as a ring on its cell or as an arrow between two cells. */
  arrow(move) {
    const ends = (move?.cells ?? []).map((name) => this.cells.get(name)?.cell).filter(Boolean);
    if (!ends.length || this.shown === "none" || this.picked.length) return;
    const [from, to] = ends;
    if (!to) {
      const radius = from.kind.startsWith("edge") ? 0.2 : 0.45;
      for (const name of ["best casing", "best"]) {
        this.over.append(svg("circle", { class: name, cx: from.x, cy: from.y, r: radius }));
      }
      return;
    }
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    const [ux, uy] = [dx / length, dy / length];
    const tip = [to.x - ux * 0.18, to.y - uy * 0.18];
    const neck = [tip[0] - ux * 0.26, tip[1] - uy * 0.26];
    const wing = (side) => [neck[0] - uy * 0.14 * side, neck[1] + ux * 0.14 * side];
    this.over.append(
      svg("path", {
        class: "arrow",
        d: `M${from.x + ux * 0.25} ${from.y + uy * 0.25}L${neck[0]} ${neck[1]}`,
      }),
      svg("polygon", { class: "arrow-head", points: [tip, wing(1), wing(-1)].map((p) => p.join(",")).join(" ") }),
    );
  }

  /** Returns the cell that a click selects: if stones drop, the cell in which a stone would land. */
  meant(name) {
    if (this.place.board.shape !== "drop") return name;
    const x = this.cells.get(name)?.cell.x;
    const move = this.place.legal.find((legal) => this.cells.get(legal.cells[0])?.cell.x === x);
    return move?.cells[0] ?? name;
  }

  click(clicked) {
    const name = this.meant(clicked);
    if (this.picked.at(-1) === name) return this.pick([]);
    let cells = [...this.picked, name];
    let moves = this.begun(cells);
    if (!moves.length) {
      cells = [name];
      moves = this.begun(cells);
    }
    if (!moves.length) {
      announce(`No move ${this.picked.length ? "goes to" : "begins with"} ${name}`);
      return this.pick([]);
    }
    const whole = moves.filter((move) => move.cells.length === cells.length);
    if (whole.length === 1) return this.play(whole[0].move);
    this.pick(cells);
    if (whole.length > 1) {
      announce("Several moves are possible: choose one with the buttons below the board");
      this.onChoice(whole.map((move) => move.move));
    } else {
      announce(`${name} chosen: ${counted(moves.length, "move")} from here`);
    }
  }

  play(move) {
    this.picked = [];
    this.onMove(move);
  }

  pick(cells) {
    const had = this.picked.length;
    this.picked = cells;
    if (had || cells.length) this.onChoice([]);
    this.mark();
  }

  /** Makes this cell the one that the keys act on. */
  stand(name) {
    this.cells.get(this.focus)?.element.setAttribute("tabindex", "-1");
    this.focus = name;
    this.cells.get(name)?.element.setAttribute("tabindex", "0");
  }

  key(event) {
    const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    const way = ways[event.key];
    if (event.key === "Enter" || event.key === " ") this.click(this.focus);
    else if (event.key === "Escape") this.pick([]);
    else if (way) {
      this.stand(this.next(way));
      this.cells.get(this.focus)?.element.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Returns the nearest cell in a direction. */
  next([right, down]) {
    const from = this.cells.get(this.focus)?.cell;
    if (!from) return this.focus;
    let [name, least] = [this.focus, Infinity];
    for (const { cell } of this.cells.values()) {
      if (STILL.has(cell.kind)) continue;
      const [dx, dy] = [cell.x - from.x, cell.y - from.y];
      const along = dx * right + dy * down;
      const aside = Math.abs(dx * down) + Math.abs(dy * right);
      if (along <= 0.05 || aside > 2 * along) continue;
      const far = along + 1.5 * aside;
      if (far < least) [name, least] = [cell.name, far];
    }
    return name;
  }
}
