/** The cells and the frame of a described board (`board.js`). */
import { s } from "../ui/dom.js";
import { points } from "./pieces.js";

export const UNIT = 72; // the width of a cell
const CARD = [0.64 * UNIT, 0.9 * UNIT];
const HALF = UNIT / 2;
const CORNERS = {
  square: [[-HALF, -HALF], [HALF, -HALF], [HALF, HALF], [-HALF, HALF]],
  hexagon: hexagon(UNIT / Math.sqrt(3)),
};

/** The corners of a hexagon that stands on one of them. @param {number} r from its centre to a corner @returns {number[][]} */
export function hexagon(r) {
  const half = (Math.sqrt(3) / 2) * r;
  return [[0, -r], [half, -r / 2], [half, r / 2], [0, r], [-half, r / 2], [-half, -r / 2]];
}

/** The area of a cell. @param {string} shape @param {[number, number]} at @param {number} scale @param {object} attributes */
export function tile(shape, [x, y], scale, attributes) {
  if (shape === "circle") return s("circle", { cx: x, cy: y, r: 0.47 * UNIT * scale, ...attributes });
  if (shape === "hexagon") {
    const corners = CORNERS.hexagon.map(([dx, dy]) => [x + dx * scale, y + dy * scale]);
    return s("polygon", { points: points(corners), ...attributes });
  }
  const [width, height] = (shape === "card" ? CARD : [UNIT, UNIT]).map((side) => side * scale);
  const rx = shape === "card" ? 6 : scale < 1 ? 7 : 0;
  return s("rect", { x: x - width / 2, y: y - height / 2, width, height, rx, ...attributes });
}

/** The frame around all cells: their convex hull with a wide round border. @param {any[]} cells @param {Function} at */
export function hull(cells, at) {
  const corners = cells
    .flatMap((cell) => {
      const [x, y] = at(cell);
      return (CORNERS[cell.shape] ?? CORNERS.square).map(([dx, dy]) => [x + dx, y + dy]);
    })
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const turn = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const half = (sorted) => {
    const found = [];
    for (const point of sorted) {
      while (found.length > 1 && turn(found.at(-2), found.at(-1), point) <= 0.01) found.pop();
      found.push(point);
    }
    return found.slice(0, -1);
  };
  return [...half(corners), ...half(corners.toReversed())]; // Andrew's monotone chain
}

/** The frame, lines and labels below the cells. @param {any} board @param {(place: any) => [number, number]} at @param {number} border */
export function ground(board, at, border) {
  const outline = { points: points(hull(board.cells, at)), "stroke-width": 2 * border, "stroke-linejoin": "round" };
  const places = new Map(board.cells.map((cell) => [cell.name, at(cell)]));
  return [
    s("polygon", { ...outline, class: "frame-side", transform: "translate(0 6)" }),
    s("polygon", { ...outline, class: "frame" }),
    (board.lines ?? []).map((line) => s("polyline", { points: points(line.map((name) => places.get(name))), class: "lines" })),
    (board.labels ?? []).map((label) => {
      const [x, y] = at(label);
      return s("text", { x, y, dy: "0.36em", class: "coordinate on-surface", "font-size": 17 }, label.text);
    }),
  ];
}
