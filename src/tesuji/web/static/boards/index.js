/**
 * The right board for a position. A board is `{element, update(view), focus()}`, and a view is
 *
 * @typedef {object} View
 * @property {any} board                 as the server describes it
 * @property {any} table                 the whole table
 * @property {string} key                equal for the same position
 * @property {Set<string>} legal
 * @property {number|null} turn
 * @property {"b"|"w"} colour            of the next stone
 * @property {((text: string) => void)|null} play   null where nobody here may move
 * @property {Map<string, any>|null} candidates     of a search, best first
 * @property {string[]|null} line        moves to come
 * @property {string|null} wrong         a move that the review found fault with
 * @property {string|null} better        what it would have played instead
 * @property {(text: string) => void} say           tell a screen reader
 */
import { fallbackBoard } from "./fallback.js";
import { gofishBoard } from "./gofish.js";
import { gomokuBoard } from "./gomoku.js";
import { placeOf } from "./grid.js";
import { hexBoard } from "./hex.js";
import { onitamaBoard } from "./onitama.js";

const NARROW = window.matchMedia("(max-width: 640px) and (orientation: portrait)");

/** What a board must be made anew for. @param {any} board @param {boolean} flipped */
export function boardKey(board, flipped) {
  return [board.kind, board.size ?? "", board.kind === "hex" && NARROW.matches, flipped].join(" ");
}

/** @param {any} board @param {boolean} flipped  the second player sits below, where that makes a difference */
export function makeBoard(board, flipped) {
  if (board.kind === "hex") return hexBoard(board.size, NARROW.matches);
  if (board.kind === "gomoku") return gomokuBoard(board.size);
  if (board.kind === "onitama") return onitamaBoard(flipped);
  if (board.kind === "gofish") return gofishBoard();
  return fallbackBoard();
}

/** Call back when the screen turns. @param {() => void} listener */
export function onTurn(listener) {
  NARROW.addEventListener("change", listener);
  return () => NARROW.removeEventListener("change", listener);
}

/** Legal moves that have no place on the board: swaps and passes. @param {any} table @returns {{text: string, label: string}[]} */
export function extraMoves(table) {
  const { kind } = table.board;
  const legal = table.legal ?? [];
  if (kind === "hex" || kind === "gomoku")
    return legal.filter((text) => !placeOf(text)).map((text) => ({ text, label: EXTRA[text] ?? text }));
  if (kind === "onitama")
    return legal
      .filter((text) => text.endsWith(":pass"))
      .map((text) => ({ text, label: `Pass, and give away ${text.split(":")[0]}` }));
  return [];
}

const EXTRA = { "swap-pieces": "Swap", swap: "Take Black", two: "Put two more" };

/** What to do in a position that has buttons of its own; what the server remarks there is about typing. */
const CHOICES = {
  hex: { "swap-pieces": "Swap takes Black's stone over. Or put one of your own." },
  gomoku: {
    two: "Keep White and put a white stone, take Black, or put two more stones and let the other choose.",
    swap: "Keep White and put a white stone, or take Black.",
  },
  onitama: { pass: "You cannot move any piece: give one of your cards away." },
};
const GOALS = {
  hex: "Black joins the two dark sides, White the two ivory ones.",
  gomoku: "Five in a row win.",
  onitama: "Take the enemy master, or bring yours to its temple.",
  gofish: "Ask for a rank that you hold. Four of a rank are a book; most books win.",
};

/** What this position asks for, else what the game is about, in a line. @param {any} table */
export function goalText(table) {
  const { kind } = table.board;
  const words = new Set((table.legal ?? []).map((text) => text.split(":").pop()));
  const [, choice] = Object.entries(CHOICES[kind] ?? {}).find(([word]) => words.has(word)) ?? [];
  const typed = kind in GOALS ? /\btype\b|:pass|such as/ : /^$/; // there are buttons and cards for that
  const remarks = (table.remarks ?? []).filter((line) => !typed.test(line));
  return [choice, ...remarks].filter(Boolean).join(" ") || (GOALS[kind] ?? "");
}
