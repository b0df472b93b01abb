"use strict";
// Helpers that build elements. Text from the engine or a user never becomes HTML.

const SVG = "http://www.w3.org/2000/svg";

const $ = (id) => document.getElementById(id);

/** Sets attributes: a function becomes a listener, and null or false leaves the attribute out. */
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

/** Sets an attribute if its value changes, to avoid a layout for an unchanged one. */
function put(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Sets an element's text if it changes. */
function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Makes screen readers read a text aloud. */
function announce(text) {
  $("live").textContent = text;
}

/** Shows an error message, or hides it without a text. */
function fault(text) {
  $("fault-text").textContent = text ?? "";
  $("fault").hidden = !text;
}

const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a number with its noun: "1 move", "2 moves". */
const counted = (number, noun) => `${whole(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Formats a whole number with thin spaces between groups of three digits. */
function whole(number) {
  return String(Math.round(number)).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** Formats a large number with three digits: 12.3 k, 4.56 M. */
function short(number) {
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (number >= size) return `${(number / size).toPrecision(3)}\u202f${unit}`;
  }
  return whole(number);
}

/** Formats a number of bytes with three digits. */
function bytes(number) {
  for (const [unit, size] of [["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10]]) {
    if (number >= size) return `${(number / size).toPrecision(3)} ${unit}`;
  }
  return `${whole(number)} B`;
}
