/** The home page: all games, each with a preview and buttons to play against a level. */
import { h, replaceChildren } from "./dom.js";
import { makeBoard } from "./boards/index.js";
import { start } from "./setup.js";
import { capital } from "./format.js";

/** A position of the game, or its initial. @param {any} info */
export function preview(info) {
  const place = h("div", { class: `preview preview-${info.board_kind}`, inert: true, "aria-hidden": "true" });
  if (!info.preview) {
    place.append(h("div", { class: "unknown" }, info.title.charAt(0)));
    return place;
  }
  const { board: position, turn, seat_names: names } = info.preview;
  const board = makeBoard(position, false);
  board.update({
    board: position,
    table: { seats: names.map((/** @type {string} */ name) => ({ name, kind: "person" })) },
    key: "",
    legal: new Set(),
    turn,
    colour: "b",
    play: null,
    candidates: null,
    line: null,
    wrong: null,
    better: null,
    betterClicks: null,
    say: () => {},
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
    const seats = Array.from({ length: info.seats.minimum }, (_, index) => (index === 0 ? "person" : level));
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
        { href: `#new/${info.name}`, class: "picture-link", "aria-label": `${info.title}: choose rules and players` },
        preview(info),
      ),
      h(
        "div",
        { class: "game-text" },
        h("h2", {}, info.title),
        h("p", {}, info.goal || "A game of your own."),
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
            { href: `#new/${info.name}`, "aria-label": `More options for ${info.title}` },
            "Rules, sides, two players …",
          ),
        ),
      ),
    );
  replaceChildren(
    main,
    h(
      "div",
      { class: "page home" },
      h(
        "div",
        { class: "hero" },
        h("h1", {}, "Choose a game"),
        h("p", {}, "Choose a level to start playing. Everything runs on this machine."),
      ),
      h("div", { class: "game-cards" }, games.map(card)),
    ),
  );
}
