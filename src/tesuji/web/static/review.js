/** The review panel: the win-rate graph and the worst moves, with better alternatives. */
import { botPicker } from "./botpicker.js";
import { defaultBot } from "./analysis.js";
import { h, replaceChildren } from "./dom.js";
import { winGraph } from "./graph.js";
import { grade, navigation } from "./moves.js";
import { percent } from "./format.js";

const BUDGETS = [
  [0.2, "0.2 seconds"],
  [0.5, "0.5 seconds"],
  [1, "1 second"],
  [3, "3 seconds"],
];
const MAX_MISTAKES = 6;
const MIN_LOSS = 0.05; // smaller losses are noise

/** @param {import("./session.js").Session} session */
export function reviewPanel(session) {
  const picker = botPicker(session.info, { label: "Bot", chosen: defaultBot(session.info) });
  const budget = h(
    "select",
    { id: "review-budget" },
    BUDGETS.map(([seconds, name]) => h("option", { value: String(seconds), selected: seconds === 0.5 }, name)),
  );
  const begin = h("button", {
    type: "button",
    class: "main",
    onclick: () => session.review({ bot: picker.spec(), seconds: Number(budget.value) }),
  });
  const form = h(
    "div",
    { class: "form" },
    picker.element,
    h("div", { class: "field" }, h("label", { for: "review-budget" }, "Time per move"), budget),
    begin,
  );
  const progress = h("progress", { max: "1", "aria-label": "Review" });
  const place = h("div", { class: "graph-place" });
  const here = h("p", { class: "here" });
  const worst = h("ol", { class: "worst" });
  const steps = navigation(session);
  const title = h("h2", {}, "Worst moves");
  const keys = h("p", { class: "muted" }, "Step with the arrow keys. Play a move on the board to branch off from there.");
  const closed = h("p", { class: "muted" }, "Available once the game is over, because the cards are hidden.");
  const element = h(
    "div",
    { class: "review" },
    form,
    closed,
    progress,
    place,
    steps,
    here,
    title,
    worst,
    keys,
  );

  function hereText() {
    const { shown, reviewed, table } = session;
    const played = reviewed.get(shown.ply - 1);
    const next = reviewed.get(shown.ply);
    const parts = [];
    if (played?.played)
      parts.push(
        `${shown.ply}. ${played.played} ${played.loss >= MIN_LOSS ? `lost ${percent(played.loss)}; ${played.best} was better.` : "was good."}`,
      );
    if (next && typeof next.value === "number") parts.push(`Win rate of ${table.seats[0].name}: ${percent(next.value)}.`);
    return parts.join(" ");
  }

  /** Show a position, and scroll to the board if the panel is below it. @param {number} ply */
  async function show(ply) {
    await session.showPly(ply);
    document.querySelector(".place")?.scrollIntoView({ block: "nearest" });
  }

  return {
    element,
    update() {
      const { table, reviewed, reviewing } = session;
      const some = reviewed.size > 0;
      begin.textContent = some ? "Review again" : "Review this game";
      closed.hidden = !session.hidden || table.over;
      form.hidden = keys.hidden = !closed.hidden;
      begin.disabled = reviewing || table.plies === 0;
      progress.hidden = !reviewing;
      progress.value = reviewed.size / (table.plies + 1);
      for (const part of [place, steps, here, worst, title]) part.hidden = !some;
      if (!some) return;
      replaceChildren(place, winGraph(session));
      steps.update();
      here.textContent = hereText();
      const bad = [...reviewed.values()]
        .filter((one) => one.played && one.loss >= MIN_LOSS)
        .sort((one, other) => other.loss - one.loss)
        .slice(0, MAX_MISTAKES);
      title.textContent = bad.length
        ? "Worst moves"
        : reviewing
          ? "Looking for mistakes …"
          : "No mistakes found";
      replaceChildren(
        worst,
        bad.map((one) =>
          h(
            "li",
            {},
            h(
              "button",
              { type: "button", class: `fault-row ${grade(one) ?? ""}`, onclick: () => show(one.ply + 1) },
              h("span", { class: "sign", "aria-hidden": "true" }, grade(one) === "blunder" ? "??" : "?"),
              h("strong", {}, `${one.ply + 1}. ${one.played}`),
              h("span", {}, table.seats[table.moves[one.ply]?.player]?.name ?? ""),
              h("span", { class: "loss" }, `−${percent(one.loss)}`),
              one.best && h("span", { class: "better" }, `better: ${one.best}`),
            ),
          ),
        ),
      );
    },
  };
}
