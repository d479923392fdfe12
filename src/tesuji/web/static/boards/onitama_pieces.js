/** The pieces and temples of Onitama. Blue's are round, Red's are square, masters wear a crown. */
import { s } from "../ui/dom.js";
import { gradient } from "./pieces.js";

export const OWNERS = ["blue", "red"];
const HEAD = "M0 -0.44a0.22 0.22 0 1 1 -0.001 0zM-0.4 0.46C-0.4 -0.02 0.4 -0.02 0.4 0.46z";
const CROWN = "M-0.5 0.4L-0.6 -0.3L-0.26 0.02L0 -0.52L0.26 0.02L0.6 -0.3L0.5 0.4z";
const GATE = "M-31 -24Q0 -15 31 -24L29 -15Q0 -7 -29 -15zM-23 -5H23V1H-23zM-20 -11H-13V30H-20zM13 -11H20V30H13z";

/** Gradients, once per picture. */
export const definitions = () => [
  gradient("radial", "oni-blue", { cx: 0.36, cy: 0.28, r: 0.85 }, ["#6ea2de", "#22599b", "#10305a"]),
  gradient("linear", "oni-red", { x1: 0, y1: 0, x2: 0.7, y2: 1 }, ["#ee8570", "#c1432e", "#82230f"]),
  gradient("linear", "oni-frame", { x1: 0, y1: 0, x2: 1, y2: 1 }, ["#7d5a37", "#684729", "#55381d"]),
];

/** @param {{colour: string, master: boolean}} piece @param {[number, number]} at */
export function drawPiece({ colour, master }, [x, y]) {
  const r = master ? 30 : 23;
  const token = (attributes) =>
    colour === "blue"
      ? s("circle", { r, ...attributes })
      : s("rect", { x: -r * 0.93, y: -r * 0.93, width: r * 1.86, height: r * 1.86, rx: r * 0.24, ...attributes });
  return s(
    "g",
    { transform: `translate(${x} ${y})`, class: `piece piece-${colour}` },
    s("g", { transform: "translate(1.5 3)", class: "shadow" }, token({})),
    token({ fill: `url(#oni-${colour})`, stroke: "#fff4da", "stroke-width": 1.8 }),
    s("path", { d: master ? CROWN : HEAD, transform: `scale(${r * 0.9})`, fill: master ? "#ffd873" : "#f9f2e0" }),
  );
}

/** A temple's gate. @param {number} owner @param {number} x @param {number} y @param {boolean} turned */
export function gate(owner, x, y, turned) {
  return s(
    "g",
    { class: `temple temple-${OWNERS[owner]}`, transform: `translate(${x} ${y})${turned ? " rotate(180)" : ""}` },
    s("rect", { x: -36, y: -36, width: 72, height: 72, rx: 3, class: "temple-ground" }),
    s("path", { d: GATE }),
  );
}
