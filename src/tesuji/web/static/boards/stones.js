/**
 * Boards of named cells with black and white stones, heat, labels and a line of moves. The caller provides the geometry and
 * the background; everything that changes during a game is drawn here.
 */
import { h, replaceChildren, s, setAttribute } from "../dom.js";
import { percent, short } from "../format.js";
import { cellName, placeOf, rovingTabindex } from "./grid.js";

const COLOURS = { b: "Black", w: "White" };
const SMALL = 27; // pixels: smaller cells need a second tap to confirm
const LABELS = 9; // candidates with numbers; the others are only coloured

/** Gradients of stones, once per picture. */
export function shading() {
  const stop = (offset, colour) => s("stop", { offset, "stop-color": colour });
  return [
    s(
      "radialGradient",
      { id: "stone-b", cx: 0.36, cy: 0.28, r: 0.82 },
      stop(0, "#7b8796"),
      stop(0.28, "#3d4857"),
      stop(0.62, "#1a222e"),
      stop(1, "#070a10"),
    ),
    s(
      "radialGradient",
      { id: "stone-w", cx: 0.36, cy: 0.28, r: 0.88 },
      stop(0, "#ffffff"),
      stop(0.55, "#f8f4ea"),
      stop(0.85, "#ded5c2"),
      stop(1, "#bdb29b"),
    ),
    shine(),
  ];
}

/** The gradient of a stone's highlight. */
export function shine() {
  return s(
    "radialGradient",
    { id: "shine", cx: 0.5, cy: 0.5, r: 0.5 },
    s("stop", { offset: 0, "stop-color": "#fff", "stop-opacity": 0.75 }),
    s("stop", { offset: 1, "stop-color": "#fff", "stop-opacity": 0 }),
  );
}

/** A glossy stone, with the gradient `stone-COLOUR`. @param {string} colour @param {number} x @param {number} y @param {number} r */
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

/**
 * @param {object} shape
 * @param {string} shape.name
 * @param {number} shape.size
 * @param {[number, number, number, number]} shape.frame              left, top, width, height
 * @param {any[]} shape.ground                                        the background
 * @param {(row: number, column: number) => [number, number]} shape.centre
 * @param {(x: number, y: number, scale: number) => any} shape.tile   the area of a cell, scaled
 * @param {number} shape.radius                                       of a stone
 * @param {(row: number, column: number, right: number, down: number) => [number, number]} shape.step
 * @param {boolean} [shape.upward]                                    row 1 is at the bottom
 */
