/** The buttons below the board: moves without a place on it, undo, hint, resign; in games between bots pause, step and speed. */
import { api } from "./api.js";
import { moveButtons } from "./boards/index.js";
import { h, replaceChildren } from "./dom.js";
import { draw } from "./icons.js";
import { requestFromLink } from "./links.js";

const SPEEDS = [
  [0, "instant"],
  [0.3, "fast"],
  [1, "normal"],
  [2.5, "slow"],
];

/** @param {import("./session.js").Session} session @param {(table: any, tab?: string) => void} go */
export function actionBar(session, go) {
  const element = h("div", { class: "actions", role: "toolbar", "aria-label": "Game actions" });
  const button = (name, title, act, { disabled = false, kind = "" } = {}) =>
    h("button", { type: "button", class: kind, disabled, onclick: act }, draw(name), h("span", {}, title));
  let confirming = false;
  let drawn = "";

  async function rematch() {
    const request = rematchRequest(session.table);
    const next = await session.attempt(() => api.create(request));
    if (next) go(next);
  }
  function watching() {
    const { table } = session;
    const speed = h(
      "select",
      { "aria-label": "Speed", onchange: (event) => session.speed(Number(event.target.value)) },
      SPEEDS.map(([seconds, name]) =>
        h("option", { value: String(seconds), selected: closest(table.speed ?? 1) === seconds }, name),
      ),
    );
    return [
      button(table.paused ? "play" : "pause", table.paused ? "Resume" : "Pause", () => session.command("pause"), {
        disabled: table.over,
        kind: "main",
      }),
      button("step", "Step", () => session.command("step"), { disabled: table.over || !table.paused }),
      h("label", { class: "speed" }, "Speed", speed),
    ];
  }
  function playing() {
    const { table } = session;
    if (confirming) {
      return [
        h("span", { class: "sure" }, "Resign this game?"),
        h(
          "button",
          {
            type: "button",
            class: "danger",
            onclick: () => {
              confirming = false;
              session.resign();
            },
          },
          "Resign",
        ),
        h(
          "button",
          {
            type: "button",
            onclick: () => {
              confirming = false;
              update();
            },
          },
          "Cancel",
        ),
      ];
    }
    return [
      extras().map(({ text, label }) =>
        h("button", { type: "button", class: "main", onclick: () => session.play(text) }, label),
      ),
      button("undo", "Undo", () => session.command("undo"), { disabled: !table.can_undo }),
      ...(table.over ? [] : whilePlaying()),
    ];
  }
  function whilePlaying() {
    const { table } = session;
    return [
      button("bulb", session.hinting ? "Thinking …" : "Hint", () => session.requestHint(), {
        disabled: session.hinting || !session.canPlay,
      }),
      button(
        "flag",
        "Resign",
        () => {
          confirming = true;
          update();
          element.querySelector(".danger")?.focus();
        },
        { disabled: table.plies === 0 },
      ),
    ];
  }
  const extras = () => (session.canPlay ? moveButtons(session.shown) : []);

  function update() {
    const { table } = session;
    if (table.over) confirming = false;
    const bots = table.seats.every((seat) => seat.kind === "bot");
    const key = JSON.stringify([
      bots,
      confirming,
      table.over,
      table.can_undo,
      table.plies === 0,
      table.paused,
      table.speed,
      session.hinting,
      session.canPlay,
      table.id,
      extras().map((one) => one.text),
    ]);
    if (key === drawn) return; // keeps the focus
    drawn = key;
    replaceChildren(
      element,
      bots ? watching() : playing(),
      table.over &&
        !confirming && [
          button("again", "Play again", rematch, { kind: "main" }),
          button("bulb", "Review", () => {
            session.tab = "review";
            session.changed();
          }),
        ],
    );
  }
  return { element, update };
}

const closest = (seconds) =>
  SPEEDS.map(([one]) => one).reduce((best, one) => (Math.abs(one - seconds) < Math.abs(best - seconds) ? one : best));

/** A request for the same game from its start, with new cards. @param {any} table */
function rematchRequest(table) {
  const stored = sessionStorage.getItem(`tesuji-request-${table.id}`);
  if (stored) return JSON.parse(stored);
  const link = requestFromLink(`game=${encodeURIComponent(table.game.replace(/cards=[^,]*,?/, "").replace(/[:,]$/, ""))}`);
  return { ...link, seats: table.seats.map((seat) => (seat.kind === "person" ? "person" : seat.bot)) };
}
