/**
 * Boards of named cells: pieces, marks, heat, labels, arrows and lines; clicks, taps, keyboard and screen reader. The caller
 * provides the geometry and the background, and reads the position from what the server sends.
 *
 * @typedef {object} Position
 * @property {Record<string, any>} pieces        by cell: `{colour, shape, text, label}`
 * @property {Record<string, string>} marks      by cell: win, dot, cross, ring or forbidden
 * @property {string[]} last                     where the last move was clicked
 * @property {(text: string) => string[]} clicks where a legal move is clicked
 * @property {any} placing                       the piece that a move on an empty cell puts there, or null
 * @property {(candidate: any) => {colour: string, clicks: string[]}[]} steps  the moves of its line
 * @property {string[]} better                   where the review's better move is clicked
 *
 * @typedef {object} Shape
 * @property {string} name                       of the grid, for screen readers
 * @property {string} kind                       the picture's class
 * @property {[number, number, number, number]} frame  left, top, width, height
 * @property {any[]} [definitions]
 * @property {any[]} ground                      the background
 * @property {string[][]} rows                   names of cells, from the top of the screen
 * @property {(name: string) => [number, number]|null} place
 * @property {(name: string, scale: number, attributes: object) => any} tile  the area of a cell, scaled
 * @property {(name: string) => any[]} [printed] on the cell, below the pieces
 * @property {(name: string) => string} [empty]  the words for an empty cell
 * @property {(name: string) => string|false} [about]  more words for a cell
 * @property {number} radius                     of a piece
 * @property {(piece: any, at: [number, number], radius: number) => any} [piece]  draws a piece that is no stone, token or card
 * @property {number} [plates]                   the scale of labels on arrows
 * @property {(name: string, right: number, down: number) => string|null} step  the neighbour on the screen
 * @property {(view: any) => Position} read
 * @property {Beside} [beside]
 *
 * @typedef {object} Beside                      what lies beside the board
 * @property {string} kind                       the class of the whole
 * @property {any} far
 * @property {any} near
 * @property {(open: Set<string>, clicks: Clicks, advised: Map<string, any>, act: (name: string) => void, view: any,
 *   choices: {text: string}[]) => void} draw
 * @property {boolean} [chooses]                 whether one of several complete moves is chosen there
 * @property {() => void} [cancel]
 */
import { button, h, joined, replaceChildren, s, setAttribute } from "../ui/dom.js";
import { percent, short } from "../ui/format.js";
import { drawArrows, drawLine } from "./advice.js";
import { Clicks } from "./clicks.js";
import { rovingTabindex } from "./grid.js";
import { definitions, drawPiece as usualPiece } from "./pieces.js";

const SMALL = 27; // pixels: smaller cells need a second tap to confirm
const PLATES = 1.35; // the scale of labels on arrows: boards of many cells
const LABELS = 9; // candidates with numbers; the others are only coloured
const MARKS = { win: "winning line", dot: "marked", cross: "crossed out", ring: "marked", forbidden: "forbidden" };

