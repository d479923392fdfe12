/** Text for numbers, players and moves. */
import { h } from "./dom.js";

/** What panels say that would reveal hidden cards. */
export const CLOSED = "Available once the game is over, because the cards are hidden.";

/** A probability in percent: `percent(0.634) === "63%"`. @param {number} value */
export const percent = (value) => `${Math.round(100 * value)}%`;

/** An abbreviated count: `short(12345) === "12k"`. @param {number} number */
export function short(number) {
  if (number < 1000) return String(Math.round(number));
  if (number < 1e4) return `${(number / 1000).toFixed(1)}k`;
  return number < 1e6 ? `${Math.round(number / 1000)}k` : `${(number / 1e6).toFixed(1)}M`;
}

/** Seconds as on a clock: `1:05`; below ten with tenths. @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.ceil(left);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A bot's spec without its options. @param {string|null} spec */
export const botName = (spec) => (spec ?? "bot").split(":")[0];

/** The players as specs. @param {any} table @returns {string[]} */
export const seatSpecs = (table) => table.seats.map(({ kind, bot }) => (kind === "person" ? "person" : bot));

/** The moves before a ply. @param {any} table @param {number} ply @returns {string[]} */
export const moveTexts = (table, ply) => table.moves.slice(0, ply).map((move) => move.text);

/** The name of a move's player. @param {any} table @param {any} move */
export const moverName = (table, move) => table.seats[move.player]?.name ?? "Chance";

/** Who plays a seat: `you`, `person`, `easy`. @param {any} table @param {number} seat */
export function playerLabel(table, seat) {
  const { kind, bot } = table.seats[seat];
  if (kind === "bot") return botName(bot);
  return table.seats.filter((one) => one.kind === "person").length === 1 ? "you" : "person";
}

/** The seat of the only person, null if there is none or more than one. @param {any} table @returns {number|null} */
export function ownSeat(table) {
  const persons = table.seats.flatMap((seat, index) => (seat.kind === "person" ? [index] : []));
  return persons.length === 1 ? persons[0] : null;
}

/** The colour of a seat; null before players have chosen colours. @param {any} board @param {number} seat */
export const seatColour = (board, seat) => (board.seat_colours ? board.seat_colours[seat] : seat);

/** A player's mark: a stone, a piece, a card. @param {any} board @param {number|string|null} colour */
export const playerMark = (board, colour) =>
  h("span", { class: `mark mark-${board.kind} ${colour === null ? "" : `seat-${colour}`}`, "aria-hidden": "true" });

/** The state of the game in one line. @param {any} table */
export function statusText(table) {
  if (table.over) return table.result ?? "The game is over.";
  if (table.turn === null || table.turn === undefined) return "";
  const { name } = table.seats[table.turn];
  if (table.seats[table.turn].kind === "bot")
    return `${name} (${playerLabel(table, table.turn)}) ${table.thinking ? "is thinking …" : "to move."}`;
  if (ownSeat(table) !== table.turn) return `${name} to move.`;
  return /\d$/.test(name) ? "Your turn." : `Your turn: ${name}.`; // not "Your turn: Player 0."
}

/** A move, for screen readers. @param {any} table @param {any} move */
export function moveText(table, move) {
  const who = ownSeat(table) === move.player ? "You play" : `${moverName(table, move)} plays`;
  return `${who} ${move.text}.`;
}

/** Capitalise. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The label of an option: `ply_limit` → `Ply limit`. @param {string} name */
export const optionTitle = (name) => capital(name.replaceAll("_", " "));
