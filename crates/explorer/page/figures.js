"use strict";
// What is known of a move or a position, in words, numbers and colours.

const WORDS = {
  win: "won", draw: "drawn", loss: "lost", "not-win": "not won", "not-loss": "not lost",
};

/** What is proven of the outcome, a word of WORDS, or null. Where chance decides, that nobody can
    be sure of a win is no news: what is expected counts. */
function provenOf(figure) {
  if (!figure || !(figure.proven in WORDS)) return null;
  return figure.expected && figure.proven.startsWith("not-") ? null : figure.proven;
}

/** Whether something is proven of the outcome. */
const isProven = (figure) => provenOf(figure) !== null;

/** The tone of a figure: win, draw, loss, half-known, open, or none; for a proof that is walked, its
    mark on the move: proof for its answer, reply, or shown. */
function toneOf(figure) {
  if (!figure) return "none";
  if (figure.mark) return figure.mark;
  if (isProven(figure)) return figure.proven;
  return figure.mean === null || figure.mean === undefined ? "none" : "open";
}

/** Points in per cent from a mean of −1 to 1. */
const share = (figure) =>
  figure?.mean === null || figure?.mean === undefined ? null : 50 * (figure.mean + 1);

/** The share of points as a text. */
function shareText(figure) {
  const points = share(figure);
  if (points === null) return "";
  return points >= 99.95 || points <= 0.05 ? points.toFixed(0) : points.toFixed(1);
}

/** Bounds of the payoff as a text, of the expected one where chance decides: one number where both
    ends are the same. */
function boundsText(figure) {
  const { expected, bounds } = figure ?? {};
  const ends = expected ? [expected.lower, expected.upper].map((end) => end && Number(end.toFixed(2))) : bounds;
  if (!ends) return "";
  const [low, high] = ends.map((end) => (end === null ? null : minus(end)));
  if (low === null && high === null) return "";
  if (low === high) return low;
  return `${low ?? "−∞"} … ${high ?? "∞"}`;
}

/** A number with a true minus sign. */
const minus = (number) => String(number).replace("-", "−");

/** A proof number as a text. */
function proofNumber(number) {
  if (number === null) return "?";
  if (number === "inf") return "∞";
  return number >= 10000 ? short(number) : String(number);
}

/**
 * Proof numbers with something between them. Where they are not counted, an open position has null
 * for everybody, or in a tree 1, which says nothing.
 */
function proofText(figure, between = " / ") {
  const numbers = figure?.proof_numbers ?? [];
  return numbers.every((number) => number === null || number === 1) ? "" : numbers.map(proofNumber).join(between);
}

/** What stands on a cell for this figure. */
function cellText(figure, shown) {
  if (!figure || shown === "none") return "";
  if (shown === "proof") return proofText(figure, "/");
  if (shown === "bounds" && boundsText(figure)) return boundsText(figure).replace(/ /g, "");
  if (isProven(figure)) {
    return { win: "W", draw: "D", loss: "L", "not-win": "≤D", "not-loss": "≥D" }[figure.proven];
  }
  const points = share(figure);
  return points === null ? "" : points.toFixed(0);
}

/** A figure in words, for screen readers. */
function spoken(figure) {
  if (!figure) return "";
  if (isProven(figure)) return `proven ${WORDS[figure.proven]}`;
  const points = share(figure);
  return points === null ? "" : `${points.toFixed(0)} per cent of the points`;
}

/** Gives an element the colour of a figure: data-tone, and for what is open --share, whose colours
    are spread, since most shares are near to a half. */
function tint(element, figure) {
  put(element, "data-tone", toneOf(figure));
  const points = share(figure);
  if (points === null) element.style.removeProperty("--share");
  else {
    const spread = Math.min(100, Math.max(0, 50 + 2 * (points - 50)));
    const text = `${spread.toFixed(0)}%`;
    if (element.style.getPropertyValue("--share") !== text) element.style.setProperty("--share", text);
  }
  return element;
}

/** The order in which moves are shown: the best first, those of which nothing is known last. */
function better(a, b) {
  const rank = { win: 4, "not-loss": 3, draw: 1, "not-win": 0.5, loss: 0 };
  const worth = (figure) => rank[provenOf(figure)] ?? (figure ? 2 : -1);
  return (
    worth(b) - worth(a) ||
    (b?.visits ?? 0) - (a?.visits ?? 0) ||
    (b?.mean ?? -2) - (a?.mean ?? -2)
  );
}

/** A piece's word as people say it. */
const pieceWords = (piece) => (piece ?? "").replace(/-/g, " ");
