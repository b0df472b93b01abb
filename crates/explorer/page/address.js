"use strict";
// The position in the page's address, so that it can be shared.

const readAddress = () => readAddressOf(location.hash);

/** Parses an address's hash: the game, its first position, the moves and the view. */
function readAddressOf(hash) {
  const words = new URLSearchParams(hash.slice(1));
  const list = (text) => (text ?? "").split(",").map((move) => move.trim()).filter(Boolean);
  return {
    game: words.get("game"),
    position: words.get("position") || null,
    moves: list(words.get("moves")),
    certificate: words.get("certificate"),
    // The question to ask at once, `who-wins` or `analyse`, and the view to show.
    ask: words.get("ask"),
    view: words.get("view"),
  };
}

/** Returns the hash that `readAddressOf` reads back. */
function addressOf({ game, position, moves }) {
  const words = [["game", game], ["position", position], ["moves", moves.join(",")]];
  const escape = (text) => encodeURIComponent(text).replace(/%(2C|3A|2F|40)/g, decodeURIComponent);
  return `#${words.filter((word) => word[1]).map(([name, text]) => `${name}=${escape(text)}`).join("&")}`;
}

/** Puts a position into the page's address without adding an entry to the history. */
function writeAddress(where) {
  const address = addressOf(where);
  if (location.hash !== address) history.replaceState(null, "", address);
}
