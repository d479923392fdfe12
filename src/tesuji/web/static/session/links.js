/**
 * Links and memory. A link contains a whole game: `#game=SPEC&moves=a1.b2&seats=person,easy`. The current table is also
 * kept in the browser's session storage, so that it can be created again if the server no longer has it.
 */

import { moveTexts, seatSpecs } from "../ui/format.js";

const KEY = "tesuji-table";
const OPTION = /([A-Za-z_]\w*)=(?:"((?:[^"\\]|\\.)*)"|([^\s,=":]+))/g;

/** The link's part after `#`. @param {any} table @param {number} [ply] the number of moves to include */
export function linkOf(table, ply = table.plies) {
  const seats = seatSpecs(table);
  const parts = [["game", table.game]];
  if (ply) parts.push(["moves", moveTexts(table, ply).join(".")]);
  if (seats.some((seat) => seat.includes(","))) for (const seat of seats) parts.push(["seat", seat]);
  else parts.push(["seats", seats.join(",")]);
  if (table.seed !== null && table.seed !== undefined) parts.push(["seed", table.seed]);
  const coded = (value) => encodeURIComponent(value).replace(/%(3A|2C|3D)/g, decodeURIComponent); // : , =
  return parts.map(([name, value]) => `${name}=${coded(value)}`).join("&");
}

/** The request for a new table in a link. @param {string} text after `#` */
export function requestFromLink(text) {
  const values = {};
  const seats = [];
  for (const part of text.split("&")) {
    const cut = part.indexOf("=");
    const [name, value] = [part.slice(0, cut), decodeURIComponent(part.slice(cut + 1))];
    if (name === "seat") seats.push(value);
    else values[name] = value;
  }
  if (values.seats) seats.push(...values.seats.split(","));
  const request = { game: values.game };
  if (seats.length) request.seats = seats;
  if (values.moves) request.moves = values.moves.replaceAll(".", " ");
  if (values.seed) request.seed = Number(values.seed);
  return request;
}

/** @param {any} table */
export function remember(table) {
  sessionStorage.setItem(KEY, JSON.stringify({ id: table.id, link: linkOf(table) }));
}

/** The link of a table that was open in this window. @param {string} id @returns {string|null} */
export function remembered(id) {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return stored?.id === id ? stored.link : null;
  } catch {
    return null;
  }
}

/** The options of a spec, by name. @param {string} spec @returns {Record<string, string>} */
export function optionsOf(spec) {
  const cut = spec.indexOf(":");
  const found = cut < 0 ? [] : [...spec.slice(cut + 1).matchAll(OPTION)];
  return Object.fromEntries(found.map(([, name, quoted, bare]) => [name, bare ?? quoted.replace(/\\(.)/g, "$1")]));
}
