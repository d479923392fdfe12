/** Moves as arrows from cell to cell, and labels on cells. Made for cells about 80 units wide. */
import { s } from "../dom.js";

/**
 * An arrow from one cell to another.
 * @param {[number, number]} start @param {[number, number]} end @param {number} share from 0 to 1
 * @param {number} shift to the side, where two moves go the same way @param {boolean} line
 */
export function arrow(start, end, share, shift, line) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const move = ([x, y], along) => [x + ux * along - uy * shift, y + uy * along + ux * shift];
  const [tail, tip] = [move(start, 20), move(end, -16)];
  const width = 3 + 6 * share;
  const head = 8 + 1.7 * width;
  const neck = [tip[0] - ux * head, tip[1] - uy * head];
  const wing = head * 0.6;
  const points = [tip, [neck[0] - uy * wing, neck[1] + ux * wing], [neck[0] + uy * wing, neck[1] - ux * wing]];
  const kind = line ? "arrow coming" : "arrow";
  const shaft = s(
    "g",
    { class: kind, opacity: (0.42 + 0.55 * share).toFixed(2) },
    s("line", { x1: tail[0], y1: tail[1], x2: neck[0], y2: neck[1], "stroke-width": width }),
    s("polygon", { points: points.map((point) => point.map((at) => at.toFixed(1)).join(",")).join(" ") }),
  );
  return shaft;
}

/** A label on a cell. @param {[number, number]} at @param {string} label */
export function plate([x, y], label) {
  const wide = 12 + 7.5 * label.length;
  return s(
    "g",
    { class: "plate" },
    s("rect", { x: x - wide / 2, y: y - 9.5, width: wide, height: 19, rx: 9.5 }),
    s("text", { x, y, dy: "0.36em", "font-size": 12.5 }, label),
  );
}
