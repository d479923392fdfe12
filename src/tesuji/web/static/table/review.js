/** The review panel: the win-rate graph and the worst moves, with better alternatives. */
import { button, h, replaceChildren } from "../ui/dom.js";
import { CLOSED, moverName, percent } from "../ui/format.js";
import { effortForm } from "./analysis.js";
import { winGraph } from "./graph.js";
import { grade, navigation } from "./moves.js";

const BUDGETS = [
  [0.2, "0.2 seconds"],
  [0.5, "0.5 seconds"],
  [1, "1 second"],
  [3, "3 seconds"],
];
const MAX_MISTAKES = 6;
export const MIN_LOSS = 0.05; // smaller losses are noise

/** @param {import("../session/session.js").Session} session */
export function reviewPanel(session) {
  const effort = effortForm(session.info, "Time per move", BUDGETS, 0.5);
  const begin = button("", () => session.review(effort.request()), { class: "main" });
  const form = h("div", { class: "form" }, effort.parts, begin);
  const progress = h("progress", { max: "1", "aria-label": "Review" });
  const place = h("div", { class: "graph-place" });
  const here = h("p", { class: "here" });
  const worst = h("ol", { class: "worst" });
  const steps = navigation(session);
  const title = h("h2", {}, "Worst moves");
  const keys = h("p", { class: "muted" }, "Step with the arrow keys. Play a move on the board to branch off from there.");
  const closed = h("p", { class: "muted" }, CLOSED);
  const element = h("div", { class: "review" }, form, closed, progress, place, steps.element, here, title, worst, keys);

  function hereText() {
    const { shown, reviewed, table } = session;
    const played = reviewed.get(shown.ply - 1);
    const next = reviewed.get(shown.ply);
    const parts = [];
    if (played?.played) {
      const verdict = played.loss >= MIN_LOSS ? `lost ${percent(played.loss)}; ${played.best} was better.` : "was good.";
      parts.push(`${shown.ply}. ${played.played} ${verdict}`);
    }
    if (typeof next?.value === "number") parts.push(`Win rate of ${table.seats[0].name}: ${percent(next.value)}.`);
    return parts.join(" ");
  }

  /** Show a position, and scroll to the board if the panel is below it. @param {number} ply */
  async function show(ply) {
    await session.showPly(ply);
    document.querySelector(".place")?.scrollIntoView({ block: "nearest" });
  }

  function faultRow(one) {
    const { table } = session;
    const content = [
      h("span", { class: "sign", "aria-hidden": "true" }, grade(one) === "blunder" ? "??" : "?"),
      h("strong", {}, `${one.ply + 1}. ${one.played}`),
      h("span", {}, moverName(table, table.moves[one.ply])),
      h("span", { class: "loss" }, `−${percent(one.loss)}`),
      one.best && h("span", { class: "better" }, `better: ${one.best}`),
    ];
    return h("li", {}, button(content, () => show(one.ply + 1), { class: `fault-row ${grade(one) ?? ""}` }));
  }

  return {
    element,
    update() {
      const { table, reviewed, reviewing } = session;
      const some = reviewed.size > 0;
      begin.textContent = some ? "Review again" : "Review this game";
      closed.hidden = !session.closed;
      form.hidden = keys.hidden = session.closed;
      begin.disabled = reviewing || table.plies === 0;
      progress.hidden = !reviewing;
      progress.value = reviewed.size / (table.plies + 1);
      for (const part of [place, steps.element, here, worst, title]) part.hidden = !some;
      if (!some) return;
      replaceChildren(place, winGraph(session));
      steps.update();
      here.textContent = hereText();
      const bad = [...reviewed.values()]
        .filter((one) => one.played && one.loss >= MIN_LOSS)
        .sort((one, other) => other.loss - one.loss)
        .slice(0, MAX_MISTAKES);
      title.textContent = bad.length ? "Worst moves" : reviewing ? "Looking for mistakes …" : "No mistakes found";
      replaceChildren(worst, bad.map(faultRow));
    },
  };
}
