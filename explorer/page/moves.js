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

  /** Shows the legal moves, the best first where something is known. */
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
    const had = $("move-rows").contains(document.activeElement);
    const focused = document.activeElement?.dataset?.move;
    $("move-rows").replaceChildren(...few.map((move) => this.row(move, most)));
    if (had) (this.rows.get(focused) ?? $("move-rows").firstChild)?.querySelector("button").focus();
    $("more-moves").hidden = few.length === moves.length;
    $("more-moves").textContent = `Show all ${moves.length} moves`;
    $("visits-head").textContent = place.left !== undefined ? "Left to show" : place.chance ? "Probability" : "Playouts";
    const sides = place.players?.length === 2 ? ` ${place.players.join(" / ")}` : "";
    $("proof-head").textContent = `Proof numbers${sides}`;
  }

  row({ move, figure, probability }, most) {
    const points = share(figure);
    let value = shareText(figure);
    if (isProven(figure)) value = WORDS[figure.value];
    else if (figure?.value === "proof") value = "the proof's move";
    else if (value) value += " %";
    const bar = html("span", { class: "share-bar", "aria-hidden": "true" }, html("span", {}));
    bar.firstChild.style.inlineSize = `${isProven(figure) ? 100 : points ?? 0}%`;
    let visits = figure?.visits !== undefined ? short(figure.visits) : "";
    if (figure?.left !== undefined) visits = whole(figure.left);
    else if (probability !== undefined) visits = `${(100 * probability).toFixed(1)} %`;
    const row = html("tr", {},
      html("th", { scope: "row" },
        html("button", { class: "move", "data-move": move, click: () => this.onMove(move) }, move)),
      html("td", { class: "value" }, html("div", {}, bar, html("span", { class: "value-text" }, value))),
      html("td", { class: "num" }, boundsText(figure)),
      html("td", { class: "num" }, proofText(figure)),
      html("td", { class: "num" }, visits));
    row.style.setProperty("--visits", ((figure?.visits ?? 0) / most).toFixed(3));
    tint(row, figure);
    this.rows.set(move, row);
    return row;
  }
}