export function stoneBoard(shape) {
  const { size, centre, radius } = shape;
  /** @type {Map<string, any>} */
  const cells = new Map();
  const layers = {
    above: s("g", { class: "above", "aria-hidden": "true" }),
    line: s("g", { class: "line", "aria-hidden": "true" }),
  };
  let view = null;
  let drawn = new Map();
  let aimed = null;
  let hovered = null;

  const rows = [];
  for (let place = 0; place < size; place += 1) {
    const row = shape.upward ? size - 1 - place : place;
    const group = s("g", { role: "row" });
    for (let column = 0; column < size; column += 1) {
      const [x, y] = centre(row, column);
      const name = cellName(row, column);
      const cell = s(
        "g",
        { role: "gridcell", tabindex: "-1", "data-cell": name, class: "cell" },
        shape.tile(x, y, 1),
        s("g", { class: "on" }),
      );
      cell.firstChild.classList.add("tile");
      cells.set(name, cell);
      group.append(cell);
    }
    rows.push(group);
  }
  const [left, top, width, height] = shape.frame;
  const grid = s("g", { role: "grid", "aria-label": `${shape.name} board, ${size} by ${size}`, class: "cells" }, rows);
  const picture = s(
    "svg",
    {
      viewBox: `${left} ${top} ${width} ${height}`,
      class: `board stones board-${shape.name.toLowerCase()}`,
      role: "group",
      "aria-label": shape.name,
    },
    s("defs", {}, shading(), shape.definitions ?? []),
    s("g", { "aria-hidden": "true" }, shape.ground),
    grid,
    layers.above,
    layers.line,
  );
  const element = h("div", { class: "board-frame" }, picture);
  element.style.setProperty("--ratio", String(width / height));

  function act(name) {
    if (!view?.play || !view.legal.has(name)) return;
    aimed = null;
    view.play(name);
  }
  function hover(name) {
    hovered = name;
    showLine(view?.candidates?.get(name)?.line ?? null);
    ghost();
  }
  const roving = rovingTabindex(element, cells, {
    step: (name, right, down) => {
      const next = shape.step(...placeOf(name), right, down);
      return next.every((at) => at >= 0 && at < size) ? cellName(...next) : null;
    },
    act,
    hover,
  });
  grid.addEventListener("click", (event) => {
    const name = event.target.closest("[data-cell]")?.dataset.cell;
    if (!name) return;
    const small = (picture.getBoundingClientRect().width / width) * radius * 2.1 < SMALL;
    if (event.pointerType === "touch" && small && aimed !== name && view?.legal.has(name) && view.play) {
      aimed = name;
      ghost();
      view.say?.(`${name}: tap again to play.`);
    } else act(name);
  });

  /** A translucent stone under the pointer, or at the first tap. */
  function ghost() {
    const name = aimed ?? hovered;
    const shown = name && view?.play && view.legal.has(name) && !(view.line ?? view.candidates?.get(name));
    if (!shown) return replaceChildren(layers.above);
    const [x, y] = centre(...placeOf(name));
    const parts = [s("g", { class: "ghost" }, stone(view.colour, x, y, radius))];
    if (aimed) parts.push(s("circle", { cx: x, cy: y, r: radius * 1.5, class: "aim" }));
    return replaceChildren(layers.above, parts);
  }

  /** A line of moves, as numbered stones. @param {string[]|null} line */
  function showLine(line) {
    const colours = view?.colour === "w" ? "wb" : "bw";
    const parts = (line ?? []).flatMap((move, index) => {
      const place = placeOf(move);
      if (!place || !cells.has(move)) return [];
      const [x, y] = centre(...place);
      const colour = colours[index % 2];
      return [
        s(
          "g",
          { class: "coming" },
          stone(colour, x, y, radius),
          s("text", { x, y, dy: "0.36em", "font-size": radius, class: `number number-${colour}` }, String(index + 1)),
        ),
      ];
    });
    replaceChildren(layers.line, parts);
  }

  /** Draw one cell if its state has changed. */
  function draw(name, state) {
    const mark = JSON.stringify(state);
    if (drawn.get(name) === mark) return;
    const before = drawn.get(name);
    drawn.set(name, mark);
    const cell = cells.get(name);
    const [x, y] = centre(...placeOf(name));
    const parts = [];
    if (state.heat)
      parts.push(
        withAttributes(shape.tile(x, y, 0.94), { class: state.best ? "heat best" : "heat", "fill-opacity": state.heat }),
      );
    if (state.stone) {
      const body = stone(state.stone, x, y, radius);
      if (before && !JSON.parse(before).stone) body.classList.add("dropped");
      parts.push(body);
    }
    if (state.won) parts.push(s("circle", { cx: x, cy: y, r: radius * 0.52, class: "won" }));
    else if (state.last) parts.push(s("circle", { cx: x, cy: y, r: radius * 0.38, class: "last" }));
    if (state.forbidden) parts.push(s("path", { d: `M${x - 6} ${y - 6}l12 12m0 -12l-12 12`, class: "forbidden" }));
    if (state.wrong) parts.push(s("circle", { cx: x, cy: y, r: radius * 1.12, class: "wrong" }));
    if (state.better)
      parts.push(
        s("circle", { cx: x, cy: y, r: radius * 0.72, class: "better-mark" }),
        s("text", { x, y, dy: "0.36em", class: "label", "font-size": radius * 0.8 }, "!"),
      );
    if (state.label) {
      const strong = state.heat > 0.5 ? "label strong" : "label";
      parts.push(s("text", { x, y: y - radius * 0.12, class: strong, "font-size": radius * 0.74 }, state.label));
      parts.push(
        s("text", { x, y: y + radius * 0.56, class: `${strong} visits`, "font-size": radius * 0.5 }, state.visits),
      );
    } else if (state.legal && !state.stone) parts.push(s("circle", { cx: x, cy: y, r: radius * 0.13, class: "legal" }));
    parts.push(withAttributes(shape.tile(x, y, 0.86), { class: "ring" }));
    replaceChildren(cell.lastChild, parts);
    setAttribute(cell, "aria-label", cellLabel(name, state));
    setAttribute(cell, "data-stone", state.stone);
    setAttribute(cell, "aria-disabled", !state.legal);
    cell.classList.toggle("can", Boolean(state.legal));
  }

  /** @param {any} next  see boards/index.js */
  function update(next) {
    view = next;
    const { board } = view;
    const ranked = [...(view.candidates?.values() ?? [])];
    const most = Math.max(1, ...ranked.map((one) => one.visits));
    const numbered = new Set(ranked.slice(0, LABELS).map((one) => one.move));
    for (const [name] of cells) {
      const [row, column] = placeOf(name);
      const found = board.cells[row][column];
      const candidate = view.candidates?.get(name);
      draw(name, {
        stone: found === "." ? null : found,
        legal: view.legal.has(name),
        last: board.last === name,
        won: (board.winning_line ?? []).includes(name),
        forbidden: (board.forbidden ?? []).includes(name),
        wrong: view.wrong === name,
        better: view.better === name,
        heat: candidate ? Math.max(0.08, (0.82 * candidate.visits) / most).toFixed(2) : 0,
        best: candidate === ranked[0] && Boolean(candidate),
        label: candidate && numbered.has(name) ? percent(candidate.value) : null,
        visits: candidate ? short(candidate.visits) : null,
      });
    }
    if (board.last && document.activeElement?.closest?.("[role=grid]") !== grid) roving.here(board.last);
    aimed = null;
    element.classList.toggle("waits", !view.play);
    if (view.line) showLine(view.line);
    else if (hovered === null) showLine(null);
    else showLine(view.candidates?.get(hovered)?.line ?? null);
    ghost();
  }
  return { element, update, focus: roving.focus };
}

/** Set attributes and return the element. */
function withAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

/** The label of a cell: `c3, empty, legal`. */
function cellLabel(name, state) {
  const parts = [name, state.stone ? COLOURS[state.stone] : "empty"];
  if (state.last) parts.push("last move");
  if (state.won) parts.push("winning line");
  if (state.forbidden) parts.push("forbidden");
  else if (state.legal) parts.push("legal");
  if (state.wrong) parts.push("mistake");
  if (state.better) parts.push("better move");
  if (state.label) parts.push(`${state.label}, ${state.visits} visits`);
  return parts.join(", ");
}
