/**
 * Onitama: the board with its two temples, discs (Blue) and squares (Red), crowns for masters, and the five cards: two in front
 * of each player, the side card to the right of the player to move. The opponent's cards are upside down. The board is flipped
 * if Red is the only person.
 */
import { focusIn, h, replaceChildren, s } from "../ui/dom.js";
import { cellBoard } from "./cell_board.js";
import { cellName, placeOf } from "./grid.js";
import { cardButton } from "./onitama_cards.js";
import { definitions, drawPiece, gate, OWNERS } from "./onitama_pieces.js";

const SIZE = 5;
const UNIT = 80;
const FRAME = 26;
const WIDE = SIZE * UNIT + 2 * FRAME;
const PIECES = {
  b: { colour: "blue", master: false, label: "blue student" },
  B: { colour: "blue", master: true, label: "blue master" },
  r: { colour: "red", master: false, label: "red student" },
  R: { colour: "red", master: true, label: "red master" },
};

/** The card of a move, and where it is clicked: `boar:c1c2`; a pass has no squares. @param {string} text */
function parts(text) {
  const [card, way = "pass"] = text.split(":");
  return { card, clicks: way === "pass" ? [] : [way.slice(0, 2), way.slice(2)] };
}

/** Whose temple a square is, if any: 0 or 1. @param {string} name */
const templeOf = (name) => [`c1`, `c${SIZE}`].indexOf(name);

/** @param {boolean} flipped  Red is at the bottom */
function onitamaBoard(flipped) {
  const numbers = [0, 1, 2, 3, 4];
  const centre = (row, column) =>
    flipped ? [(SIZE - 0.5 - column) * UNIT, (row + 0.5) * UNIT] : [(column + 0.5) * UNIT, (SIZE - 0.5 - row) * UNIT];
  const place = (name) => centre(...placeOf(name));
  const hands = { far: h("div", { class: "hand far" }), near: h("div", { class: "hand near" }) };
  const sides = { far: h("div", { class: "aside far" }), near: h("div", { class: "aside near" }) };
  const near = flipped ? 1 : 0;
  let card = null; // chosen by the player
  let position = "";

  const cancel = () => {
    card = null;
  };
  const label = (x, y, text) => s("text", { x, y, dy: "0.36em", class: "coordinate on-frame", "font-size": 13 }, text);
  const coordinates = numbers.flatMap((index) => {
    const [x, y] = centre(index, index);
    const ends = [-FRAME / 2, SIZE * UNIT + FRAME / 2];
    return ends.flatMap((at) => [label(x, at, "abcde"[index]), label(at, y, String(index + 1))]);
  });
  const plank = { x: -FRAME, width: WIDE, height: WIDE, rx: 12 };

  function drawCards(open, clicks, advised, act, view, choices) {
    const { turn } = view;
    const receiver = turn ?? near;
    const make = (one) => {
      const owner = one.owner ?? receiver;
      const usable = Boolean(view.play) && one.owner === turn;
      const mine = (move) => parts(move.text).card === one.word;
      const choice = choices.find(mine);
      return cardButton(one, owner, {
        turned: owner !== near,
        usable,
        chosen: card === one.word,
        wanted: Boolean(choice),
        reach: usable && clicks.chosen.length > 0 && clicks.open.some(mine),
        aside: one.owner === null,
        choose: () => {
          if (choice) view.play(choice.text);
          else if (!choices.length) {
            card = card === one.word ? null : one.word;
            made.update(view);
          }
        },
      });
    };
    const all = [hands.near, hands.far, sides.near, sides.far];
    const refocus = focusIn(all, "card");
    const of = (owner) => view.board.cards.filter((one) => one.owner === owner).map(make);
    const empty = () => h("div", { class: "card place", "aria-hidden": "true" });
    replaceChildren(hands.near, of(near));
    replaceChildren(hands.far, of(1 - near));
    replaceChildren(sides.near, receiver === near ? of(null) : empty());
    replaceChildren(sides.far, receiver === near ? empty() : of(null));
    refocus();
  }

  const made = cellBoard({
    name: "Onitama board, 5 by 5",
    kind: "board-onitama",
    frame: [-FRAME - 3, -FRAME - 3, WIDE + 6, WIDE + 10],
    definitions: definitions(),
    ground: [
      s("rect", { ...plank, y: -FRAME + 4, class: "plank-side dark" }),
      s("rect", { ...plank, y: -FRAME, fill: "url(#oni-frame)" }),
      coordinates,
    ],
    rows: (flipped ? numbers : numbers.toReversed()).map((row) =>
      (flipped ? numbers.toReversed() : numbers).map((column) => cellName(row, column)),
    ),
    place,
    tile: (name, scale, attributes) => {
      const [[row, column], [x, y], side] = [placeOf(name), place(name), UNIT * scale];
      const square = { x: x - side / 2, y: y - side / 2, width: side, height: side };
      if (scale < 1) return s("rect", { ...square, rx: 9, ...attributes });
      return s("rect", { ...square, class: (row + column) % 2 ? "square odd" : "square" });
    },
    printed: (name) => (templeOf(name) < 0 ? [] : [gate(templeOf(name), ...place(name), templeOf(name) !== near)]),
    about: (name) => templeOf(name) >= 0 && `${["Blue", "Red"][templeOf(name)]}'s temple`,
    radius: 30,
    plates: 1,
    piece: drawPiece,
    step: (name, right, down) => {
      const [row, column] = placeOf(name);
      const sign = flipped ? -1 : 1;
      const next = [row - sign * down, column + sign * right];
      return next.every((at) => at >= 0 && at < SIZE) ? cellName(...next) : null;
    },
    read: ({ board, key, turn, fault }) => {
      if (key !== position) card = null;
      position = key;
      const cells = board.cells.flatMap((row, at) => row.map((symbol, column) => [cellName(at, column), PIECES[symbol]]));
      const clicks = (text) => (card === null || parts(text).card === card ? parts(text).clicks : []);
      return {
        pieces: Object.fromEntries(cells.filter(([, piece]) => piece)),
        marks: {},
        last: parts(board.last ?? "").clicks,
        clicks,
        placing: null,
        steps: ({ line }) => line.map((text, at) => ({ colour: OWNERS[(turn + at) % 2], clicks: parts(text).clicks })),
        better: parts(fault?.best ?? "").clicks,
      };
    },
    beside: { kind: "onitama", far: [hands.far, sides.far], near: [sides.near, hands.near], draw: drawCards, chooses: true, cancel },
  });
  return made;
}

/** @type {import("./index.js").Renderer} */
export const renderer = {
  create: (_, { flipped }) => onitamaBoard(flipped),
  flips: () => true,
  buttons: ({ legal }) =>
    legal
      .filter((text) => text.endsWith(":pass"))
      .map((text) => ({ text, label: `Pass with ${text.split(":")[0]}` })),
  prompt: ({ legal }) =>
    legal.some((text) => text.endsWith(":pass")) ? "No piece can move: choose the card to give up." : null,
};
