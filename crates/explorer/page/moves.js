"use strict";
// The table of moves.

const FEW = 40;

class MoveTable {
  constructor(onMove) {
    this.onMove = onMove;
    this.all = false;
    $("more-moves").addEventListener("click", () => {
      this.all = true;
      this.show(this.place, this.figures);
    });
    this.rows = new Map();
  }

  /** Shows the legal moves, the best ones first if figures are known. */
  show(place, figures) {
    if (this.place !== place) {
      this.all = false;
      this.rows.clear();
    }
    this.place = place;
    this.figures = figures;
    const moves = place.legal.map((legal) => ({ ...legal, figure: figures?.get(legal.move) }));
    moves.sort((a, b) => better(a.figure, b.figure));
    const most = moves.reduce((most, { figure }) => Math.max(most, figure?.visits ?? 0), 1);
    const few = this.all ? moves : moves.slice(0, FEW);
    // Rows are kept and only changes are written, so that updates during a search are cheap.
    const rows = few.map((move) => this.row(move, most));
    const shown = $("move-rows").children;
    if (rows.length !== shown.length || rows.some((row, at) => row !== shown[at])) {
      const focused = $("move-rows").contains(document.activeElement) ? document.activeElement : null;
      $("move-rows").replaceChildren(...rows);
      if (focused) (rows.find((row) => row.contains(focused)) ?? rows[0])?.querySelector("button").focus();
    }
    $("more-moves").hidden = few.length === moves.length;
    $("more-moves").textContent = `Show all ${moves.length} moves`;
    $("visits-head").textContent = place.left !== undefined ? "Left to show" : place.chance ? "Probability" : "Playouts";
    // The column is hidden if it has no figures.
    document.querySelector("table.moves").classList.toggle("uncounted", !moves.some(({ figure }) => proofText(figure)));
    const sides = place.players?.length === 2 ? ` ${place.players.join(" / ")}` : "";
    $("proof-head").textContent = `Proof numbers${sides}`;
  }

  /** Returns a move's row with its newest figures. */
  row({ move, figure, probability }, most) {
    if (!this.rows.has(move)) this.rows.set(move, this.emptyRow(move));
    const row = this.rows.get(move);
    const [bar, value, bounds, proof, visits] = row.parts;
    const points = share(figure);
    let known = shareText(figure);
    if (isProven(figure)) known = WORDS[figure.proven];
    else if (figure?.mark === "proof") known = "the proof's move";
    else if (known) known += " %";
    let played = figure?.visits !== undefined ? short(figure.visits) : "";
    if (figure?.left !== undefined) played = whole(figure.left);
    else if (probability !== undefined) played = `${(100 * probability).toFixed(1)} %`;
    write(value, known);
    write(bounds, boundsText(figure));
    write(proof, proofText(figure));
    write(visits, played);
    bar.style.inlineSize = `${isProven(figure) ? 100 : (points ?? 0).toFixed(1)}%`;
    row.style.setProperty("--visits", ((figure?.visits ?? 0) / most).toFixed(3));
    return tint(row, figure);
  }

  emptyRow(move) {
    const bar = html("span", {});
    const value = html("span", { class: "value-text" });
    const others = [1, 2, 3].map(() => html("td", { class: "num" }));
    const row = html("tr", {},
      html("th", { scope: "row" },
        html("button", { class: "move", "data-move": move, click: () => this.onMove(move) }, move)),
      html("td", { class: "value" },
        html("div", {}, html("span", { class: "share-bar", "aria-hidden": "true" }, bar), value)),
      others);
    row.parts = [bar, value, ...others];
    return row;
  }
}
