"use strict";
// Elements without markup: what the engine or a user wrote becomes text, never HTML.

const SVG = "http://www.w3.org/2000/svg";

/** The element with this id. */
const $ = (id) => document.getElementById(id);

/** Sets attributes; functions become listeners, null and false leave an attribute out. */
function dress(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

const html = (tag, attributes, ...children) =>
  dress(document.createElement(tag), attributes, children);

const svg = (tag, attributes, ...children) =>
  dress(document.createElementNS(SVG, tag), attributes, children);

/** Sets an attribute that is another than before: what stays the same costs no layout. */
function put(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Writes a text that is another than before. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Says something to screen readers. */
function announce(text) {
  $("live").textContent = text;
}

/** Shows what went wrong, or nothing. */
function fault(text) {
  $("fault-text").textContent = text ?? "";
  $("fault").hidden = !text;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** "1 move", "2 moves". */
const counted = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;

/** A whole number with thin spaces. */
function whole(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** A large number in three digits: 12.3 k, 4.56 M. */
function short(number) {
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (number >= size) return `${(number / size).toPrecision(3)}\u202f${unit}`;
  }
  return whole(number);
}

/** Bytes in three digits. */
function bytes(number) {
  for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) {
    if (number >= size) return `${(number / size).toPrecision(3)} ${unit}`;
  }
  return `${whole(number)} B`;
}