/** @param {Shape} shape */
export function cellBoard(shape) {
  const { radius, place, piece: drawPiece = usualPiece, beside } = shape;
  const cells = new Map();
  const drawn = new Map();
  const clicks = new Clicks();
  let view = null;
  /** @type {Position} */
  let position = { pieces: {}, marks: {}, last: [], clicks: () => [], placing: null, steps: () => [], better: [] };
  let hovered = null;
  let aimed = null;
  /** Complete moves to choose from, if the clicks are ambiguous. @type {{text: string}[]} */
  let choices = [];

  const rows = shape.rows.map((names) => {
    const group = s("g", { role: "row" });
    for (const name of names) {
      const cell = s(
        "g",
        { role: "gridcell", tabindex: "-1", "data-cell": name, class: "cell" },
        shape.tile(name, 1, {}),
        shape.printed?.(name) ?? [],
        s("g", { class: "on" }),
      );
      cell.firstChild.classList.add("tile");
      cells.set(name, cell);
      group.append(cell);
    }
    return group;
  });
  const [left, top, width, height] = shape.frame;
  const grid = s("g", { role: "grid", "aria-label": shape.name, class: "cells" }, rows);
  const above = s("g", { class: "above", "aria-hidden": "true" });
  const line = s("g", { class: "line", "aria-hidden": "true" });
  const picture = s(
    "svg",
    { viewBox: `${left} ${top} ${width} ${height}`, class: `board ${shape.kind}`, role: "group", "aria-label": "Board" },
    s("defs", {}, definitions(), shape.definitions ?? []),
    s("g", { "aria-hidden": "true" }, shape.ground),
    grid,
    above,
    line,
  );
  const chooser = h("div", { class: "choose-move", role: "group", "aria-label": "Choose a move" });
  const element = h("div", { class: `board-frame ${beside?.kind ?? ""}` }, beside?.far, picture, chooser, beside?.near);

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
    else if (clicks.chosen.length) view.say(`${name} selected; targets: ${[...clicks.targets().keys()].join(", ")}.`);
    draw();
    element.querySelector(".choose")?.focus();
  }
  const roving = rovingTabindex(element, cells, {
    step: shape.step,
    act,
    cancel: () => {
      clicks.clear();
      [aimed, choices] = [null, []];
      beside?.cancel?.();
      update(view);
    },
    hover: (name) => {
      hovered = name;
      drawHints();
    },
  });
  grid.addEventListener("click", (event) => {
    const name = event.target.closest("[data-cell]")?.dataset.cell;
    if (!name) return;
    const small = (picture.getBoundingClientRect().width / width) * radius * 2.1 < SMALL;
    if (event.pointerType === "touch" && small && aimed !== name && view?.play && clicks.targets().get(name)) {
      aimed = name;
      drawHints();
      view.say(`${name}: tap again to play.`);
    } else act(name);
  });

  /** The cell of a move with one click, else null. */
  const cellOf = (text) => (position.clicks(text).length === 1 ? position.clicks(text)[0] : null);
  const ranked = () => [...(view?.candidates?.values() ?? [])];

  /** A line of moves; else the piece that would be placed under the pointer or at the first tap. */
  function drawHints() {
    const name = aimed ?? hovered;
    const shown = view?.line
      ? ranked().find((one) => one.line?.join(" ") === view.line.join(" "))
      : name && ranked().find((one) => cellOf(one.move) === name);
    replaceChildren(line, shown ? drawLine(position.steps(shown), place, radius) : null);
    const free = name && !shown && view?.play && !clicks.chosen.length && !position.pieces[name] && clicks.targets().get(name);
    replaceChildren(
      above,
      free && position.placing && s("g", { class: "ghost" }, drawPiece(position.placing, place(name), radius)),
      aimed && s("circle", { cx: place(aimed)[0], cy: place(aimed)[1], r: radius * 1.5, class: "aim" }),
      view && drawArrows(view, position, clicks, place, shape.plates ?? PLATES),
    );
  }

  /** Draw one cell if its state has changed. */
  function drawCell(name, state) {
    const mark = JSON.stringify(state);
    const before = drawn.get(name);
    if (before === mark) return;
    drawn.set(name, mark);
    const cell = cells.get(name);
    const [x, y] = place(name);
    const ring = (r, kind) => s("circle", { cx: x, cy: y, r: radius * r, class: kind });
    const text = (words, dy, size, kind) =>
      s("text", { x, y: y + radius * dy, class: state.heat > 0.5 ? `label strong ${kind}` : `label ${kind}`, "font-size": radius * size }, words);
    const arm = radius * 0.38;
    const body = state.piece && drawPiece(state.piece, [x, y], radius);
    if (body && before && !JSON.parse(before).piece) body.classList.add("dropped");
    replaceChildren(
      cell.lastChild,
      state.result && shape.tile(name, 0.94, { class: `result ${state.result.wins ? "win" : "loss"}` }),
      state.heat && shape.tile(name, 0.94, { class: state.best ? "heat best" : "heat", "fill-opacity": state.heat }),
      state.left && shape.tile(name, 0.88, { class: "moved left" }),
      state.moved && shape.tile(name, 0.88, { class: "moved" }),
      state.chosen && shape.tile(name, 0.88, { class: "chosen" }),
      body,
      state.mark === "win" ? ring(0.52, "won") : state.last && ring(0.38, "last"),
      state.mark === "ring" && ring(0.6, "marked-ring"),
      state.mark === "dot" && ring(0.2, "marked-dot"),
      (state.mark === "cross" || state.mark === "forbidden") &&
        s("path", { d: `M${x - arm} ${y - arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`, class: "forbidden" }),
      state.wrong && ring(1.12, "wrong"),
      state.better && [ring(0.72, "better-mark"), s("text", { x, y, dy: "0.36em", class: "label", "font-size": radius * 0.8 }, "!")],
      state.result && text(state.result.wins ? "win" : "–", 0.24, 0.66, state.result.wins ? "on-win" : "on-loss"),
      state.label
        ? [text(state.label, -0.12, 0.74, ""), text(state.visits, 0.56, 0.5, "visits")]
        : state.target
          ? ring(state.piece ? 1.14 : 0.32, state.piece ? "target taking" : "target")
          : state.dotted && !state.heat && ring(0.2, "legal-dot"),
      state.can && s("path", { d: `M${x - radius * 0.4} ${y + radius * 1.12}h${radius * 0.8}`, class: "movable" }),
      shape.tile(name, 0.86, { class: "ring" }),
    );
    const words = [
      name,
      state.piece ? state.piece.label : (shape.empty?.(name) ?? "empty"),
      shape.about?.(name),
      (state.last || state.moved) && "last move",
      MARKS[state.mark],
      state.chosen && "selected",
      state.target ? "legal target" : state.can ? "can move" : state.legal && "legal",
      state.wrong && "mistake",
      state.better && "better move",
      state.label && `${state.label}, ${state.visits} visits`,
      state.result && `${state.result.winner} wins`,
    ];
    setAttribute(cell, "aria-label", joined(words));
    setAttribute(cell, "aria-selected", state.chosen ? "true" : "false");
    setAttribute(cell, "data-piece", state.piece?.colour);
    cell.classList.toggle("can", Boolean(state.legal || state.target || state.can));
  }

  function draw() {
    const { pieces, marks, last, better } = position;
    const candidates = ranked();
    const most = Math.max(1, ...candidates.map((one) => one.visits));
    const advised = new Map(candidates.map((one, rank) => [cellOf(one.move), { ...one, rank }]));
    const open = view.play ? clicks.targets() : new Map();
    const results = new Map(
      [...(view.winners ?? [])].map(([text, seat]) => [
        cellOf(text),
        { wins: seat === view.turn, winner: view.table.seats[seat].name },
      ]),
    );
    const free = [...cells.keys()].filter((name) => !pieces[name]);
    const few = free.filter((name) => open.has(name)).length * 2 <= free.length; // where most are legal, dots say nothing
    const begun = clicks.chosen.length > 0;
    for (const name of cells.keys()) {
      const found = advised.get(name);
      const [possible, whole] = [open.has(name), open.get(name)];
      drawCell(name, {
        piece: pieces[name] ?? null,
        mark: marks[name],
        last: last.length === 1 && last[0] === name,
        moved: last.length > 1 && last.at(-1) === name,
        left: last.length > 1 && last.slice(0, -1).includes(name),
        chosen: clicks.chosen.includes(name),
        target: possible && begun,
        can: possible && !begun && !whole,
        legal: possible && !begun && whole,
        dotted: few && whole && !begun && !pieces[name],
        wrong: Boolean(view.fault) && last.at(-1) === name,
        better: better.length === 1 && better[0] === name,
        heat: found ? Math.max(0.08, (0.82 * found.visits) / most).toFixed(2) : 0,
        best: found?.rank === 0,
        label: found && found.rank < LABELS ? percent(found.value) : null,
        visits: found ? short(found.visits) : null,
        result: pieces[name] ? null : results.get(name),
      });
    }
    beside?.draw(new Set(open.keys()), clicks, advised, act, view, choices);
    const listed = beside?.chooses ? [] : choices;
    replaceChildren(chooser, listed.map(({ text }) => button(text, () => view.play(text), { class: "main choose" })));
    element.classList.toggle("waits", !view.play);
    drawHints();
  }

  /** @param {import("./index.js").View} next */
  function update(next) {
    const same = view?.key === next.key;
    view = next;
    position = shape.read(view);
    if (!same) [aimed, choices] = [null, []];
    clicks.update(
      [...view.legal].map((text) => ({ text, clicks: position.clicks(text) })),
      same,
    );
    const last = position.last.at(-1);
    if (!same && last && document.activeElement?.closest?.("[role=grid]") !== grid) roving.here(last);
    draw();
  }

  return { element, picture, update };
}
