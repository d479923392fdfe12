/** The buttons below the board: moves without a place on it, undo, hint, resign; in games between bots pause, step and speed. */
import { moveButtons } from "../boards/index.js";
import { api } from "../session/api.js";
import { requestFromLink } from "../session/links.js";
import { button, choices, h, replaceChildren } from "../ui/dom.js";
import { ownSeat, seatSpecs } from "../ui/format.js";
import { draw } from "../ui/icons.js";

const SPEEDS = [
  [0, "instant"],
  [0.3, "fast"],
  [1, "normal"],
  [2.5, "slow"],
];

/** @param {import("../session/session.js").Session} session @param {(table: any, tab?: string) => void} go */
export function actionBar(session, go) {
  const element = h("div", { class: "actions", role: "toolbar", "aria-label": "Game actions" });
  const action = (icon, title, act, { disabled = false, kind = "" } = {}) =>
    button([draw(icon), h("span", {}, title)], act, { class: kind, disabled });
  const extras = () => (session.canPlay ? moveButtons(session.shown) : []);
  let confirming = false;
  let drawn = "";

  /** Ask whether to resign, or stop asking. @param {boolean} on */
  function confirm(on) {
    confirming = on;
    update();
    element.querySelector(".danger")?.focus();
  }
  function resign() {
    confirming = false;
    session.command("resign", { seat: ownSeat(session.table) ?? session.table.turn });
  }
  async function rematch() {
    const next = await session.attempt(() => api.create(rematchRequest(session.table)));
    if (next) go(next);
  }
  function review() {
    session.tab = "review";
    session.changed();
  }
  function watching({ paused, over, speed }) {
    const set = (event) => session.command("speed", { seconds: Number(event.target.value) });
    const speeds = h("select", { "aria-label": "Speed", onchange: set }, choices(SPEEDS, closest(speed)));
    return [
      action(paused ? "play" : "pause", paused ? "Resume" : "Pause", () => session.command("pause"), { disabled: over, kind: "main" }),
      action("step", "Step", () => session.command("step"), { disabled: over || !paused }),
      h("label", { class: "speed" }, "Speed", speeds),
    ];
  }
  function playing({ over, can_undo, plies }) {
    const hint = session.hinting ? "Thinking …" : "Hint";
    return [
      extras().map(({ text, label }) => button(label, () => session.play(text), { class: "main" })),
      action("undo", "Undo", () => session.command("undo"), { disabled: !can_undo }),
      !over && action("bulb", hint, () => session.requestHint(), { disabled: session.hinting || !session.canPlay }),
      !over && action("flag", "Resign", () => confirm(true), { disabled: plies === 0 }),
    ];
  }
  const asking = () => [
    h("span", { class: "sure" }, "Resign this game?"),
    button("Resign", resign, { class: "danger" }),
    button("Cancel", () => confirm(false)),
  ];
  const after = () => [action("again", "Play again", rematch, { kind: "main" }), action("bulb", "Review", review)];

  function update() {
    const { table, hinting, canPlay } = session;
    if (table.over) confirming = false;
    const { over, can_undo, paused, speed, plies, id } = table;
    const buttons = extras().map((one) => one.text);
    const key = JSON.stringify([confirming, over, can_undo, paused, speed, plies === 0, id, hinting, canPlay, buttons]);
    if (key === drawn) return; // keeps the focus
    drawn = key;
    replaceChildren(element, paused !== null ? watching(table) : confirming ? asking() : playing(table), over && after());
  }
  return { element, update };
}

/** The speed in the list that is closest to this one. @param {number} seconds */
const closest = (seconds) =>
  SPEEDS.map(([one]) => Number(one)).reduce((best, one) => (Math.abs(one - seconds) < Math.abs(best - seconds) ? one : best));

/** A request for the same game from its start, with new cards. @param {any} table */
function rematchRequest(table) {
  const stored = sessionStorage.getItem(`tesuji-request-${table.id}`);
  if (stored) return JSON.parse(stored);
  const link = requestFromLink(`game=${encodeURIComponent(table.game.replace(/cards=[^,]*,?/, "").replace(/[:,]$/, ""))}`);
  return { ...link, seats: seatSpecs(table) };
}
