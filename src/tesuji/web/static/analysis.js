/** Analysing a position: which bot, how long, and its candidates with visits, win rates and lines, live. */
import { botPicker } from "./botpicker.js";
import { h, put, set } from "./dom.js";
import { draw } from "./icons.js";
import { navigation } from "./moves.js";
import { percent, short } from "./words.js";

const BUDGETS = [
  [1, "1 second"],
  [3, "3 seconds"],
  [10, "10 seconds"],
  [30, "30 seconds"],
];
const ROWS = 12;

/** @param {import("./session.js").Session} session */
export function analysisPanel(session) {
  const restart = () => session.analysing && session.analyse(wishes());
  const picker = botPicker(session.info, {
    label: "Bot",
    levels: true,
    chosen: usualBot(session.info),
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
    onclick: () => session.analyse(session.analysing ? null : wishes()),
  });
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
        ["Move", "Wins", "Visits", "Line"].map((name) => h("th", { scope: "col" }, name)),
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
      h("div", { class: "field" }, h("label", { for: "analysis-budget" }, "Time for each position"), budget),
      button,
    ),
    steps,
    summary,
    table,
  );
  let looking = null;
  let building = false;
  let drawn = null;
  const wishes = () => ({ bot: picker.spec(), seconds: Number(budget.value) });

  /** Show the line of a candidate, or none. @param {string|null} move */
  function look(move) {
    if (move === looking || building) return;
    looking = move;
    session.line = lineOf(move);
    session.changed();
  }
  function lineOf(move) {
    const one = session.found?.candidates.find((candidate) => candidate.move === move);
    return one ? (one.line?.length ? one.line : [one.move]) : null;
  }
  const moveAt = (event) => event.target.closest("tr")?.dataset.move ?? null;
  body.addEventListener("pointerover", (event) => look(moveAt(event)));
  body.addEventListener("pointerleave", () => look(null));
  body.addEventListener("focusin", (event) => look(moveAt(event)));
  body.addEventListener("focusout", () => look(null));

  function row(one, index, most) {
    const share = h("span", { class: "bar", "aria-hidden": "true" });
    share.style.setProperty("--share", `${(100 * one.visits) / (most || 1)}%`);
    const said = `${one.move}: show the line${session.mayPlay ? ", click to play" : ""}`;
    const move = h(
      "button",
      { type: "button", class: "move", "aria-label": said, onclick: () => session.mayPlay && session.play(one.move) },
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

  /** Draw the candidates; the keyboard stays at its move. @param {any[]} top */
  function rows(top) {
    const at = body.contains(document.activeElement) ? document.activeElement.closest("tr").dataset.move : null;
    building = true;
    const most = Math.max(...top.map((one) => one.visits));
    put(
      body,
      top.map((one, index) => row(one, index, most)),
    );
    if (at) body.querySelector(`tr[data-move="${CSS.escape(at)}"] button`)?.focus();
    building = false;
  }

  return {
    element,
    enter: () => !session.analysing && !session.shown.over && session.analyse(wishes()),
    update() {
      const { found, shown } = session;
      put(button, draw(session.analysing ? "stop" : "play"), session.analysing ? "Stop" : "Analyse");
      button.classList.toggle("main", !session.analysing);
      set(button, "aria-pressed", String(Boolean(session.analysing)));
      steps.update();
      table.hidden = !found?.candidates.length;
      if (shown.over) summary.textContent = "The game is over here. Step back to analyse an earlier position.";
      else if (!found)
        summary.textContent = session.analysing
          ? "Thinking …"
          : "Off. The board shows what the bot thinks of each move.";
      else {
        const name = shown.seats[shown.turn]?.name ?? "";
        const effort = `${short(found.visits)} visits · ${found.seconds.toFixed(1)} s${found.done ? "" : " …"}`;
        summary.textContent = `${name} wins ${percent(found.value)} · ${effort}`;
      }
      if (!found) return;
      if (looking) session.line = lineOf(looking);
      if (found !== drawn) rows(found.candidates.slice(0, ROWS));
      drawn = found;
    },
  };
}

/** What is proven of a move: the player to move gets this score. @param {number|null} score */
function proof(score) {
  if (score === null || score === undefined) return null;
  const word = score === 1 ? "win" : score === 0 ? "loss" : "draw";
  return h("span", { class: `proven ${word}` }, word);
}

/** The bot to analyse with: a searching one. @param {any} info */
export const usualBot = (info) => info?.default_bot ?? info?.bots?.[0]?.name;
