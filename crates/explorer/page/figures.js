"use strict";
// Words, numbers and colours for what is known about a move or a position.

const WORDS = {
  win: "won", draw: "drawn", loss: "lost", "not-win": "not won", "not-loss": "not lost",
};

/** Returns the proven outcome, a key of WORDS, or null. With chance, the mere fact that a player
    cannot be sure of a win or a loss does not count as proven. */
function provenOf(figure) {
  if (!figure || !(figure.proven in WORDS)) return null;
  return figure.expected && figure.proven.startsWith("not-") ? null : figure.proven;
}

const isProven = (figure) => provenOf(figure) !== null;

/** Returns a figure's tone: its mark in a proof, the proven outcome, "open" or "none". */
function toneOf(figure) {
  if (!figure) return "none";
  if (figure.mark) return figure.mark;
  if (isProven(figure)) return figure.proven;
  return figure.mean === null || figure.mean === undefined ? "none" : "open";
}

/** Returns the points in per cent, from a mean between −1 and 1. */
const share = (figure) =>
  figure?.mean === null || figure?.mean === undefined ? null : 50 * (figure.mean + 1);

function shareText(figure) {
  const points = share(figure);
  if (points === null) return "";
  return points >= 99.95 || points <= 0.05 ? points.toFixed(0) : points.toFixed(1);
}

/** Formats the bounds of the payoff, or of the expected payoff in games of chance. Equal bounds
    become one number. */
function boundsText(figure) {
  const { expected, bounds } = figure ?? {};
  const ends = expected ? [expected.lower, expected.upper].map((end) => end && Number(end.toFixed(2))) : bounds;
  if (!ends) return "";
  const [low, high] = ends.map((end) => (end === null ? null : minus(end)));
  if (low === null && high === null) return "";
  if (low === high) return low;
  return `${low ?? "−∞"} … ${high ?? "∞"}`;
}

/** Formats a number with a true minus sign. */
const minus = (number) => String(number).replace("-", "−");

function proofNumber(number) {
  if (number === null) return "?";
  if (number === "inf") return "∞";
  return number >= 10000 ? short(number) : String(number);
}

/** Joins the proof numbers. Returns an empty text if all are null or 1, so not counted. */
function proofText(figure, between = " / ") {
  const numbers = figure?.proof_numbers ?? [];
  return numbers.every((number) => number === null || number === 1) ? "" : numbers.map(proofNumber).join(between);
}

/** Returns the text that a cell shows for this figure. */
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

/** Returns a figure in words, for screen readers. */
function spoken(figure) {
  if (!figure) return "";
  if (isProven(figure)) return `proven ${WORDS[figure.proven]}`;
  const points = share(figure);
  return points === null ? "" : `${points.toFixed(0)} per cent of the points`;
}

/** Gives an element the colour of a figure: `data-tone`, and `--share` if the outcome is open.
    The shares are spread, since most are close to a half. */
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

/** Compares two moves for sorting: the best first, unknown ones last. */
function better(a, b) {
  const rank = { win: 4, "not-loss": 3, draw: 1, "not-win": 0.5, loss: 0 };
  const worth = (figure) => rank[provenOf(figure)] ?? (figure ? 2 : -1);
  return (
    worth(b) - worth(a) ||
    (b?.visits ?? 0) - (a?.visits ?? 0) ||
    (b?.mean ?? -2) - (a?.mean ?? -2)
  );
}

const pieceWords = (piece) => (piece ?? "").replace(/-/g, " ");
