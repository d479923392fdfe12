/** Square boards of black and white stones: what Hex and Gomoku have in common. */
import { cellBoard } from "./cell_board.js";
import { cellName, placeOf } from "./grid.js";

const PIECES = { b: { colour: "black", label: "Black" }, w: { colour: "white", label: "White" } };

/**
 * @param {object} shape
 * @param {string} shape.name
 * @param {number} shape.size
 * @param {[number, number, number, number]} shape.frame              left, top, width, height
 * @param {any[]} shape.definitions
 * @param {any[]} shape.ground                                        the background
 * @param {(row: number, column: number) => [number, number]} shape.centre
 * @param {(x: number, y: number, scale: number) => any} shape.tile   the area of a cell, scaled
 * @param {number} shape.radius                                       of a stone
 * @param {(row: number, column: number, right: number, down: number) => [number, number]} shape.step
 * @param {boolean} [shape.upward]                                    row 1 is at the bottom
 */
export function stoneBoard({ name, size, frame, definitions, ground, centre, tile, radius, step, upward }) {
  const numbers = Array.from({ length: size }, (_, index) => index);
  const rows = numbers.map((row) => numbers.map((column) => cellName(row, column)));
  const place = (cell) => (placeOf(cell) ? centre(...placeOf(cell)) : null);
  const clicks = (text) => (placeOf(text) ? [text] : []);
  return cellBoard({
    name: `${name} board, ${size} by ${size}`,
    kind: `board-${name.toLowerCase()}`,
    frame,
    definitions,
    ground,
    rows: upward ? rows.toReversed() : rows,
    place,
    tile: (cell, scale, attributes) => {
      const area = tile(...place(cell), scale);
      for (const [key, value] of Object.entries(attributes)) area.setAttribute(key, String(value));
      return area;
    },
    radius,
    step: (cell, right, down) => {
      const next = step(...placeOf(cell), right, down);
      return next.every((at) => at >= 0 && at < size) ? cellName(...next) : null;
    },
    read: ({ board, colour, fault }) => {
      const taken = rows.flat().flatMap((cell) => {
        const [row, column] = placeOf(cell);
        return board.cells[row][column] === "." ? [] : [[cell, PIECES[board.cells[row][column]]]];
      });
      const marked = (cells, mark) => (cells ?? []).map((cell) => [cell, mark]);
      const turns = colour === "w" ? ["white", "black"] : ["black", "white"];
      return {
        pieces: Object.fromEntries(taken),
        marks: Object.fromEntries([...marked(board.forbidden, "forbidden"), ...marked(board.winning_line, "win")]),
        last: board.last ? [board.last] : [],
        clicks,
        placing: PIECES[colour],
        steps: ({ line }) => line.map((text, index) => ({ colour: turns[index % 2], clicks: clicks(text) })),
        better: fault?.best ? clicks(fault.best) : [],
      };
    },
  });
}
