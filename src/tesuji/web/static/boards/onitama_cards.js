/** A card: its name, its stamp, and its moves around a piece in the middle, as seen on this board. */
import { button, h, joined, s } from "../ui/dom.js";
import { OWNERS } from "./onitama_pieces.js";

const CELL = 14;

/**
 * @param {{name: string, word: string, stamp: number, moves: [number, number][]}} card
 * @param {number} owner  whose moves it shows
 * @param {Record<"turned"|"usable"|"chosen"|"wanted"|"reach"|"aside", boolean> & {choose: () => void}} how
 */
export function cardButton(card, owner, how) {
  const colour = OWNERS[owner];
  const sign = how.turned ? -1 : 1;
  const steps = new Set(card.moves.map(([right, forward]) => `${2 + sign * right},${2 - sign * forward}`));
  const squares = Array.from({ length: 25 }, (_, index) => {
    const [column, row] = [index % 5, Math.floor(index / 5)];
    const [x, y] = [column * CELL, row * CELL];
    const step = steps.has(`${column},${row}`);
    const kind = index === 12 ? "middle" : step ? `step step-${colour}` : "no";
    return [
      s("rect", { x, y, width: CELL - 1.5, height: CELL - 1.5, rx: 2.5, class: kind }),
      step && s("circle", { cx: x + 6.25, cy: y + 6.25, r: 2.8, class: "dot" }),
    ];
  });
  const words = card.moves.map(([right, forward]) => wayText(right, forward)).join("; ");
  const place = how.aside ? "side card" : `${owner ? "Red" : "Blue"}'s card`;
  const kinds = [
    how.turned && "turned",
    how.chosen && "picked",
    how.wanted && "choose",
    how.reach && "reach",
    how.aside && "lying",
  ];
  const stamp = {
    class: `stamp stamp-${OWNERS[card.stamp]}`,
    title: `${card.stamp ? "Red" : "Blue"} starts if this is the first side card`,
  };
  const content = [
    h("span", { class: "card-name" }, card.name),
    h("span", stamp),
    s("svg", { viewBox: `-1 -1 ${5 * CELL + 1} ${5 * CELL + 1}`, class: "steps", "aria-hidden": "true" }, squares),
  ];
  return button(content, how.choose, {
    "data-card": card.word,
    disabled: !how.usable,
    "aria-pressed": how.usable ? String(how.chosen) : null,
    class: joined(["card", ...kinds, `of-${colour}`], " "),
    "aria-label": `${card.name}, ${place}. Moves: ${words}.`,
  });
}

/** A step as the player sees it. @param {number} right @param {number} forward */
const wayText = (right, forward) =>
  joined(
    [
      forward && `${Math.abs(forward)} ${forward > 0 ? "forward" : "back"}`,
      right && `${Math.abs(right)} ${right > 0 ? "right" : "left"}`,
    ],
    " ",
  );
