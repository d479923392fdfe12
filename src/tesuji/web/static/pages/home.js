/** The home page: all games, each with a preview and buttons to play against a level. */
import { boardIn, stillView } from "../boards/index.js";
import { start } from "../session/api.js";
import { button, h, replaceChildren } from "../ui/dom.js";
import { capital } from "../ui/format.js";
import { attempt } from "../ui/notices.js";

/** A position of the game, or its initial. @param {import("../types.js").GameView} info */
export function preview(info) {
  const place = h("div", { class: `preview preview-${info.board_kind}`, inert: true, "aria-hidden": "true" });
  if (!info.preview) {
    place.append(h("div", { class: "unknown" }, info.title.charAt(0)));
    return place;
  }
  const { board, turn, seat_names: names } = info.preview;
  boardIn(place)(stillView(board, names, turn));
  return place;
}

/** @param {Element} main @param {import("../types.js").GameView[]} games @param {(table: any) => void} go */
export function showHome(main, games, go) {
  document.title = "Tesuji";
  async function quick(event, info, level) {
    const pressed = event.currentTarget;
    pressed.disabled = true;
    const seats = Array.from({ length: info.seats.minimum }, (_, index) => (index === 0 ? "person" : level));
    await attempt(async () => go(await start({ game: info.spec, seats })));
    pressed.disabled = false;
  }
  const levels = (info) =>
    info.levels.map(({ name, help }) => button(capital(name), (event) => quick(event, info, name), { title: help }));
  const link = (info, label, kind, content) => h("a", { href: `#new/${info.name}`, class: kind, "aria-label": label }, content);
  const card = (info) =>
    h(
      "article",
      { class: "game-card", "aria-label": info.title },
      link(info, `${info.title}: choose rules and players`, "picture-link", preview(info)),
      h(
        "div",
        { class: "game-text" },
        h("h2", {}, info.title),
        h("p", {}, info.goal || "A game of your own."),
        h("div", { class: "levels", role: "group", "aria-label": `Play ${info.title} against` }, levels(info)),
        h("p", { class: "more" }, link(info, `More options for ${info.title}`, null, "Rules, sides, two players …")),
      ),
    );
  const hero = h(
    "div",
    { class: "hero" },
    h("h1", {}, "Choose a game"),
    h("p", {}, "Choose a level to start playing. Everything runs on this machine."),
  );
  replaceChildren(main, h("div", { class: "page home" }, hero, h("div", { class: "game-cards" }, games.map(card))));
}
