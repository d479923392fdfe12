/** The first page: the games, each with its board, and one click to a game against a level. */
import { h, put } from "./dom.js";
import { makeBoard } from "./boards/index.js";
import { SAMPLES, TAGLINES } from "./samples.js";
import { start } from "./setup.js";
import { capital } from "./words.js";

/** A game's board with some moves on it, to look at only. @param {any} info */
export function preview(info) {
  const place = h("div", { class: `preview preview-${info.name}`, inert: true, "aria-hidden": "true" });
  const sample = SAMPLES[info.name];
  if (!sample) {
    place.append(h("div", { class: "unknown" }, info.title.charAt(0)));
    return place;
  }
  const board = makeBoard(sample.board, false);
  board.update({
    ...sample,
    table: sample.table ?? {},
    key: "",
    legal: new Set(),
    turn: sample.turn ?? null,
    colour: "b",
    play: null,
    candidates: null,
    line: null,
    wrong: null,
  });
  place.append(board.element);
  return place;
}

/** @param {Element} main @param {any[]} games @param {(table: any) => void} go @param {(error: any) => void} fail */
export function showHome(main, games, go, fail) {
  document.title = "Tesuji";
  async function quick(event, info, level) {
    const button = event.currentTarget;
    button.disabled = true;
    const seats = Array.from({ length: info.seats.least }, (_, index) => (index === 0 ? "person" : level));
    try {
      go(await start({ game: info.spec ?? info.name, seats }));
    } catch (error) {
      button.disabled = false;
      fail(error);
    }
  }
  const card = (info) =>
    h(
      "article",
      { class: "game-card", "aria-label": info.title },
      h(
        "a",
        { href: `#new/${info.name}`, class: "picture-link", "aria-label": `${info.title}: choose rules and opponents` },
        preview(info),
      ),
      h(
        "div",
        { class: "game-text" },
        h("h2", {}, info.title),
        h("p", {}, TAGLINES[info.name] ?? "A game of your own."),
        h(
          "div",
          { class: "levels", role: "group", "aria-label": `Play ${info.title} against` },
          info.levels.map((level) =>
            h(
              "button",
              { type: "button", title: level.help, onclick: (event) => quick(event, info, level.name) },
              capital(level.name),
            ),
          ),
        ),
        h(
          "p",
          { class: "more" },
          h(
            "a",
            { href: `#new/${info.name}`, "aria-label": `More choices for ${info.title}` },
            "Rules, sides, two people …",
          ),
        ),
      ),
    );
  put(
    main,
    h(
      "div",
      { class: "page home" },
      h(
        "div",
        { class: "hero" },
        h("h1", {}, "Sit down and play."),
        h("p", {}, "Pick an opponent to begin at once. Everything runs on this machine."),
      ),
      h("div", { class: "game-cards" }, games.map(card)),
    ),
  );
}
