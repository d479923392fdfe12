/** A card: its name, its stamp, and its moves around a piece in the middle, as seen on this board. */
import { h, s } from "../dom.js";

const CELL = 14;
const SIDES = ["blue", "red"];

/**
 * @param {{name: string, word: string, stamp: number, moves: [number, number][]}} card
 * @param {number} owner  whose moves it shows
 * @param {Record<"turned"|"usable"|"chosen"|"wanted"|"reach"|"aside", boolean> & {choose: () => void}} how
 */
export function cardButton(card, owner, how) {
  const sign = how.turned ? -1 : 1;
  const steps = new Set(card.moves.map(([right, forward]) => `${2 + sign * right},${2 - sign * forward}`));
  const squares = [];
  for (let row = 0; row < 5; row += 1) {
    for (let column = 0; column < 5; column += 1) {
      const step = steps.has(`${column},${row}`);
      const middle = row === 2 && column === 2;
      squares.push(
        s("rect", {
          x: column * CELL,
          y: row * CELL,
          width: CELL - 1.5,
          height: CELL - 1.5,
          rx: 2.5,
          class: middle ? "middle" : step ? `step step-${SIDES[owner]}` : "no",
        }),
      );
      if (step) squares.push(s("circle", { cx: column * CELL + 6.25, cy: row * CELL + 6.25, r: 2.8, class: "dot" }));
    }
  }
  const words = card.moves.map(([right, forward]) => wayText(right, forward)).join("; ");
  const place = how.aside ? "side card" : `${owner ? "Red" : "Blue"}'s card`;
  return h(
    "button",
    {
      type: "button",
      "data-card": card.word,
      disabled: !how.usable,
      "aria-pressed": how.usable ? String(how.chosen) : null,
      class: [
        "card",
        how.turned && "turned",
        how.chosen && "picked",
        how.wanted && "choose",
        how.reach && "reach",
        how.aside && "lying",
        `of-${SIDES[owner]}`,
      ]
        .filter(Boolean)
        .join(" "),
      "aria-label": `${card.name}, ${place}. Moves: ${words}.`,
      onclick: how.choose,
    },
    h("span", { class: "card-name" }, card.name),
    h("span", {
      class: `stamp stamp-${SIDES[card.stamp]}`,
      title: `${card.stamp ? "Red" : "Blue"} starts if this is the first side card`,
    }),
    s("svg", { viewBox: `-1 -1 ${5 * CELL + 1} ${5 * CELL + 1}`, class: "steps", "aria-hidden": "true" }, squares),
  );
}

/** A step as the player sees it. @param {number} right @param {number} forward */
function wayText(right, forward) {
  const parts = [];
  if (forward) parts.push(`${Math.abs(forward)} ${forward > 0 ? "forward" : "back"}`);
  if (right) parts.push(`${Math.abs(right)} ${right > 0 ? "right" : "left"}`);
  return parts.join(" ");
}
