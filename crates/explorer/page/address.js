"use strict";
// The position in the page's address, to share.

/** What the page's address says. */
const readAddress = () => readAddressOf(location.hash);

/** What an address says behind its #: a game, where it begins, and the moves. */
function readAddressOf(hash) {
  const words = new URLSearchParams(hash.slice(1));
  const list = (text) => (text ?? "").split(",").map((move) => move.trim()).filter(Boolean);
  return {
    game: words.get("game"),
    position: words.get("position") || null,
    moves: list(words.get("moves")),
    certificate: words.get("certificate"),
    // What is asked at once, `who-wins` or `analyse`, and the view that is shown.
    ask: words.get("ask"),
    view: words.get("view"),
  };
}

/** The address of a position. */
function addressOf({ game, position, moves }) {
  const words = [["game", game], ["position", position], ["moves", moves.join(",")]];
  const escape = (text) => encodeURIComponent(text).replace(/%(2C|3A|2F|40)/g, decodeURIComponent);
  return `#${words.filter((word) => word[1]).map(([name, text]) => `${name}=${escape(text)}`).join("&")}`;
}

/** Puts a position into the address without a new entry in the history. */
function writeAddress(where) {
  const address = addressOf(where);
  if (location.hash !== address) history.replaceState(null, "", address);
}
