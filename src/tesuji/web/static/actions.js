/** Below the board: moves that have no place on it, take back, hint, resign; or, where only bots play, pause, step and speed. */
import { api } from "./api.js";
import { extraMoves } from "./boards/index.js";
import { h, put } from "./dom.js";
import { draw } from "./icons.js";
import { wishesOf } from "./links.js";

const SPEEDS = [
  [0, "at once"],
  [0.3, "fast"],
  [1, "normal"],
  [2.5, "slow"],
];

/** @param {import("./session.js").Session} session @param {(table: any, tab?: string) => void} go */
export function actionBar(session, go) {
  const element = h("div", { class: "actions", role: "toolbar", "aria-label": "Game" });
  const button = (name, title, act, { disabled = false, kind = "" } = {}) =>
    h("button", { type: "button", class: kind, disabled, onclick: act }, draw(name), h("span", {}, title));
  let asking = false;
  let drawn = "";

  async function again() {
    const wishes = wishesAgain(session.table);
    const next = await session.attempt(() => api.create(wishes));
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
      button(table.paused ? "play" : "pause", table.paused ? "Go on" : "Pause", () => session.order("pause"), {
        disabled: table.over,
        kind: "main",
      }),
      button("step", "Step", () => session.order("step"), { disabled: table.over || !table.paused }),
      h("label", { class: "speed" }, "Speed", speed),
    ];
  }
  function playing() {
    const { table } = session;
    if (asking) {
      return [
        h("span", { class: "sure" }, "Give up?"),
        h(
          "button",
          {
            type: "button",
            class: "danger",
            onclick: () => {
              asking = false;
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
              asking = false;
              update();
            },
          },
          "Play on",
        ),
      ];
    }
    return [
      extras().map(({ text, label }) =>
        h("button", { type: "button", class: "main", onclick: () => session.play(text) }, label),
      ),
      button("undo", "Undo", () => session.order("undo"), { disabled: !table.undo }),
      ...(table.over ? [] : whilePlaying()),
    ];
  }
  function whilePlaying() {
    const { table } = session;
    return [
      button("bulb", session.hinting ? "Thinking …" : "Hint", () => session.advise(), {
        disabled: session.hinting || !session.mayPlay,
      }),
      button(
        "flag",
        "Resign",
        () => {
          asking = true;
          update();
          element.querySelector(".danger")?.focus();
        },
        { disabled: table.plies === 0 },
      ),
    ];
  }
  const extras = () => (session.mayPlay ? extraMoves(session.shown) : []);

  function update() {
    const { table } = session;
    if (table.over) asking = false;
    const bots = table.seats.every((seat) => seat.kind === "bot");
    const key = JSON.stringify([
      bots,
      asking,
      table.over,
      table.undo,
      table.plies === 0,
      table.paused,
      table.speed,
      session.hinting,
      session.mayPlay,
      table.id,
      extras().map((one) => one.text),
    ]);
    if (key === drawn) return; // keep the focus where it is
    drawn = key;
    put(
      element,
      bots ? watching() : playing(),
      table.over &&
        !asking && [
          button("again", "Play again", again, { kind: "main" }),
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

/** The same game from its beginning, with cards dealt anew. @param {any} table */
export function wishesAgain(table) {
  const kept = sessionStorage.getItem(`tesuji-wishes-${table.id}`);
  if (kept) return JSON.parse(kept);
  const link = wishesOf(`game=${encodeURIComponent(table.game.replace(/cards=[^,]*,?/, "").replace(/[:,]$/, ""))}`);
  return { ...link, seats: table.seats.map((seat) => (seat.kind === "person" ? "person" : seat.bot)) };
}
