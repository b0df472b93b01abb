"use strict";
// Drawings of pieces, centred on a cell that is one unit wide.

/** Outlines of chess pieces on a square of 100 by 100. */
const CHESS = {
  pawn: "M50 18a13 13 0 0 1 8.5 22.8L55 44h6v6h-4.600C57 60 61 68 66 76H34c5-8 9-16 9.600-26H39v-6h6l-3.500-3.200A13 13 0 0 1 50 18Z",
  rook: "M29 20h10v8h7v-8h8v8h7v-8h10v19l-7 7v22l5 8H31l5-8V46l-7-7Z",
  knight: "M36 76c0-15 14-21 13-33-6 5-13 8-20 9l-6-9c4-11 11-17 17-22l1-8 9 6c19 3 27 23 22 57Z",
  bishop: "M50 9a5.500 5.500 0 0 1 3.500 9.700C66 28 70 44 60 56h4v7h-4c1 5 3 9 7 13H33c4-4 6-8 7-13h-4v-7h4C30 44 34 28 46.500 18.700A5.500 5.500 0 0 1 50 9Z",
  queen: "M22 22a5 5 0 0 1 8 4l9 24 3-28a5 5 0 1 1 5 0l3 24 3-24a5 5 0 1 1 5 0l3 28 9-24a5 5 0 1 1 4 3l-6 47H32l-6-47a5 5 0 0 1-4-7Z",
  king: "M47 9h6v6h6v6h-6v8c9-7 26-3 25 12-1 12-8 19-11 35H33c-3-16-10-23-11-35-1-15 16-19 25-12v-8h-6v-6h6Z",
};

/** The radius of a round piece, by the shape of pieces on the board. */
const ROUND = { drop: 0.4, discs: 0.4, men: 0.36, stones: 0.46, loops: 0.36, hex: 0.36, star: 0.36 };

/** Draws a piece with `text` on it; `owner` placed it, if the piece does not show this. */
function drawPiece(word, text, shape, owner) {
  const group = svg("g", { class: `piece ${shape}`, "data-piece": word, "data-owner": owner });
  const [side, ...rest] = word.split("-");
  const kind = rest.at(-1);
  if (shape === "chess") {
    group.dataset.side = side;
    const picture = svg("g", { transform: "scale(0.0094) translate(-50 -50)" });
    picture.append(
      svg("path", { d: CHESS[kind] ?? CHESS.pawn }),
      svg("rect", { x: 27, y: 79, width: 46, height: 9, rx: 3 }),
    );
    group.append(picture);
  } else if (shape === "shogi") {
    group.dataset.side = side;
    const turned = side === "gote" ? "rotate(180)" : null;
    group.append(
      svg("path", { d: "M0 -.42L.25 -.3L.34 .4H-.34L-.25 -.3Z", transform: turned }),
      svg("text", { y: side === "gote" ? 0.1 : 0.2, class: rest.includes("promoted") ? "promoted" : null }, text ?? ""),
    );
  } else if (shape === "marks") {
    group.append(mark(word));
  } else if (shape === "dominoes") {
    group.append(domino(kind));
  } else if (shape === "dots") {
    group.append(svg("rect", { x: -0.36, y: -0.36, width: 0.72, height: 0.72, rx: 0.08 }));
  } else if (shape === "numbers") {
    group.dataset.side = word;
    group.append(
      svg("rect", { x: -0.36, y: -0.36, width: 0.72, height: 0.72, rx: 0.12 }),
      svg("text", { y: 0.16 }, text ?? ""),
    );
  } else {
    group.append(svg("circle", { r: ROUND[shape] ?? 0.38 }));
    if (shape === "discs" || shape === "men" || shape === "drop") {
      group.append(svg("circle", { class: "inner", r: (ROUND[shape] ?? 0.38) * 0.68 }));
    }
    if (shape === "star") group.append(svg("text", { y: 0.15 }, word.toUpperCase()));
  }
  return group;
}

/** Draws half a domino, open towards the other half, or a whole cell if the half is unknown. */
function domino(half) {
  const turns = { top: 0, right: 90, bottom: 180, left: 270 };
  if (!(half in turns)) return svg("rect", { x: -0.46, y: -0.46, width: 0.92, height: 0.92, rx: 0.08 });
  return svg("path", { d: "M-.44 .51V-.32a.12 .12 0 0 1 .12 -.12h.64a.12 .12 0 0 1 .12 .12V.51Z", transform: `rotate(${turns[half]})` });
}

/** Draws a cross, a circle, a plus or a hash. */
function mark(word) {
  const paths = {
    x: "M-.27 -.27L.27 .27M.27 -.27L-.27 .27",
    plus: "M0 -.32V.32M-.32 0H.32",
    hash: "M-.12 -.3V.3M.12 -.3V.3M-.3 -.12H.3M-.3 .12H.3",
  };
  return word === "o" ? svg("circle", { r: 0.29 }) : svg("path", { d: paths[word] ?? "" });
}

/** Draws seeds in a pit, in the spiral of a sunflower. */
function drawSeeds(count) {
  const group = svg("g", { class: "seeds" });
  const shown = Math.min(count, 24);
  for (let seed = 0; seed < shown; seed += 1) {
    const radius = 0.072 * Math.sqrt(seed + 0.4);
    const angle = seed * 2.39996;
    group.append(svg("circle", {
      cx: (radius * Math.cos(angle)).toFixed(3),
      cy: (radius * Math.sin(angle) + 0.02).toFixed(3),
      r: 0.05,
    }));
  }
  return group;
}

/** Draws a small picture of a player's piece; returns null if the game has none. */
function chip(board, player) {
  const word = board.sides?.[player];
  if (!word) return null;
  const text = board.shape === "shogi" ? "K" : "";
  return svg("svg", { viewBox: "-.5 -.5 1 1", class: "chip", "aria-hidden": "true" },
    drawPiece(word, text, board.shape, player));
}
