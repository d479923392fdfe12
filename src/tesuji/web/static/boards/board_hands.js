/** Pieces and cards beside a described board, as buttons. */
import { button, h, joined, s } from "../ui/dom.js";
import { percent } from "../ui/format.js";
import { drawPiece } from "./pieces.js";

const R = 24;
const [WIDE, HIGH] = [60, 60];

/**
 * @param {any} hand
 * @param {(name: string) => {can: boolean, chosen: boolean, advice: any}} look
 * @param {(name: string) => void} act
 */
export function drawHand(hand, look, act) {
  return h(
    "div",
    { class: "side-hand", role: "group", "aria-label": hand.title },
    h("span", { class: "side-hand-title" }, hand.title),
    Object.entries(hand.pieces).map(([name, piece]) => {
      const { can, chosen, advice } = look(name);
      const count = piece.count ?? 1;
      const words = [
        count === 1 ? piece.label : `${count} × ${piece.label}`,
        chosen && "selected",
        advice && `${percent(advice.value)}, ${advice.visits} visits`,
      ];
      const content = [
        s("svg", { viewBox: `${-WIDE / 2} ${-HIGH / 2} ${WIDE} ${HIGH}`, "aria-hidden": "true" }, drawPiece(piece, [0, 0], R)),
        count !== 1 && h("span", { class: "count", "aria-hidden": "true" }, `×${count}`),
        advice && h("span", { class: "advice", "aria-hidden": "true" }, percent(advice.value)),
      ];
      return button(content, () => act(name), {
        "data-hand": name,
        class: joined(["in-hand", chosen && "picked", advice && "advised", !count && "none"], " "),
        disabled: !can && !chosen,
        "aria-pressed": can || chosen ? String(chosen) : null,
        "aria-label": joined(words),
      });
    }),
    !Object.keys(hand.pieces).length && h("span", { class: "muted" }, "empty"),
  );
}
