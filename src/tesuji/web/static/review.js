/** Looking back at a game: the win-rate graph and the worst moves, each with what was better. */
import { botPicker } from "./botpicker.js";
import { usualBot } from "./analysis.js";
import { h, put } from "./dom.js";
import { winGraph } from "./graph.js";
import { grade, navigation } from "./moves.js";
import { percent } from "./words.js";

const BUDGETS = [
  [0.2, "0.2 seconds"],
  [0.5, "half a second"],
  [1, "1 second"],
  [3, "3 seconds"],
];
const WORST = 6;
const SMALL = 0.05; // a smaller loss is noise

/** @param {import("./session.js").Session} session */
export function reviewPanel(session) {
  const picker = botPicker(session.info, { label: "Bot", chosen: usualBot(session.info) });
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
    h("div", { class: "field" }, h("label", { for: "review-budget" }, "Time for each move"), budget),
    begin,
  );
  const progress = h("progress", { max: "1", "aria-label": "Review" });
  const place = h("div", { class: "graph-place" });
  const here = h("p", { class: "here" });
  const worst = h("ol", { class: "worst" });
  const steps = navigation(session);
  const title = h("h2", {}, "Worst moves");
  const keys = h("p", { class: "muted" }, "Arrow keys step. Play a move on the board to try it from there.");
  const closed = h("p", { class: "muted" }, "The cards are hidden: a game can be reviewed when it is over.");
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
    const said = [];
    if (played?.played)
      said.push(
        `${shown.ply}. ${played.played} ${played.loss >= SMALL ? `gave away ${percent(played.loss)}; better was ${played.best}.` : "was fine."}`,
      );
    if (next && typeof next.value === "number") said.push(`${table.seats[0].name} now wins ${percent(next.value)}.`);
    return said.join(" ");
  }

  /** Look at a position; where the panel is below the board, on a phone, the board comes into sight. @param {number} ply */
  async function show(ply) {
    await session.look(ply);
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
      put(place, winGraph(session));
      steps.update();
      here.textContent = hereText();
      const bad = [...reviewed.values()]
        .filter((one) => one.played && one.loss >= SMALL)
        .sort((one, other) => other.loss - one.loss)
        .slice(0, WORST);
      title.textContent = bad.length
        ? "Worst moves"
        : reviewing
          ? "Looking for mistakes …"
          : "No mistake that this bot can see";
      put(
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
              one.best && h("span", { class: "better" }, `better ${one.best}`),
            ),
          ),
        ),
      );
    },
  };
}
