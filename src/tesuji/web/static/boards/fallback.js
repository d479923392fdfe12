/** Any other game: its picture or text, and a button for every legal move that is not an element with `data-move` in the picture. */
import { button, h, joined, replaceChildren, setAttribute } from "../ui/dom.js";
import { percent } from "../ui/format.js";
import { neighbour, rovingTabindex } from "./grid.js";

const SHAPES = new Set(
  `svg g defs title desc rect circle ellipse line polyline polygon path text tspan lineargradient radialgradient stop
  pattern clippath marker`.split(/\s+/),
);
const FORBIDDEN = /^(on.*|style|tabindex|data-(?!move$).*|.*href.*)$/i; // attributes
const MAX_BUTTONS = 120;

/** A game's SVG, reduced to shapes: no scripts, event handlers, styles or links. @param {string} text */
export function cleanPicture(text) {
  // Browsers report what the page's security policy blocks when they parse it, so most of it goes before.
  const source = new DOMParser().parseFromString(
    text.replace(/\s(style|on\w+)=("[^"]*"|'[^']*')/g, ""),
    "image/svg+xml",
  ).documentElement;
  if (source.nodeName !== "svg") return null;
  for (const element of [source, ...source.querySelectorAll("*")]) {
    if (!SHAPES.has(element.nodeName.toLowerCase())) element.remove();
    for (const { name, value } of [...element.attributes])
      if (FORBIDDEN.test(name) || /url\((?!#)/.test(value)) element.removeAttribute(name);
  }
  const picture = document.importNode(source, true);
  picture.setAttribute("class", "board board-picture");
  return picture;
}

/**
 * The elements of a picture with `data-move`, by move; the first of each can be focused.
 * @param {Element|null} picture @returns {Map<string, any>}
 */
function movesIn(picture) {
  const found = new Map();
  for (const element of picture?.querySelectorAll("[data-move]") ?? []) {
    const text = element.getAttribute("data-move");
    if (!found.has(text)) found.set(text, element);
    element.setAttribute("data-cell", text);
    element.removeAttribute("role");
  }
  return found;
}

export function fallbackBoard() {
  const place = h("div", { class: "picture" });
  const list = h("div", { class: "moves-to-choose", role: "group", "aria-label": "Legal moves" });
  const element = h("div", { class: "board-frame any" }, place, list);
  let shown = null;
  let view = null;
  let areas = new Map(); // clickable parts of the picture, by move
  let roving = null;

  const play = (text) => view.play && view.legal.has(text) && view.play(text);
  place.addEventListener("click", (event) => {
    const text = event.target.closest?.("[data-move]")?.getAttribute("data-move");
    if (text !== null && text !== undefined) play(text);
  });

  function showPicture(board) {
    const picture = board.svg ? cleanPicture(board.svg) : null;
    replaceChildren(place, picture ?? h("pre", { class: "text-board", tabindex: "0" }, board.text ?? board.svg ?? ""));
    areas = movesIn(picture);
    if (!areas.size) return;
    picture.setAttribute("role", "group"); // an image would hide its parts from screen readers
    const inner = h("div", { class: "picture" }, picture);
    replaceChildren(place, inner);
    roving = rovingTabindex(inner, areas, { step: (name, right, down) => neighbour(centres(areas), name, right, down), act: play });
  }

  /** Mark the parts of the picture that are legal moves. */
  function markAreas() {
    for (const part of place.querySelectorAll("[data-move]")) {
      const text = part.getAttribute("data-move");
      const found = view.candidates?.get(text);
      const can = view.legal.has(text);
      part.classList.toggle("can", can && Boolean(view.play));
      part.classList.toggle("advised", Boolean(found));
      if (areas.get(text) !== part) continue;
      part.setAttribute("role", "button");
      setAttribute(part, "aria-disabled", can ? null : "true");
      part.setAttribute("aria-label", joined([text, can && "legal", found && `${percent(found.value)}, ${found.visits} visits`]));
    }
  }

  return {
    element,
    update(next) {
      view = next;
      const { board } = view;
      const source = board.svg ?? board.text ?? "";
      if (source !== shown) {
        const focused = place.contains(document.activeElement) ? document.activeElement.getAttribute("data-move") : null;
        shown = source;
        showPicture(board);
        if (focused !== null && areas.has(focused)) {
          roving.here(focused);
          roving.focus();
        }
      }
      markAreas();
      const legal = [...view.legal].filter((text) => !areas.has(text));
      const ranked = view.candidates ?? new Map();
      replaceChildren(
        list,
        legal.slice(0, MAX_BUTTONS).map((text) => {
          const found = ranked.get(text);
          const content = [text, found && h("small", {}, percent(found.value))];
          return button(content, () => view.play(text), { class: found ? "choice advised" : "choice", disabled: !view.play });
        }),
        legal.length > MAX_BUTTONS && h("span", { class: "muted" }, `and ${legal.length - MAX_BUTTONS} more; type the move in the Moves tab`),
      );
    },
  };
}

/** The centres of elements on the screen. @param {Map<string, Element>} elements */
function centres(elements) {
  return new Map(
    [...elements].map(([name, element]) => {
      const { x, y, width, height } = element.getBoundingClientRect();
      return [name, [x + width / 2, y + height / 2]];
    }),
  );
}
