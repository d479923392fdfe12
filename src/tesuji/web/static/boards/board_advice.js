/** What a search thinks, on a described board: arrows for moves from cell to cell, and lines of moves. */
import { s } from "../dom.js";
import { percent } from "../format.js";
import { arrow, plate } from "./arrows.js";
import { isLight } from "./board_shapes.js";
import { stone } from "./stones.js";

const ARROWS = 8;
const PLATE = 1.35; // larger than on a board of few cells

/** The arrows of the best moves with several clicks; once a piece is selected, only of its moves. */
export function drawAdvice(view, clicks, places) {
  const onBoard = (names) => names.filter((name) => places.has(name));
  const open = new Set(clicks.open.map((move) => move.text));
  const ranked = [...(view.candidates?.values() ?? [])].filter(
    (one) => (view.board.clicks?.[one.move] ?? []).length > 1 && (!clicks.chosen.length || open.has(one.move)),
  );
  const most = Math.max(1, ...ranked.map((one) => one.visits));
  const shown = view.line
    ? []
    : ranked.slice(0, ARROWS).map((one) => ({ names: view.board.clicks[one.move], share: one.visits / most, label: percent(one.value) }));
  if (view.betterClicks?.length) shown.unshift({ names: view.betterClicks, share: 0.7, label: "better" });
  const arrows = [];
  const ends = new Map();
  for (const { names, share, label } of shown) {
    const path = onBoard(names);
    arrows.unshift(path.slice(1).map((name, index) => arrow(places.get(path[index]), places.get(name), share, 0, false)));
    const end = path.at(-1);
    if (end) ends.set(end, [...(ends.get(end) ?? []), label]);
  }
  const plates = [...ends].flatMap(([end, labels]) =>
    labels.slice(0, 3).map((label, index, all) => {
      const [x, y] = places.get(end);
      return s(
        "g",
        { transform: `translate(${x} ${y + 20 * PLATE * (index - (all.length - 1) / 2)}) scale(${PLATE})` },
        plate([0, 0], label),
      );
    }),
  );
  return [arrows, plates];
}

/** A line of moves: numbered stones, and numbered arrows. @param {{player: number, clicks: string[]}[]} steps */
export function drawLine(steps, colours, places, radius) {
  return steps.flatMap(({ player, clicks }, index) => {
    const path = clicks.filter((name) => places.has(name));
    if (!path.length) return [];
    const [x, y] = places.get(path.at(-1));
    const colour = colours[player] ?? "grey";
    const number = s(
      "text",
      { x, y, dy: "0.36em", "font-size": radius * 0.8, class: `number number-${isLight(colour) ? "w" : "b"}` },
      String(index + 1),
    );
    const arrows = path.slice(1).map((name, at) => arrow(places.get(path[at]), places.get(name), 1 - index / (steps.length + 1), 0, true));
    return [s("g", { class: "coming" }, arrows, stone(colour, x, y, path.length > 1 ? radius * 0.6 : radius), number)];
  });
}
