/** The cells, pieces and frame of a described board (`board.js`). Coordinates are in units of `UNIT` per cell. */
import { s } from "../dom.js";
import { shine, stone } from "./stones.js";

export const UNIT = 72;
const HIGH = UNIT / Math.sqrt(3); // from a hexagon's centre to its upper corner
const CARD = [0.64 * UNIT, 0.9 * UNIT];
const CORNERS = {
  square: [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ].map((corner) => corner.map((at) => at * UNIT)),
  hexagon: [
    [0, -HIGH],
    [UNIT / 2, -HIGH / 2],
    [UNIT / 2, HIGH / 2],
    [0, HIGH],
    [-UNIT / 2, HIGH / 2],
    [-UNIT / 2, -HIGH / 2],
  ],
};
/** From the highlight to the edge; dark text is readable on the light ones. */
const GRADIENTS = {
  black: ["#7b8796", "#3d4857", "#1a222e", "#070a10"],
  white: ["#ffffff", "#f8f4ea", "#ded5c2", "#bdb29b"],
  red: ["#f0917d", "#cf533c", "#b23620", "#7d2110"],
  blue: ["#7fb0e6", "#356fb5", "#22599b", "#10305a"],
  green: ["#8fd0a0", "#3f9463", "#27744a", "#134529"],
  yellow: ["#fff3c4", "#f2cf62", "#e0b035", "#a67c14"],
  orange: ["#ffd2a8", "#f09a4a", "#dd7f2a", "#9c5210"],
  purple: ["#cfa6e6", "#8f57a8", "#743b8a", "#431f52"],
  grey: ["#e6eaef", "#b3bcc6", "#97a1ad", "#68727e"],
};
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

/** Gradients of the pieces, once per picture. */
export function definitions() {
  return [
    shine(),
    Object.entries(GRADIENTS).map(([colour, stops]) =>
      s(
        "radialGradient",
        { id: `stone-${colour}`, cx: 0.36, cy: 0.28, r: 0.86 },
        stops.map((stop, index) => s("stop", { offset: [0, 0.34, 0.68, 1][index], "stop-color": stop })),
      ),
    ),
  ];
}

const text = (points) => points.map((point) => point.map((at) => at.toFixed(1)).join(",")).join(" ");

/** The area of a cell. @param {string} shape @param {[number, number]} at @param {number} scale @param {object} attributes */
export function tile(shape, [x, y], scale, attributes) {
  if (shape === "circle") return s("circle", { cx: x, cy: y, r: 0.47 * UNIT * scale, ...attributes });
  if (shape === "hexagon") {
    const corners = CORNERS.hexagon.map(([dx, dy]) => [x + dx * scale, y + dy * scale]);
    return s("polygon", { points: text(corners), ...attributes });
  }
  const [width, height] = (shape === "card" ? CARD : [UNIT, UNIT]).map((side) => side * scale);
  const rx = shape === "card" ? 6 : scale < 1 ? 7 : 0;
  return s("rect", { x: x - width / 2, y: y - height / 2, width, height, rx, ...attributes });
}

/** A piece. @param {any} piece @param {[number, number]} at @param {number} r  its radius */
export function drawPiece(piece, [x, y], r) {
  const { colour = "black", shape = "disc" } = piece;
  const printed = piece.text ? String(piece.text) : "";
  if (shape === "disc" || shape === "king") {
    const ink = `${isLight(colour) ? "dark" : "light"}`;
    const crown = { d: CROWN, transform: `translate(${x} ${y}) scale(${r * 0.82})`, class: `crown on-${ink}` };
    return s("g", { class: "piece" }, stone(colour, x, y, r), shape === "king" && s("path", crown), words(printed, x, y, r, ink));
  }
  if (shape === "card" || shape === "back") return card(shape, colour, printed, x, y, r);
  if (shape === "text") return s("g", { class: "piece" }, words(printed, x, y, 1.3 * r, `ink ink-${colour}`));
  const path = (attributes) => s("path", { d: TOKENS[shape], "fill-rule": "evenodd", "stroke-width": 1.6 / r, ...attributes });
  return s(
    "g",
    { class: `piece token token-${isLight(colour) ? "light" : "dark"}` },
    s("g", { transform: `translate(${x + r * 0.06} ${y + r * 0.1}) scale(${r})` }, path({ class: "shadow" })),
    s("g", { transform: `translate(${x} ${y}) scale(${r})` }, path({ fill: `url(#stone-${colour})`, class: "body" })),
    words(printed, x, shape === "pawn" ? y + r * 0.62 : y, shape === "pawn" ? 0.7 * r : r, isLight(colour) ? "dark" : "light"),
  );
}

/** Text on a piece, scaled to fit. */
function words(printed, x, y, r, ink) {
  const size = r * Math.min(0.95, 2.3 / Math.max(1, printed.length));
  return printed && s("text", { x, y, dy: "0.36em", "font-size": size.toFixed(1), class: `on-piece on-${ink}` }, printed);
}

function card(shape, colour, printed, x, y, r) {
  const [width, height] = CARD.map((side) => (side * r) / (0.4 * UNIT));
  const box = { x: x - width / 2, y: y - height / 2, width, height, rx: 6 };
  return s(
    "g",
    { class: `piece face face-${shape}` },
    s("rect", { ...box, x: box.x + 1.5, y: box.y + 3, class: "shadow" }),
    s("rect", { ...box, class: "body" }),
    shape === "back"
      ? tile("card", [x, y], 0.8 * (width / CARD[0]), { class: "pattern" })
      : words(printed, x, y, 0.8 * r, `ink ink-${colour}`),
  );
}

/** The frame around all cells: their convex hull with a wide round border. @param {any[]} cells @param {Function} at */
export function hull(cells, at) {
  const points = cells
    .flatMap((cell) => {
      const [x, y] = at(cell);
      return (CORNERS[cell.shape] ?? CORNERS.square).map(([dx, dy]) => [x + dx, y + dy]);
    })
    .sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const turn = ([ax, ay], [bx, by], [cx, cy]) => (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  const half = (sorted) => {
    const found = [];
    for (const point of sorted) {
      while (found.length > 1 && turn(found.at(-2), found.at(-1), point) <= 0.01) found.pop();
      found.push(point);
    }
    return found.slice(0, -1);
  };
  return [...half(points), ...half(points.toReversed())]; // Andrew's monotone chain
}

/** The frame, lines and labels below the cells. @param {any} board @param {(place: any) => [number, number]} at @param {number} border */
export function ground(board, at, border) {
  const outline = { points: text(hull(board.cells, at)), "stroke-width": 2 * border, "stroke-linejoin": "round" };
  const places = new Map(board.cells.map((cell) => [cell.name, at(cell)]));
  return [
    s("polygon", { ...outline, class: "frame-side", transform: "translate(0 6)" }),
    s("polygon", { ...outline, class: "frame" }),
    (board.lines ?? []).map((line) => s("polyline", { points: text(line.map((name) => places.get(name))), class: "lines" })),
    (board.labels ?? []).map((label) => {
      const [x, y] = at(label);
      return s("text", { x, y, dy: "0.36em", class: "coordinate on-surface", "font-size": 17 }, label.text);
    }),
  ];
}
