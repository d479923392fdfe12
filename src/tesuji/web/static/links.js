/**
 * Links and memory. A link holds a whole game: `#game=hex:size=11&moves=a1.b2&seats=person,easy`. The table that is being
 * played is remembered in the browser's session, so that it can be set up again if the server has forgotten it.
 */

const KEY = "tesuji-table";

/** The link's part after `#`. @param {any} table @param {number} [ply] only so many plies */
export function linkOf(table, ply = table.plies) {
  const seats = table.seats.map((seat) => (seat.kind === "person" ? "person" : seat.bot));
  const parts = [["game", table.game]];
  if (ply)
    parts.push([
      "moves",
      table.moves
        .slice(0, ply)
        .map((move) => move.text)
        .join("."),
    ]);
  if (seats.some((seat) => seat.includes(","))) for (const seat of seats) parts.push(["seat", seat]);
  else parts.push(["seats", seats.join(",")]);
  if (table.seed !== null && table.seed !== undefined) parts.push(["seed", table.seed]);
  return parts
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(value).replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%3D", "=")}`,
    )
    .join("&");
}

/** What a link asks for, as the body of a new table. @param {string} text after `#` */
export function wishesOf(text) {
  const values = {};
  const seats = [];
  for (const part of text.split("&")) {
    const cut = part.indexOf("=");
    const [name, value] = [part.slice(0, cut), decodeURIComponent(part.slice(cut + 1))];
    if (name === "seat") seats.push(value);
    else values[name] = value;
  }
  if (values.seats) seats.push(...values.seats.split(","));
  const wishes = { game: values.game };
  if (seats.length) wishes.seats = seats;
  if (values.moves) wishes.moves = values.moves.replaceAll(".", " ");
  if (values.seed) wishes.seed = Number(values.seed);
  return wishes;
}

/** @param {any} table */
export function remember(table) {
  sessionStorage.setItem(KEY, JSON.stringify({ id: table.id, link: linkOf(table) }));
}

/** The link of a table that was played in this window. @param {string} id @returns {string|null} */
export function remembered(id) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
    return kept?.id === id ? kept.link : null;
  } catch {
    return null;
  }
}
