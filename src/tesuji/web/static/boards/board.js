/**
 * A board as the game describes it (`tesuji.board.Board`): cells anywhere, pieces, marks, hands. `clicks` has for each legal move
 * the names that are clicked to play it.
 */
import { focusIn, h, replaceChildren, s } from "../ui/dom.js";
import { drawHand } from "./board_hands.js";
import { ground, hull, tile, UNIT } from "./board_shapes.js";
import { cellBoard } from "./cell_board.js";
import { neighbour } from "./grid.js";

const BORDER = 0.52 * UNIT; // with labels
const LARGEST = 1.4; // scale: boards with few cells do not fill the screen

/** @param {any} first  a position @param {boolean} flipped  turned by 180 degrees */
function describedBoard(first, flipped) {
  const sign = flipped ? -1 : 1;
  const at = ({ x, y }) => [sign * x * UNIT, sign * y * UNIT];
  const shapes = new Map(first.cells.map((cell) => [cell.name, cell]));
  const places = new Map(first.cells.map((cell) => [cell.name, at(cell)]));
  const place = (name) => places.get(name) ?? null;
  const border = first.labels ? BORDER : BORDER / 2;
  const outline = hull(first.cells, at);
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - border - 2, Math.min(...ys) - border - 2];
  const [width, height] = [Math.max(...xs) + border + 2 - left, Math.max(...ys) + border + 10 - top];
  const hands = { far: h("div", { class: "side-hands far" }), near: h("div", { class: "side-hands near" }) };

  function drawHands(open, clicks, advised, act, { board }) {
    const all = [hands.far, hands.near];
    const refocus = focusIn(all, "hand");
    const look = (name) => ({ can: open.has(name), chosen: clicks.chosen.includes(name), advice: advised.get(name) });
    const bottom = flipped ? 1 : (board.viewer ?? 0);
    const isFar = ({ player }) => player !== null && player !== bottom;
    replaceChildren(hands.far, board.hands.filter(isFar).map((hand) => drawHand(hand, look, act)));
    replaceChildren(hands.near, board.hands.filter((hand) => !isFar(hand)).map((hand) => drawHand(hand, look, act)));
    refocus();
  }

  const made = cellBoard({
    name: `Board with ${first.cells.length} cells`,
    kind: `described surface-${first.surface}`,
    frame: [left, top, width, height],
    ground: ground(first, at, border),
    rows: rowsOf(places),
    place,
    tile: (name, scale, attributes) => {
      const { shape = "square", shade = 0 } = shapes.get(name);
      return tile(shape, place(name), scale, { class: `tile-${shape} shade-${shade}`, ...attributes });
    },
    printed: (name) => {
      const { shape = "square", colour, text } = shapes.get(name);
      return [colour && tile(shape, place(name), 0.9, { class: `tint seat-${colour}` }), text && printed(text, place(name))];
    },
    empty: (name) => shapes.get(name).text || "empty",
    radius: 0.39 * UNIT,
    step: (name, right, down) => neighbour(places, name, right, down),
    read: ({ board, fault }) => ({
      pieces: board.pieces,
      marks: board.marks,
      last: board.last ?? [],
      clicks: (text) => board.clicks?.[text] ?? [],
      placing: board.placing,
      steps: ({ steps }) => steps.map(({ player, clicks }) => ({ colour: board.seat_colours[player] ?? "grey", clicks })),
      better: fault?.best_clicks ?? [],
    }),
    beside: { ...hands, kind: "with-hands", draw: drawHands },
  });
  made.picture.style.setProperty("--wide", `${LARGEST * width}px`);
  made.picture.style.setProperty("--high", `${LARGEST * height}px`);
  return made;
}

/** Names of cells by their height on the screen, then from left to right. @param {Map<string, [number, number]>} places */
function rowsOf(places) {
  const rows = Map.groupBy(places.keys(), (name) => Math.round(places.get(name)[1]));
  const sorted = [...rows].sort(([one], [other]) => one - other);
  return sorted.map(([, names]) => names.sort((one, other) => places.get(one)[0] - places.get(other)[0]));
}

/** Text on a cell, scaled to fit. @param {string} text @param {[number, number]} place */
const printed = (text, [x, y]) =>
  s("text", { x, y, dy: "0.36em", class: "printed", "font-size": UNIT * Math.min(0.24, 1.1 / text.length) }, text);

/** @type {import("./index.js").Renderer} */
export const renderer = {
  create: (board, { flipped }) => describedBoard(board, flipped),
  flips: (board) => board.flips,
  key: ({ cells, lines, labels, surface }) => JSON.stringify([cells, lines, labels, surface]),
  buttons: ({ legal, board }) =>
    legal.filter((text) => !board.clicks?.[text]?.length).map((text) => ({ text, label: text })),
  moveColours: ({ moves, board }) => moves.map(({ player }) => board.seat_colours[player] ?? null),
};
