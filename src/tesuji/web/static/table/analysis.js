/** The analysis panel: bot, time, and live candidates with visits, win rates and lines; or the exact result of each move. */
import { botPicker } from "../ui/botpicker.js";
import { tableOf } from "../ui/datatable.js";
import { button, choices, field, h, replaceChildren, setAttribute } from "../ui/dom.js";
import { percent, short } from "../ui/format.js";
import { draw } from "../ui/icons.js";
import { navigation } from "./moves.js";
import { solutionView } from "./solution.js";

const BUDGETS = [
  [1, "1 second"],
  [3, "3 seconds"],
  [10, "10 seconds"],
  [30, "30 seconds"],
];
const ROWS = 12;

/**
 * A form for the bot and the time of an analysis.
 * @param {any} info @param {string} label @param {any[][]} budgets @param {number} usual @param {() => void} [changed]
 */
export function effortForm(info, label, budgets, usual, changed = () => {}) {
  const picker = botPicker(info, { label: "Bot", chosen: info.default_bot, changed });
  const budget = h("select", { onchange: changed }, choices(budgets, usual));
  return {
    parts: [picker.element, field(label, budget)],
    request: () => ({ bot: picker.spec() || undefined, seconds: Number(budget.value) }),
  };
}

/** @param {import("../session/session.js").Session} session */
export function analysisPanel(session) {
  const searching = () => Boolean(session.analysing && !session.analysing.solve);
  const solving = () => Boolean(session.analysing?.solve);
  const restart = () => searching() && session.analyse(effort.request());
  const effort = effortForm(session.info, "Time per position", BUDGETS, 10, restart);
  const start = button("", () => session.analyse(searching() ? null : effort.request()), { class: "main" });
  const solve = button("", () => session.analyse(solving() ? null : { solve: true }), { title: "Find out who wins after each move" });
  const solution = solutionView(session);
  const summary = h("p", { class: "summary", "aria-live": "off" });
  const body = h("tbody");
  const table = tableOf("candidates", ["Move", "Win rate", "Visits", "Line"], body);
  const steps = navigation(session);
  const form = h("div", { class: "form" }, effort.parts, h("div", { class: "buttons" }, start, session.table.solvable && solve));
  const element = h("div", { class: "analysis" }, form, steps.element, summary, table, solution.element);
  let shownMove = null;
  let building = false;
  let drawn = null;

  /** Show the line of a candidate; null: none. @param {string|null} move */
  function showLine(move) {
    if (move === shownMove || building) return;
    shownMove = move;
    session.line = lineOf(move);
    session.changed();
  }
  function lineOf(move) {
    const one = session.found?.candidates.find((candidate) => candidate.move === move);
    return one ? (one.line.length ? one.line : [one.move]) : null;
  }
  const moveAt = (event) => event.target.closest("tr")?.dataset.move ?? null;
  for (const name of ["pointerover", "focusin"]) body.addEventListener(name, (event) => showLine(moveAt(event)));
  for (const name of ["pointerleave", "focusout"]) body.addEventListener(name, () => showLine(null));

  function row(one, index, most) {
    const share = h("span", { class: "bar", "aria-hidden": "true", style: { "--share": `${(100 * one.visits) / (most || 1)}%` } });
    const label = `${one.move}: show line${session.canPlay ? ", click to play" : ""}`;
    const move = button(one.move, () => session.canPlay && session.play(one.move), { class: "move", "aria-label": label });
    return h(
      "tr",
      { class: index === 0 ? "best" : "", "data-move": one.move },
      h("td", {}, move, proof(one.proven)),
      h("td", { class: "number" }, percent(one.value)),
      h("td", { class: "number visits" }, share, short(one.visits)),
      h("td", { class: "line" }, one.line.slice(1, 7).join(" ")),
    );
  }

  /** Draw the candidates; the focus stays on its move. @param {any[]} top */
  function rows(top) {
    const at = body.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.move : null;
    building = true;
    const most = Math.max(...top.map((one) => one.visits));
    replaceChildren(body, top.map((one, index) => row(one, index, most)));
    if (at) body.querySelector(`tr[data-move="${CSS.escape(at)}"] button`)?.focus();
    building = false;
  }

  function summaryText() {
    const { found, shown } = session;
    if (shown.over) return "The game is over. Step back to analyse an earlier position.";
    if (!found) return session.analysing ? "Thinking …" : "Shows candidate moves on the board.";
    const name = shown.seats[shown.turn]?.name ?? "";
    return `${name} ${percent(found.value)} · ${short(found.visits)} visits · ${found.seconds.toFixed(1)} s${found.done ? "" : " …"}`;
  }

  return {
    element,
    enter: () => !session.analysing && !session.shown.over && session.analyse(effort.request()),
    update() {
      const { found } = session;
      toggle(start, searching(), "play", "Analyse");
      toggle(solve, solving(), "solve", "Solve");
      start.classList.toggle("main", !session.analysing);
      steps.update();
      solution.update();
      table.hidden = !found?.candidates.length;
      summary.hidden = !solution.element.hidden;
      summary.textContent = summaryText();
      if (!found) return;
      if (shownMove) session.line = lineOf(shownMove);
      if (found !== drawn) rows(found.candidates.slice(0, ROWS));
      drawn = found;
    },
  };
}

/** Draw a button that starts something, or stops it once it runs. @param {any} one @param {boolean} on */
function toggle(one, on, icon, title) {
  replaceChildren(one, draw(on ? "stop" : icon), on ? "Stop" : title);
  setAttribute(one, "aria-pressed", String(on));
}

/** A badge for a proven score of the side to move. @param {number|null} score */
function proof(score) {
  if (score === null) return null;
  const word = score === 1 ? "win" : score === 0 ? "loss" : "draw";
  return h("span", { class: `proven ${word}` }, word);
}
