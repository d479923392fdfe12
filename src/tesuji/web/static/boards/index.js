/**
 * Boards. The server describes a position as `{kind, …}`, and `boards/KIND.js` draws it; kinds without such a file are drawn by
 * fallback.js. A renderer is
 *
 * @typedef {object} Renderer
 * @property {(board: any, how: {flipped: boolean, narrow: boolean}) => Board} create
 * @property {boolean} [rotates]         the board is drawn differently on narrow screens
 * @property {(board: any) => boolean} [flips]  whether the second player sits at the bottom, if they are the only person
 * @property {(board: any) => string} [key]     a board must be created anew when this changes
 * @property {(table: any) => {text: string, label: string}[]} [buttons]  legal moves without a place on the board, such as passes
 * @property {(table: any) => string|null} [prompt]        what to do in a position with such moves
 * @property {(table: any) => string[]} [notes]            those of the server's notes that are to be shown
 * @property {(table: any) => (number|null)[]} [moveColours]  the colour of each move in the list of moves; by default the player
 *
 * A board is `{element, update(view)}`, and a view is
 *
 * @typedef {{element: any, update: (view: View) => void}} Board
 * @typedef {object} View
 * @property {any} board                 as described by the server
 * @property {any} table                 the whole table
 * @property {string} key                equal for the same position
 * @property {Set<string>} legal
 * @property {number|null} turn
 * @property {"b"|"w"} colour            of the next stone
 * @property {((text: string) => void)|null} play   null if nobody here may move
 * @property {Map<string, any>|null} candidates     of a search, best first
 * @property {Map<string, number>|null} winners     who wins after each move that is solved
 * @property {string[]|null} line        a line of moves to show
 * @property {import("../types.js").ReviewMessage|null} fault  the move that was played, if the review marks it as a mistake
 * @property {(text: string) => void} say           announce to screen readers
 */
import { joined, replaceChildren } from "../ui/dom.js";
import { fallbackBoard } from "./fallback.js";

const NARROW = window.matchMedia("(max-width: 640px) and (orientation: portrait)");
/** @type {Renderer} */
const FALLBACK = { create: fallbackBoard, notes: ({ notes }) => notes };
/** @type {Map<string, Renderer>} */
const renderers = new Map();

/** Load the renderers of these kinds, once. @param {string[]} kinds */
export async function loadRenderers(kinds) {
  const missing = new Set(kinds.filter((kind) => !renderers.has(kind) && /^[a-z]+$/.test(kind)));
  await Promise.all(
    [...missing].map(async (kind) => {
      const generic = kind === "svg" || kind === "text";
      const found = generic ? null : await import(`./${kind}.js`).catch(() => null);
      renderers.set(kind, found?.renderer ?? FALLBACK);
    }),
  );
}

/** @param {any} board @returns {Renderer} */
const rendererOf = (board) => renderers.get(board.kind) ?? FALLBACK;

/**
 * Draws boards in a place: a new one where the one that is there cannot show the position.
 * @param {Element} place @returns {(view: View, ownSeat?: number|null) => void}
 */
export function boardIn(place) {
  let board = null;
  let made = "";
  return (view, ownSeat = null) => {
    const { create, rotates, flips, key } = rendererOf(view.board);
    const flipped = ownSeat === 1 && Boolean(flips?.(view.board)); // the second player sits at the bottom
    const now = [view.board.kind, key?.(view.board) ?? view.board.size ?? "", rotates && NARROW.matches, flipped].join(" ");
    if (now !== made) {
      made = now;
      board = create(view.board, { flipped, narrow: NARROW.matches });
      replaceChildren(place, board.element);
    }
    board.update(view);
  };
}

/** A view of a position that nobody plays. @param {any} board @param {string[]} names @param {number|null} turn @returns {View} */
export const stillView = (board, names, turn) => ({
  board,
  table: { seats: names.map((name) => ({ name, kind: "person" })), legal: [], moves: [] },
  key: JSON.stringify(board),
  legal: new Set(),
  turn,
  colour: turn === 1 ? "w" : "b",
  play: null,
  candidates: null,
  winners: null,
  line: null,
  fault: null,
  say: () => {},
});

/** Call back when the screen is rotated. @param {() => void} listener */
export function onRotate(listener) {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

/** Legal moves without a place on the board, as buttons. @param {any} table */
export const moveButtons = (table) => rendererOf(table.board).buttons?.(table) ?? [];

/** The colour of each move in the list of moves; null: none. @param {any} table @returns {(number|null)[]} */
export const moveColours = (table) =>
  rendererOf(table.board).moveColours?.(table) ?? table.moves.map((/** @type {any} */ move) => move.player);

/** One line about this position, else the goal of the game. @param {any} table @param {string} goal */
export function goalText(table, goal) {
  const renderer = rendererOf(table.board);
  const buttons = moveButtons(table);
  const quotesButton = (/** @type {string} */ line) => buttons.some(({ text }) => line.includes(text));
  const notes = renderer.notes?.(table) ?? table.notes.filter((/** @type {string} */ line) => !quotesButton(line));
  return joined([renderer.prompt?.(table), ...notes], " ") || goal;
}
