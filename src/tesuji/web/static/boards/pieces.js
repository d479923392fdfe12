/** Pieces of any board: stones, tokens, cards and texts, in nine colours. */
import { s } from "../ui/dom.js";

const CARD = [0.64, 0.9]; // width and height, in units of a cell whose pieces have radius 0.4
/** From the highlight to the edge. */
const GRADIENTS = {
  black: ["#7b8796", "#3d4857", "#1a222e", "#070a10"],
  white: ["#ffffff", "#fbf8f1", "#ece5d7", "#bdb29b"],
  red: ["#f0917d", "#cf533c", "#b23620", "#7d2110"],
  blue: ["#7fb0e6", "#356fb5", "#22599b", "#10305a"],
  green: ["#8fd0a0", "#3f9463", "#27744a", "#134529"],
  yellow: ["#fff3c4", "#f2cf62", "#e0b035", "#a67c14"],
  orange: ["#ffd2a8", "#f09a4a", "#dd7f2a", "#9c5210"],
  purple: ["#cfa6e6", "#8f57a8", "#743b8a", "#431f52"],
  grey: ["#e6eaef", "#b3bcc6", "#97a1ad", "#68727e"],
};
/** Whether dark text is readable on it. @param {string} colour */
export const isLight = (colour) => ["white", "yellow", "orange", "grey"].includes(colour);
const TOKENS = {
  square: "M-0.82 -0.62q0 -0.2 0.2 -0.2h1.24q0.2 0 0.2 0.2v1.24q0 0.2 -0.2 0.2h-1.24q-0.2 0 -0.2 -0.2z",
  triangle: "M-0.12 -0.92q0.12 -0.2 0.24 0l0.86 1.48q0.12 0.22 -0.12 0.24h-1.72q-0.24 -0.02 -0.12 -0.24z",
  diamond: "M-0.12 -0.96q0.12 -0.12 0.24 0l0.84 0.84q0.12 0.12 0 0.24l-0.84 0.84q-0.12 0.12 -0.24 0l-0.84 -0.84q-0.12 -0.12 0 -0.24z",
  pawn: "M-0.72 0.96q-0.1 -0.36 0.26 -0.5q0.3 -0.3 0.28 -0.64h-0.2q-0.12 -0.02 -0.1 -0.16q0.02 -0.12 0.16 -0.12a0.42 0.42 0 1 1 0.64 0q0.14 0 0.16 0.12q0.02 0.14 -0.1 0.16h-0.2q-0.02 0.34 0.28 0.64q0.36 0.14 0.26 0.5z",
  cross: "M-0.72 -0.44l0.28 -0.28l0.44 0.44l0.44 -0.44l0.28 0.28l-0.44 0.44l0.44 0.44l-0.28 0.28l-0.44 -0.44l-0.44 0.44l-0.28 -0.28l0.44 -0.44z",
  ring: "M0 -0.92a0.92 0.92 0 1 1 -0.001 0zM0 -0.5a0.5 0.5 0 1 0 0.001 0z",
};
const CROWN = "M-0.5 0.36L-0.6 -0.3L-0.26 0.02L0 -0.5L0.26 0.02L0.6 -0.3L0.5 0.36z";

/** Corners or the places of a line, for SVG. @param {number[][]} places */
export const points = (places) => places.map((place) => place.map((at) => at.toFixed(2)).join(",")).join(" ");

/** A gradient with evenly spaced colours. @param {"linear"|"radial"} kind @param {string} id @param {object} box @param {string[]} colours */
export const gradient = (kind, id, box, colours) =>
  s(
    `${kind}Gradient`,
    { id, ...box },
    colours.map((colour, index) => s("stop", { offset: (index / (colours.length - 1)).toFixed(2), "stop-color": colour })),
  );

/** The gradients, once per picture. */
export const definitions = () => [
  gradient("radial", "shine", { cx: 0.5, cy: 0.5, r: 0.5 }, ["rgb(255 255 255 / 75%)", "rgb(255 255 255 / 0%)"]),
  Object.entries(GRADIENTS).map(([colour, stops]) =>
    gradient("radial", `stone-${colour}`, { cx: 0.36, cy: 0.28, r: 0.86 }, stops),
  ),
];

/** A glossy stone. @param {string} colour @param {number} x @param {number} y @param {number} r */
export function stone(colour, x, y, r) {
  return s(
    "g",
    { class: `stone stone-${colour}` },
    s("ellipse", { cx: x + r * 0.07, cy: y + r * 0.13, rx: r, ry: r * 0.99, class: "shadow" }),
    s("circle", { cx: x, cy: y, r, fill: `url(#stone-${colour})`, class: "body" }),
    s("ellipse", {
      cx: x - r * 0.3,
      cy: y - r * 0.42,
      rx: r * 0.36,
      ry: r * 0.22,
      fill: "url(#shine)",
      transform: `rotate(-28 ${x - r * 0.3} ${y - r * 0.42})`,
    }),
  );
}

/** A piece. @param {any} piece @param {[number, number]} at @param {number} r  its radius */
export function drawPiece(piece, [x, y], r) {
  const { colour = "black", shape = "disc" } = piece;
  const printed = piece.text ? String(piece.text) : "";
  const ink = isLight(colour) ? "dark" : "light";
  if (shape === "disc" || shape === "king") {
    const crown = { d: CROWN, transform: `translate(${x} ${y}) scale(${r * 0.82})`, class: `crown on-${ink}` };
    return s("g", { class: "piece" }, stone(colour, x, y, r), shape === "king" && s("path", crown), words(printed, x, y, r, ink));
  }
  if (shape === "card" || shape === "back") return card(shape, colour, printed, x, y, r);
  if (shape === "text") return s("g", { class: "piece" }, words(printed, x, y, 1.3 * r, `ink ink-${colour}`));
  const path = (attributes) => s("path", { d: TOKENS[shape], "fill-rule": "evenodd", "stroke-width": 1.6 / r, ...attributes });
  return s(
    "g",
    { class: `piece token token-${ink === "dark" ? "light" : "dark"}` },
    s("g", { transform: `translate(${x + r * 0.06} ${y + r * 0.1}) scale(${r})` }, path({ class: "shadow" })),
    s("g", { transform: `translate(${x} ${y}) scale(${r})` }, path({ fill: `url(#stone-${colour})`, class: "body" })),
    words(printed, x, shape === "pawn" ? y + r * 0.62 : y, shape === "pawn" ? 0.7 * r : r, ink),
  );
}

/** Text on a piece, scaled to fit. */
function words(printed, x, y, r, ink) {
  const size = r * Math.min(0.95, 2.3 / Math.max(1, printed.length));
  return printed && s("text", { x, y, dy: "0.36em", "font-size": size.toFixed(1), class: `on-piece on-${ink}` }, printed);
}

function card(shape, colour, printed, x, y, r) {
  const [width, height] = CARD.map((side) => (side * r) / 0.4);
  const box = { x: x - width / 2, y: y - height / 2, width, height, rx: 6 };
  return s(
    "g",
    { class: `piece face face-${shape}` },
    s("rect", { ...box, x: box.x + 1.5, y: box.y + 3, class: "shadow" }),
    s("rect", { ...box, class: "body" }),
    shape === "back"
      ? s("rect", { x: x - 0.4 * width, y: y - 0.4 * height, width: 0.8 * width, height: 0.8 * height, rx: 4, class: "pattern" })
      : words(printed, x, y, 0.8 * r, `ink ink-${colour}`),
  );
}
