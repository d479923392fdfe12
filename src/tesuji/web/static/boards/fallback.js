/** Any other game: its picture or text, and a button for every legal move. */
import { h, replaceChildren } from "../dom.js";
import { percent } from "../format.js";

const SHAPES = new Set([
  "svg",
  "g",
  "defs",
  "title",
  "desc",
  "rect",
  "circle",
  "ellipse",
  "line",
  "polyline",
  "polygon",
  "path",
  "text",
  "tspan",
  "lineargradient",
  "radialgradient",
  "stop",
  "pattern",
  "clippath",
  "marker",
]);
const MAX_BUTTONS = 120;

/** A game's SVG, reduced to shapes: no scripts, event handlers, styles or links. @param {string} text */
export function cleanPicture(text) {
  const source = new DOMParser().parseFromString(
    text.replace(/\sstyle=("[^"]*"|'[^']*')/g, ""),
    "image/svg+xml",
  ).documentElement;
  if (source.nodeName !== "svg") return null;
  for (const element of [source, ...source.querySelectorAll("*")]) {
    if (!SHAPES.has(element.nodeName.toLowerCase())) element.remove();
    for (const { name, value } of [...element.attributes]) {
      if (name.startsWith("on") || name === "style" || name.includes("href") || /url\((?!#)/.test(value))
        element.removeAttribute(name);
    }
  }
  const picture = document.importNode(source, true);
  picture.setAttribute("class", "board board-picture");
  return picture;
}

export function fallbackBoard() {
  const place = h("div", { class: "picture" });
  const list = h("div", { class: "moves-to-choose", role: "group", "aria-label": "Legal moves" });
  const element = h("div", { class: "board-frame any" }, place, list);
  let shown = null;
  return {
    element,
    focus: () => list.querySelector("button")?.focus(),
    update(view) {
      const { board } = view;
      const source = board.svg ?? board.text ?? "";
      if (source !== shown) {
        shown = source;
        const picture = board.svg ? cleanPicture(board.svg) : null;
        replaceChildren(place, picture ?? h("pre", { class: "text-board", tabindex: "0" }, board.text ?? source));
      }
      const legal = [...view.legal];
      const ranked = view.candidates ?? new Map();
      replaceChildren(
        list,
        legal.slice(0, MAX_BUTTONS).map((text) => {
          const found = ranked.get(text);
          return h(
            "button",
            {
              type: "button",
              class: found ? "choice advised" : "choice",
              disabled: !view.play,
              onclick: () => view.play(text),
            },
            text,
            found && h("small", {}, percent(found.value)),
          );
        }),
        legal.length > MAX_BUTTONS && h("span", { class: "muted" }, `and ${legal.length - MAX_BUTTONS} more; type the move in the Moves tab`),
      );
    },
  };
}
