/** The analysis panel: bot, time, and live candidates with visits, win rates and lines; or the exact result of each move. */
import { botPicker } from "./botpicker.js";
import { h, replaceChildren, setAttribute } from "./dom.js";
import { draw } from "./icons.js";
import { navigation } from "./moves.js";
import { percent, short } from "./format.js";
import { solutionView } from "./solution.js";

const BUDGETS = [
  [1, "1 second"],
  [3, "3 seconds"],
  [10, "10 seconds"],
  [30, "30 seconds"],
];
const ROWS = 12;

/** @param {import("./session.js").Session} session */
export function analysisPanel(session) {
  const searching = () => Boolean(session.analysing && !session.analysing.solve);
  const solving = () => Boolean(session.analysing?.solve);
  const restart = () => searching() && session.analyse(request());
  const picker = botPicker(session.info, {
    label: "Bot",
    levels: true,
    chosen: defaultBot(session.info),
    changed: restart,
  });
  const budget = h(
    "select",
    { id: "analysis-budget", onchange: restart },
    BUDGETS.map(([seconds, name]) => h("option", { value: String(seconds), selected: seconds === 10 }, name)),
  );
  const button = h("button", {
    type: "button",
    class: "main",
    onclick: () => session.analyse(searching() ? null : request()),
  });
  const solve = h("button", {
    type: "button",
    title: "Find out who wins after each move",
    onclick: () => session.analyse(solving() ? null : { solve: true }),
  });
  const solution = solutionView(session);
  const summary = h("p", { class: "summary", "aria-live": "off" });
  const body = h("tbody");
  const table = h(
    "table",
    { class: "candidates" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Move", "Win rate", "Visits", "Line"].map((name) => h("th", { scope: "col" }, name)),
      ),
    ),
    body,
  );
  const steps = navigation(session);
  const element = h(
    "div",
    { class: "analysis" },
    h(
      "div",
      { class: "form" },
      picker.element,
      h("div", { class: "field" }, h("label", { for: "analysis-budget" }, "Time per position"), budget),
      h("div", { class: "buttons" }, button, session.table.solvable && solve),
    ),
    steps,
    summary,
    table,
    solution.element,
  );
  let shownMove = null;
  let building = false;
  let drawn = null;
  const request = () => ({ bot: picker.spec(), seconds: Number(budget.value) });

  /** Show the line of a candidate; null: none. @param {string|null} move */
  function showLine(move) {
    if (move === shownMove || building) return;
    shownMove = move;
    session.line = lineOf(move);
    session.changed();
  }
  function lineOf(move) {
    const one = session.found?.candidates.find((candidate) => candidate.move === move);
    return one ? (one.line?.length ? one.line : [one.move]) : null;
  }
  const moveAt = (event) => event.target.closest("tr")?.dataset.move ?? null;
  body.addEventListener("pointerover", (event) => showLine(moveAt(event)));
  body.addEventListener("pointerleave", () => showLine(null));
  body.addEventListener("focusin", (event) => showLine(moveAt(event)));
  body.addEventListener("focusout", () => showLine(null));

  function row(one, index, most) {
    const share = h("span", { class: "bar", "aria-hidden": "true" });
    share.style.setProperty("--share", `${(100 * one.visits) / (most || 1)}%`);
    const label = `${one.move}: show line${session.canPlay ? ", click to play" : ""}`;
    const move = h(
      "button",
      { type: "button", class: "move", "aria-label": label, onclick: () => session.canPlay && session.play(one.move) },
      one.move,
    );
    return h(
      "tr",
      { class: index === 0 ? "best" : "", "data-move": one.move },
      h("td", {}, move, proof(one.proven)),
      h("td", { class: "number" }, percent(one.value)),
      h("td", { class: "number visits" }, share, short(one.visits)),
      h("td", { class: "line" }, (one.line ?? []).slice(1, 7).join(" ")),
    );
  }

  /** Draw the candidates; the focus stays on its move. @param {any[]} top */
  function rows(top) {
    const at = body.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.move : null;
    building = true;
    const most = Math.max(...top.map((one) => one.visits));
    replaceChildren(
      body,
      top.map((one, index) => row(one, index, most)),
    );
    if (at) body.querySelector(`tr[data-move="${CSS.escape(at)}"] button`)?.focus();
    building = false;
  }

  return {
    element,
    enter: () => !session.analysing && !session.shown.over && session.analyse(request()),
    update() {
      const { found, shown } = session;
      toggle(button, searching(), "play", "Analyse");
      toggle(solve, solving(), "solve", "Solve");
      button.classList.toggle("main", !session.analysing);
      steps.update();
      solution.update();
      table.hidden = !found?.candidates.length;
      summary.hidden = !solution.element.hidden;
      if (shown.over) summary.textContent = "The game is over. Step back to analyse an earlier position.";
      else if (!found)
        summary.textContent = session.analysing
          ? "Thinking …"
          : "Shows candidate moves on the board.";
      else {
        const name = shown.seats[shown.turn]?.name ?? "";
        const effort = `${short(found.visits)} visits · ${found.seconds.toFixed(1)} s${found.done ? "" : " …"}`;
        summary.textContent = `${name} ${percent(found.value)} · ${effort}`;
      }
      if (!found) return;
      if (shownMove) session.line = lineOf(shownMove);
      if (found !== drawn) rows(found.candidates.slice(0, ROWS));
      drawn = found;
    },
  };
}

/** Draw a button that starts something, or stops it once it runs. @param {any} button @param {boolean} on */
function toggle(button, on, icon, title) {
  replaceChildren(button, draw(on ? "stop" : icon), on ? "Stop" : title);
  setAttribute(button, "aria-pressed", String(on));
}

/** A badge for a proven score of the side to move. @param {number|null} score */
function proof(score) {
  if (score === null || score === undefined) return null;
  const word = score === 1 ? "win" : score === 0 ? "loss" : "draw";
  return h("span", { class: `proven ${word}` }, word);
}

/** The default bot for analyses. @param {any} info */
export const defaultBot = (info) => info?.default_bot ?? info?.bots?.[0]?.name;
