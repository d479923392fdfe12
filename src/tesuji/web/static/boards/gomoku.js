/** Gomoku: stones on the intersections of a wooden board with star points. */
import { s } from "../ui/dom.js";
import { letter, offBoardMoves, placeOf } from "./grid.js";
import { gradient } from "./pieces.js";
import { stoneBoard } from "./stones.js";

const UNIT = 40; // between two lines
const MARGIN = 1.15 * UNIT;

/** Wood grain: long waves, the same each time. */
function grain(size, edge) {
  const lines = [];
  for (let index = 0; index < 34; index += 1) {
    const wave = (k) => Math.sin(index * 12.9898 + k * 78.233) * 0.5;
    const y = -MARGIN + ((index + 0.5 + wave(1)) * edge) / 34;
    const bend = (k) => (y + wave(k) * 26).toFixed(1);
    lines.push(
      s("path", {
        d: `M${-MARGIN} ${y.toFixed(1)}C${edge * 0.25} ${bend(2)} ${edge * 0.55} ${bend(3)} ${edge - MARGIN} ${bend(4)}`,
        "stroke-width": (1.2 + Math.abs(wave(5)) * 5).toFixed(1),
        class: "grain",
      }),
    );
  }
  return lines;
}

/** @param {number} size */
function gomokuBoard(size) {
  const far = (size - 1) * UNIT;
  const edge = far + 2 * MARGIN;
  const centre = (row, column) => [column * UNIT, (size - 1 - row) * UNIT];
  const lines = Array.from({ length: size }, (_, at) => `M0 ${at * UNIT}H${far}M${at * UNIT} 0V${far}`).join("");
  const corners = size >= 11 ? [3, size - 4] : [];
  const points = corners.flatMap((row) => corners.map((column) => [row, column]));
  if (size % 2) points.push([(size - 1) / 2, (size - 1) / 2]);
  const names = Array.from({ length: size }, (_, index) => [
    [index * UNIT, far + 0.82 * UNIT, letter(index)],
    [index * UNIT, -0.82 * UNIT, letter(index)],
    [-0.82 * UNIT, far - index * UNIT, String(index + 1)],
    [far + 0.82 * UNIT, far - index * UNIT, String(index + 1)],
  ]).flat();
  return stoneBoard({
    name: "Gomoku",
    size,
    upward: true,
    frame: [-MARGIN - 4, -MARGIN - 4, edge + 8, edge + 10],
    definitions: [
      gradient("linear", "wood", { x1: 0, y1: 0, x2: 1, y2: 1 }, ["#ecc98a", "#e2b76e", "#d5a257"]),
      s("clipPath", { id: "plank" }, s("rect", { x: -MARGIN, y: -MARGIN, width: edge, height: edge, rx: 9 })),
    ],
    ground: [
      s("rect", { x: -MARGIN, y: -MARGIN + 4, width: edge, height: edge, rx: 9, class: "plank-side" }),
      s("rect", { x: -MARGIN, y: -MARGIN, width: edge, height: edge, rx: 9, fill: "url(#wood)" }),
      s("g", { "clip-path": "url(#plank)" }, grain(size, edge)),
      s("path", { d: lines, class: "lines" }),
      s("rect", { x: 0, y: 0, width: far, height: far, class: "lines outline" }),
      points.map(([row, column]) => s("circle", { cx: column * UNIT, cy: row * UNIT, r: 4.2, class: "star" })),
      names.map(([x, y, name]) =>
        s("text", { x, y, dy: "0.36em", class: "coordinate on-wood", "font-size": 13 }, name),
      ),
    ],
    centre,
    tile: (x, y, scale) => {
      const side = UNIT * scale;
      return s("rect", { x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 7 * scale });
    },
    radius: UNIT * 0.465,
    step: (row, column, right, down) => [row - down, column + right],
  });
}

const LABELS = { swap: "Take Black", two: "Place two more" };

function prompt({ legal }) {
  if (!legal.includes("swap")) return null;
  if (!legal.includes("two")) return "Place a white stone to stay White, or take Black.";
  return "Place a white stone to stay White, take Black, or place two more stones and let the opponent choose.";
}

/** By player; with swap2 by stone, since one player places stones of both colours. */
function moveColours({ moves, board }) {
  if (!board.seat_colours) return moves.map(({ player }) => player);
  let stones = 0;
  return moves.map(({ text }) => (placeOf(text) ? stones++ % 2 : null));
}

/** @type {import("./index.js").Renderer} */
export const renderer = {
  create: (board) => gomokuBoard(board.size),
  buttons: ({ legal }) => offBoardMoves(legal, LABELS),
  prompt,
  moveColours,
};
