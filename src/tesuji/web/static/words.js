/** Numbers and players in words. */

/** A chance as people say it: `percent(0.634) === "63%"`. @param {number} value */
export const percent = (value) => `${Math.round(100 * value)}%`;

/** A count in few characters: `short(12345) === "12k"`. @param {number} number */
export function short(number) {
  if (number < 1000) return String(Math.round(number));
  if (number < 1e4) return `${(number / 1000).toFixed(1)}k`;
  return number < 1e6 ? `${Math.round(number / 1000)}k` : `${(number / 1e6).toFixed(1)}M`;
}

/** Seconds as a clock shows them: `1:05`, and tenths below ten. @param {number} seconds */
export function clockText(seconds) {
  const left = Math.max(0, seconds);
  if (left < 10) return left.toFixed(1);
  const whole = Math.ceil(left);
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** A bot's spec without its options. @param {string|null} spec */
export const botName = (spec) => (spec ?? "bot").split(":")[0];

/** Who sits there, beside the seat's name: `you`, `a person`, `easy`. @param {any} table @param {number} seat */
export function sitter(table, seat) {
  const { kind, bot } = table.seats[seat];
  if (kind === "bot") return botName(bot);
  return table.seats.filter((one) => one.kind === "person").length === 1 ? "you" : "a person";
}

/** Whether exactly one person plays, and which seat that is. @param {any} table @returns {number|null} */
export function ownSeat(table) {
  const persons = table.seats.flatMap((seat, index) => (seat.kind === "person" ? [index] : []));
  return persons.length === 1 ? persons[0] : null;
}

/** The class of a seat's sign: by its colour where players choose colours, and none before they have. @param {any} board @param {number} seat */
export function signOf(board, seat) {
  if (board.black === undefined) return `seat-${seat}`;
  return board.black === null ? "" : `seat-${seat === board.black ? 0 : 1}`;
}

/** What is to be done now, in one line. @param {any} table */
export function statusText(table) {
  if (table.over) return table.result ?? "The game is over.";
  if (table.turn === null || table.turn === undefined) return "";
  const { name } = table.seats[table.turn];
  if (table.seats[table.turn].kind === "bot")
    return `${name} (${sitter(table, table.turn)}) ${table.thinking ? "is thinking …" : "is to move."}`;
  if (ownSeat(table) !== table.turn) return `${name} is to move.`;
  return /\d$/.test(name) ? "Your turn." : `Your turn: ${name}.`; // nobody thinks of himself as Player 0
}

/** A move in words, for screen readers. @param {any} table @param {any} move */
export function moveText(table, move) {
  const who = ownSeat(table) === move.player ? "You play" : `${table.seats[move.player]?.name ?? "Nature"} plays`;
  return `${who} ${move.text}.`;
}

/** A name with a capital. @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** An option's name as people write it: `ply_limit` → `Ply limit`. @param {string} name */
export const optionTitle = (name) => capital(name.replaceAll("_", " "));
