/**
 * Hex: a rhombus of hexagons between two dark sides (Black's) and two light, striped ones (White's). On a narrow, tall screen
 * the board is rotated by 90 degrees, so that its cells are large enough for a finger.
 */
import { s } from "../ui/dom.js";
import { hexagon } from "./board_shapes.js";
import { letter, offBoardMoves } from "./grid.js";
import { gradient, points } from "./pieces.js";
import { stoneBoard } from "./stones.js";

const R = 24; // from a cell's centre to its corner
const HALF = (Math.sqrt(3) / 2) * R;
const BAND = 1.25; // how far the sides extend beyond the outermost centres, in cells
const MARGIN = 7;

/** @param {number} size @param {boolean} upright  rotated by 90 degrees */
function hexBoard(size, upright) {
  const rotated = ([x, y]) => (upright ? [-y, x] : [x, y]);
  const centre = (row, column) => rotated([2 * HALF * (column + row / 2), 1.5 * R * row]);
  const tile = (x, y, scale) => {
    const corners = hexagon(R * scale).map(rotated);
    return s("polygon", { points: points(corners.map(([dx, dy]) => [x + dx, y + dy])) });
  };
  const rhombus = (out) => {
    const far = size - 1 + out;
    return [centre(-out, -out), centre(-out, far), centre(far, far), centre(far, -out)];
  };
  const [outer, inner] = [rhombus(BAND), rhombus(0)];
  const sides = ["b", "w", "b", "w"].map((colour, side) => {
    const next = (side + 1) % 4;
    return s("polygon", { points: points([outer[side], outer[next], inner[next], inner[side]]), class: `side side-${colour}` });
  });

  const out = (BAND + 0.52) / 2;
  const names = [];
  for (let index = 0; index < size; index += 1) {
    for (const row of [-out, size - 1 + out]) names.push([centre(row, index), letter(index), "on-b"]);
    for (const column of [-out, size - 1 + out]) names.push([centre(index, column), String(index + 1), "on-w"]);
  }
  const coordinates = names.map(([[x, y], name, kind]) =>
    s("text", { x, y, dy: "0.36em", class: `coordinate ${kind}`, "font-size": 10.5 }, name),
  );

  const [xs, ys] = [outer.map(([x]) => x), outer.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - MARGIN, Math.min(...ys) - MARGIN];
  const turn = `rotate(${upright ? 150 : 60})`;
  return stoneBoard({
    name: "Hex",
    size,
    frame: [left, top, Math.max(...xs) + MARGIN - left, Math.max(...ys) + MARGIN + 3 - top],
    definitions: [
      gradient("linear", "lacquer", { x1: 0, y1: 0, x2: 0, y2: 1 }, ["#3a4657", "#141b26"]),
      s(
        "pattern",
        { id: "stripes", width: 7, height: 7, patternUnits: "userSpaceOnUse", patternTransform: turn },
        s("rect", { width: 7, height: 7, fill: "#fbf4e3" }),
        s("rect", { width: 7, height: 1.5, fill: "#e6d3a6" }),
      ),
    ],
    ground: [
      s("polygon", { points: points(outer), class: "board-shadow" }),
      sides,
      s("polygon", { points: points(outer), class: "board-edge" }),
      coordinates,
    ],
    centre,
    tile,
    radius: R * 0.68,
    step: (row, column, right, down) => (upright ? [row - right, column + down] : [row + down, column + right]),
  });
}

/** @type {import("./index.js").Renderer} */
export const renderer = {
  create: (board, { narrow }) => hexBoard(board.size, narrow),
  rotates: true,
  buttons: ({ legal }) => offBoardMoves(legal, { "swap-pieces": "Swap" }),
  prompt: ({ legal }) => (legal.includes("swap-pieces") ? "Swap to take over Black's stone, or play your own." : null),
};
