/** What a search thinks: arrows for moves from cell to cell, with labels, and lines of moves. */
import { s } from "../ui/dom.js";
import { percent } from "../ui/format.js";
import { isLight, points, stone } from "./pieces.js";

const ARROWS = 8;
const ASIDE = [0, 11, -11]; // where several moves go the same way

/**
 * An arrow from one cell to another. Made for cells about 80 units wide.
 * @param {[number, number]} start @param {[number, number]} end @param {number} share from 0 to 1
 * @param {{shift?: number, line?: boolean}} [how]  `shift`: to the side
 */
function arrow(start, end, share, { shift = 0, line = false } = {}) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const length = Math.hypot(dx, dy);
  const [ux, uy] = [dx / length, dy / length];
  const move = ([x, y], along) => [x + ux * along - uy * shift, y + uy * along + ux * shift];
  const [tail, tip] = [move(start, 20), move(end, -16)];
  const width = 3 + 6 * share;
  const head = 8 + 1.7 * width;
  const neck = [tip[0] - ux * head, tip[1] - uy * head];
  const wing = head * 0.6;
  const corners = [tip, [neck[0] - uy * wing, neck[1] + ux * wing], [neck[0] + uy * wing, neck[1] - ux * wing]];
  return s(
    "g",
    { class: line ? "arrow coming" : "arrow", opacity: (0.42 + 0.55 * share).toFixed(2) },
    s("line", { x1: tail[0], y1: tail[1], x2: neck[0], y2: neck[1], "stroke-width": width }),
    s("polygon", { points: points(corners) }),
  );
}

/** A label on a cell. @param {[number, number]} at @param {string} label @param {number} scale */
function plate([x, y], label, scale) {
  const wide = 12 + 7.5 * label.length;
  return s(
    "g",
    { class: "plate", transform: `translate(${x} ${y}) scale(${scale})` },
    s("rect", { x: -wide / 2, y: -9.5, width: wide, height: 19, rx: 9.5 }),
    s("text", { dy: "0.36em", "font-size": 12.5 }, label),
  );
}

/**
 * The arrows of the best moves with several clicks; once a piece is selected, only of its moves.
 * @param {any} view @param {any} position  as in `cell_board.js` @param {import("./clicks.js").Clicks} clicks
 * @param {(name: string) => [number, number]|null} place @param {number} scale of the labels
 */
export function drawArrows(view, position, clicks, place, scale) {
  const open = new Set(clicks.open.map((move) => move.text));
  const ranked = [...(view.candidates?.values() ?? [])].filter(
    (one) => position.clicks(one.move).length > 1 && (!clicks.chosen.length || open.has(one.move)),
  );
  const most = Math.max(1, ...ranked.map((one) => one.visits));
  const shown = view.line
    ? []
    : ranked.slice(0, ARROWS).map((one) => ({ names: position.clicks(one.move), share: one.visits / most, label: percent(one.value) }));
  if (position.better.length > 1) shown.unshift({ names: position.better, share: 0.7, label: "better" });
  const [ways, ends] = [new Map(), new Map()];
  const arrows = [];
  for (const { names, share, label } of shown) {
    const path = names.filter(place);
    const same = ways.get(path.join()) ?? 0;
    ways.set(path.join(), same + 1);
    const shift = ASIDE[same % ASIDE.length];
    arrows.unshift(path.slice(1).map((name, index) => arrow(place(path[index]), place(name), share, { shift })));
    const end = path.at(-1);
    if (end) ends.set(end, [...(ends.get(end) ?? []), label]);
  }
  const plates = [...ends].flatMap(([end, labels]) =>
    labels.slice(0, 3).map((label, index, all) => {
      const [x, y] = place(end);
      return plate([x, y + 20 * scale * (index - (all.length - 1) / 2)], label, scale);
    }),
  );
  return [arrows, plates];
}

/** A line of moves: numbered stones, and numbered arrows. @param {{colour: string, clicks: string[]}[]} steps */
export function drawLine(steps, place, radius) {
  const paths = steps.map(({ clicks }) => clicks.filter(place));
  return steps.map(({ colour }, index) => {
    const path = paths[index];
    if (!path.length) return null;
    const same = [...paths.keys()].filter((other) => paths[other].at(-1) === path.at(-1)); // taken in between
    const r = (path.length > 1 ? radius * 0.6 : radius) / (same.length > 1 ? 1.4 : 1);
    const [x, middle] = place(path.at(-1));
    const y = middle + 2 * r * (same.indexOf(index) - (same.length - 1) / 2);
    const ink = { x, y, dy: "0.36em", "font-size": r, class: `number number-${isLight(colour) ? "w" : "b"}` };
    const share = 1 - index / (steps.length + 1);
    const arrows = path.slice(1).map((name, at) => arrow(place(path[at]), place(name), share, { line: true }));
    return s("g", { class: "coming" }, arrows, stone(colour, x, y, r), s("text", ink, String(index + 1)));
  });
}
