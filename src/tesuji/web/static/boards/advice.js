/** What a search thinks: arrows for moves from cell to cell, and lines of moves. */
import { s } from "../dom.js";
import { percent } from "../format.js";
import { arrow, plate } from "./arrows.js";
import { isLight, stone } from "./pieces.js";

const ARROWS = 8;
const PLATE = 1.35; // larger than on a board of few cells

/**
 * The arrows of the best moves with several clicks; once a piece is selected, only of its moves.
 * @param {any} view @param {any} position  as in `cell_board.js` @param {import("./clicks.js").Clicks} clicks
 * @param {(name: string) => [number, number]|null} place
 */
export function drawArrows(view, position, clicks, place) {
  const open = new Set(clicks.open.map((move) => move.text));
  const ranked = [...(view.candidates?.values() ?? [])].filter(
    (one) => position.clicks(one.move).length > 1 && (!clicks.chosen.length || open.has(one.move)),
  );
  const most = Math.max(1, ...ranked.map((one) => one.visits));
  const shown = view.line
    ? []
    : ranked.slice(0, ARROWS).map((one) => ({ names: position.clicks(one.move), share: one.visits / most, label: percent(one.value) }));
  if (position.better.length > 1) shown.unshift({ names: position.better, share: 0.7, label: "better" });
  const arrows = [];
  const ends = new Map();
  for (const { names, share, label } of shown) {
    const path = names.filter(place);
    arrows.unshift(path.slice(1).map((name, index) => arrow(place(path[index]), place(name), share, 0, false)));
    const end = path.at(-1);
    if (end) ends.set(end, [...(ends.get(end) ?? []), label]);
  }
  const plates = [...ends].flatMap(([end, labels]) =>
    labels.slice(0, 3).map((label, index, all) => {
      const [x, y] = place(end);
      const lower = 20 * PLATE * (index - (all.length - 1) / 2);
      return s("g", { transform: `translate(${x} ${y + lower}) scale(${PLATE})` }, plate([0, 0], label));
    }),
  );
  return [arrows, plates];
}

/** A line of moves: numbered stones, and numbered arrows. @param {{colour: string, clicks: string[]}[]} steps */
export function drawLine(steps, place, radius) {
  return steps.flatMap(({ colour, clicks }, index) => {
    const path = clicks.filter(place);
    if (!path.length) return [];
    const [x, y] = place(path.at(-1));
    const r = path.length > 1 ? radius * 0.6 : radius;
    const number = s(
      "text",
      { x, y, dy: "0.36em", "font-size": r, class: `number number-${isLight(colour) ? "w" : "b"}` },
      String(index + 1),
    );
    const share = 1 - index / (steps.length + 1);
    const arrows = path.slice(1).map((name, at) => arrow(place(path[at]), place(name), share, 0, true));
    return [s("g", { class: "coming" }, arrows, stone(colour, x, y, r), number)];
  });
}
