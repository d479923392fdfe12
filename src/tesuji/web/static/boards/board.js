/**
 * A board as the game describes it (`tesuji.board.Board`): cells anywhere, pieces, marks, hands. `clicks` has for each legal move
 * the names that are clicked to play it.
 */
import { h, replaceChildren, s, setAttribute } from "../dom.js";
import { percent, short } from "../format.js";
import { Clicks } from "./board_clicks.js";
import { drawHand } from "./board_hands.js";
import { drawAdvice, drawLine } from "./board_advice.js";
import { definitions, drawPiece, ground, hull, tile, UNIT } from "./board_shapes.js";
import { rovingTabindex } from "./grid.js";
import { neighbour } from "./neighbours.js";

const R = 0.39 * UNIT; // of a piece
const BORDER = 0.52 * UNIT; // with labels
const LARGEST = 1.4; // scale: boards with few cells do not fill the screen
const SMALL = 27; // pixels: smaller cells need a second tap to confirm
const LABELS = 9; // candidates with numbers; the others are only coloured
const MARKS = { win: "winning line", dot: "marked", cross: "crossed out", ring: "marked" };

/** @param {any} first  a position @param {boolean} flipped  turned by 180 degrees */
function describedBoard(first, flipped) {
  const sign = flipped ? -1 : 1;
  const at = ({ x, y }) => [sign * x * UNIT, sign * y * UNIT];
  const shapes = new Map(first.cells.map((cell) => [cell.name, cell]));
  const places = new Map(first.cells.map((cell) => [cell.name, at(cell)]));
  const cells = new Map();
  const drawn = new Map();
  const clicks = new Clicks();
  let view = null;
  let hovered = null;
  let aimed = null;
  /** Complete moves to choose from, if the clicks are ambiguous. @type {{text: string}[]} */
  let choices = [];

  const rows = new Map(); // by their height on the screen
  const order = first.cells.toSorted((one, other) => at(one)[1] - at(other)[1] || at(one)[0] - at(other)[0]);
  for (const { name, shape = "square", shade = 0, colour, text } of order) {
    const place = places.get(name);
    const cell = s(
      "g",
      { role: "gridcell", tabindex: "-1", "data-cell": name, class: "cell" },
      tile(shape, place, 1, { class: `tile tile-${shape} shade-${shade}` }),
      colour && tile(shape, place, 0.9, { class: `tint tint-${colour}` }),
      text && printed(text, place),
      s("g", { class: "on" }),
    );
    cells.set(name, cell);
    const key = place[1].toFixed(0);
    if (!rows.has(key)) rows.set(key, s("g", { role: "row" }));
    rows.get(key).append(cell);
  }
  const border = first.labels ? BORDER : BORDER / 2;
  const outline = hull(first.cells, at);
  const [xs, ys] = [outline.map(([x]) => x), outline.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - border - 2, Math.min(...ys) - border - 2];
  const [width, height] = [Math.max(...xs) + border + 2 - left, Math.max(...ys) + border + 10 - top];
  const grid = s("g", { role: "grid", "aria-label": `Board with ${cells.size} cells`, class: "cells" }, [...rows.values()]);
  const above = s("g", { class: "above", "aria-hidden": "true" });
  const line = s("g", { class: "line", "aria-hidden": "true" });
  const picture = s(
    "svg",
    { viewBox: `${left} ${top} ${width} ${height}`, class: `board described surface-${first.surface}`, role: "group", "aria-label": "Board" },
    s("defs", {}, definitions()),
    s("g", { "aria-hidden": "true" }, ground(first, at, border)),
    grid,
    above,
    line,
  );
  const hands = { far: h("div", { class: "side-hands far" }), near: h("div", { class: "side-hands near" }) };
  const chooser = h("div", { class: "choose-move", role: "group", "aria-label": "Choose a move" });
  const element = h("div", { class: "board-frame with-hands" }, hands.far, picture, chooser, hands.near);
  picture.style.setProperty("--wide", `${LARGEST * width}px`);
  picture.style.setProperty("--high", `${LARGEST * height}px`);

  function act(name) {
    if (!view?.play) return;
    [aimed, choices] = [null, []];
    const complete = clicks.click(name);
    if (complete.length === 1) {
      clicks.clear();
      view.play(complete[0].text);
      return;
    }
    choices = complete;
    if (choices.length) view.say(`Which move? ${choices.map((move) => move.text).join(" or ")}`);
    else if (clicks.chosen.length) view.say(`${name} selected; targets: ${[...targets()].join(", ")}.`);
    draw();
    chooser.querySelector("button")?.focus();
  }
  function cancel() {
    clicks.clear();
    [aimed, choices] = [null, []];
    draw();
  }
  const targets = () => new Set(clicks.open.map((move) => move.clicks[clicks.chosen.length]));
  const roving = rovingTabindex(element, cells, {
    step: (name, right, down) => neighbour(places, name, right, down),
    act,
    cancel,
    hover: (name) => {
      hovered = name;
      hint();
    },
  });
  grid.addEventListener("click", (event) => {
    const name = event.target.closest("[data-cell]")?.dataset.cell;
    if (!name) return;
    const small = (picture.getBoundingClientRect().width / width) * UNIT < SMALL;
    if (event.pointerType === "touch" && small && aimed !== name && view?.play && clicks.completes(name)) {
      aimed = name;
      hint();
      view.say(`${name}: tap again to play.`);
    } else act(name);
  });

  /** What is shown for the cell under the pointer: the line of its move, or the piece that would be placed. */
  function hint() {
    const name = aimed ?? hovered;
    const advice = name && [...(view?.candidates?.values() ?? [])].find((one) => sole(one) === name);
    const steps = view?.line ? stepsOf(view.line) : (advice?.steps ?? null);
    replaceChildren(line, steps ? drawLine(steps, view.board.seat_colours, places, R) : null);
    const piece = view?.board.placing;
    const free = name && !view.board.pieces[name] && !clicks.chosen.length && clicks.completes(name);
    const ghost = piece && free && !steps && view.play;
    replaceChildren(
      above,
      ghost && s("g", { class: "ghost" }, drawPiece(piece, places.get(name), R)),
      aimed && s("circle", { cx: places.get(name)[0], cy: places.get(name)[1], r: 1.4 * R, class: "aim" }),
      view && drawAdvice(view, clicks, places),
    );
  }
  const clicksOf = (text) => view.board.clicks?.[text] ?? [];
  /** The cell of a move with one click, else null. */
  const sole = (candidate) => (clicksOf(candidate.move).length === 1 ? clicksOf(candidate.move)[0] : null);
  const stepsOf = (texts) =>
    [...(view.candidates?.values() ?? [])].find((one) => one.line?.join(" ") === texts.join(" "))?.steps ?? null;

  /** Draw one cell if its state has changed. */
  function drawCell(name, state) {
    const mark = JSON.stringify(state);
    const before = drawn.get(name);
    if (before === mark) return;
    drawn.set(name, mark);
    const cell = cells.get(name);
    const { shape = "square" } = shapes.get(name);
    const place = places.get(name);
    const [x, y] = place;
    const ring = (r, kind) => s("circle", { cx: x, cy: y, r: R * r, class: kind });
    const body = state.piece && drawPiece(state.piece, place, R);
    if (body && before && !JSON.parse(before).piece) body.classList.add("dropped");
    const label = (text, dy, size, kind) =>
      s("text", { x, y: y + R * dy, class: state.heat > 0.5 ? `label strong ${kind}` : `label ${kind}`, "font-size": R * size }, text);
    replaceChildren(
      cell.lastChild,
      state.heat && tile(shape, place, 0.94, { class: state.best ? "heat best" : "heat", "fill-opacity": state.heat }),
      state.left && tile(shape, place, 0.88, { class: "moved left" }),
      state.moved && tile(shape, place, 0.88, { class: "moved" }),
      state.chosen && tile(shape, place, 0.88, { class: "chosen" }),
      body,
      state.last && ring(0.34, "last"),
      state.mark === "win" && ring(0.6, "won"),
      state.mark === "ring" && ring(0.6, "marked-ring"),
      state.mark === "dot" && ring(0.2, "marked-dot"),
      state.mark === "cross" && s("path", { d: `M${x - 13} ${y - 13}l26 26m0 -26l-26 26`, class: "forbidden wide" }),
      state.wrong && ring(1.12, "wrong"),
      state.label
        ? [label(state.label, -0.08, 0.68, ""), label(state.visits, 0.56, 0.48, "visits")]
        : state.target
          ? ring(state.piece ? 1.14 : 0.32, state.piece ? "target taking" : "target")
          : state.dotted && ring(0.2, "legal-dot"),
      state.can && s("path", { d: `M${x - 11} ${y + 0.44 * UNIT}h22`, class: "movable" }),
      tile(shape, place, 0.86, { class: "ring" }),
    );
    const words = [
      name,
      state.piece ? state.piece.label : shapes.get(name).text || "empty",
      MARKS[state.mark],
      (state.last || state.moved) && "last move",
      state.chosen && "selected",
      state.target ? "legal target" : state.can ? "can move" : state.legal && "legal",
      state.wrong && "mistake",
      state.label && `${state.label}, ${state.visits} visits`,
    ];
    setAttribute(cell, "aria-label", words.filter(Boolean).join(", "));
    setAttribute(cell, "aria-selected", state.chosen ? "true" : "false");
    cell.classList.toggle("can", Boolean(state.legal || state.target || state.can));
  }

  function draw() {
    const { board } = view;
    const ranked = [...(view.candidates?.values() ?? [])];
    const most = Math.max(1, ...ranked.map((one) => one.visits));
    const advised = new Map(ranked.map((one, rank) => [sole(one), { ...one, rank }]).filter(([name]) => name !== null));
    const last = board.last ?? [];
    const open = view.play ? targets() : new Set();
    const free = [...cells.keys()].filter((name) => !board.pieces[name]);
    const few = free.filter((name) => open.has(name)).length * 2 <= free.length; // where most are legal, dots say nothing
    for (const name of cells.keys()) {
      const found = advised.get(name);
      const possible = open.has(name);
      const whole = possible && Boolean(clicks.completes(name));
      drawCell(name, {
        piece: board.pieces[name] ?? null,
        mark: board.marks[name],
        last: last.length === 1 && last[0] === name,
        moved: last.length > 1 && last.at(-1) === name,
        left: last.length > 1 && last.slice(0, -1).includes(name),
        chosen: clicks.chosen.includes(name),
        target: possible && clicks.chosen.length > 0,
        can: possible && !clicks.chosen.length && !whole,
        legal: possible && !clicks.chosen.length && whole,
        dotted: few && whole && !clicks.chosen.length && !board.pieces[name],
        wrong: Boolean(view.wrong) && last.at(-1) === name,
        heat: found ? Math.max(0.08, (0.82 * found.visits) / most).toFixed(2) : 0,
        best: found?.rank === 0,
        label: found && found.rank < LABELS ? percent(found.value) : null,
        visits: found ? short(found.visits) : null,
      });
    }
    drawHands(open, advised);
    replaceChildren(
      chooser,
      choices.map(({ text }) => h("button", { type: "button", class: "main", onclick: () => view.play(text) }, text)),
    );
    element.classList.toggle("waits", !view.play);
    hint();
  }

  function drawHands(open, advised) {
    const focused = element.contains(document.activeElement) ? document.activeElement?.dataset?.hand : null;
    const look = (name) => ({ can: open.has(name), chosen: clicks.chosen.includes(name), advice: advised.get(name) });
    const near = flipped ? 1 : 0;
    const make = (one) => drawHand(one, look, act);
    const isFar = (one) => one.player !== null && one.player !== near && (view.board.viewer ?? near) !== one.player;
    replaceChildren(hands.far, view.board.hands.filter(isFar).map(make));
    replaceChildren(hands.near, view.board.hands.filter((one) => !isFar(one)).map(make));
    if (focused) element.querySelector(`[data-hand="${CSS.escape(focused)}"]`)?.focus();
  }

  return {
    element,
    focus: roving.focus,
    update(next) {
      const same = view?.key === next.key;
      view = next;
      if (!same) [aimed, choices] = [null, []];
      clicks.update(
        [...view.legal].map((text) => ({ text, clicks: clicksOf(text) })),
        same,
      );
      const last = view.board.last?.at(-1);
      if (!same && last && document.activeElement?.closest?.("[role=grid]") !== grid) roving.here(last);
      draw();
    },
  };
}

/** Text on a cell, scaled to fit. @param {string} text @param {[number, number]} place */
const printed = (text, [x, y]) =>
  s("text", { x, y, dy: "0.36em", class: "printed", "font-size": UNIT * Math.min(0.24, 1.1 / text.length) }, text);

/** @type {import("./index.js").Renderer} */
export const renderer = {
  create: (board, { flipped }) => describedBoard(board, flipped),
  flips: (board) => board.flips,
  key: ({ cells, lines, labels, surface }) => JSON.stringify([cells, lines, labels, surface]),
  buttons: ({ legal, board }) =>
    legal.filter((text) => !board.clicks?.[text]?.length).map((text) => ({ text, label: text })),
  moveColours: ({ moves, board }) => moves.map(({ player }) => board.seat_colours[player] ?? null),
};
