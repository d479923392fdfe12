/**
 * Onitama: the board with its two temples, discs (Blue) and squares (Red), crowns for masters, and the five cards: two in front
 * of each player, the side card to the right of the player to move. The opponent's cards are upside down. The board is flipped
 * if Red is the only person.
 */
import { h, replaceChildren, s, setAttribute } from "../dom.js";
import { percent } from "../format.js";
import { arrow, plate } from "./arrows.js";
import { definitions, gate, piece } from "./onitama_shapes.js";
import { cardButton } from "./onitama_cards.js";
import { cellName, placeOf, rovingTabindex } from "./grid.js";

const SIZE = 5;
const UNIT = 80;
const FRAME = 26;
const WIDE = SIZE * UNIT + 2 * FRAME;
const PIECES = {
  b: [0, false, "blue student"],
  B: [0, true, "blue master"],
  r: [1, false, "red student"],
  R: [1, true, "red master"],
};
const ARROWS = 8;

/** The parts of a move: `boar:c1c2`; a pass has no squares. @param {string} text */
function parts(text) {
  const [card, way] = text.split(":");
  return way === "pass" || !way ? { card, from: null, to: null } : { card, from: way.slice(0, 2), to: way.slice(2) };
}

/** @param {boolean} flipped  Red is at the bottom */
function onitamaBoard(flipped) {
  const centre = (row, column) =>
    flipped ? [(SIZE - 0.5 - column) * UNIT, (row + 0.5) * UNIT] : [(column + 0.5) * UNIT, (SIZE - 0.5 - row) * UNIT];
  const cells = new Map();
  const rows = [];
  let view = null;
  let card = null; // chosen by the player
  let from = null;
  let ambiguous = null; // a target square that two cards reach

  for (let place = 0; place < SIZE; place += 1) {
    const row = flipped ? place : SIZE - 1 - place;
    const group = s("g", { role: "row" });
    for (let index = 0; index < SIZE; index += 1) {
      const column = flipped ? SIZE - 1 - index : index;
      const [x, y] = centre(row, column);
      const name = cellName(row, column);
      const square = { x: x - UNIT / 2, y: y - UNIT / 2, width: UNIT, height: UNIT };
      const temple = column === 2 && row % 4 === 0 ? gate(row ? 1 : 0, x, y, Boolean(row) !== flipped) : null;
      const cell = s(
        "g",
        { role: "gridcell", tabindex: "-1", "data-cell": name, class: "cell" },
        s("rect", { ...square, class: (row + column) % 2 ? "square odd" : "square" }),
        temple,
        s("g", { class: "on" }),
      );
      cells.set(name, cell);
      group.append(cell);
    }
    rows.push(group);
  }
  const names = [];
  for (let index = 0; index < SIZE; index += 1) {
    const [x, y] = centre(index, index);
    for (const at of [-FRAME / 2, SIZE * UNIT + FRAME / 2]) {
      names.push(s("text", { x, y: at, dy: "0.36em", class: "coordinate on-frame", "font-size": 13 }, "abcde"[index]));
      names.push(
        s("text", { x: at, y, dy: "0.36em", class: "coordinate on-frame", "font-size": 13 }, String(index + 1)),
      );
    }
  }
  const grid = s("g", { role: "grid", "aria-label": "Onitama board, 5 by 5", class: "cells" }, rows);
  const above = s("g", { class: "above", "aria-hidden": "true" });
  const picture = s(
    "svg",
    {
      viewBox: `${-FRAME - 3} ${-FRAME - 3} ${WIDE + 6} ${WIDE + 10}`,
      class: "board board-onitama",
      role: "group",
      "aria-label": "Onitama",
    },
    s("defs", {}, definitions()),
    s("rect", { x: -FRAME, y: -FRAME + 4, width: WIDE, height: WIDE, rx: 12, class: "plank-side dark" }),
    s("rect", { x: -FRAME, y: -FRAME, width: WIDE, height: WIDE, rx: 12, fill: "url(#oni-frame)" }),
    s("g", { "aria-hidden": "true" }, names),
    grid,
    above,
  );
  const hands = { far: h("div", { class: "hand far" }), near: h("div", { class: "hand near" }) };
  const sides = { far: h("div", { class: "aside far" }), near: h("div", { class: "aside near" }) };
  const element = h("div", { class: "board-frame onitama" }, hands.far, sides.far, picture, sides.near, hands.near);

  const playable = () =>
    [...(view?.legal ?? [])].map((text) => ({ text, ...parts(text) })).filter((move) => !card || move.card === card);

  function act(name) {
    if (!view?.play) return;
    const moves = playable().filter((move) => from && move.from === from && move.to === name);
    if (moves.length === 1) {
      clear();
      view.play(moves[0].text);
    } else if (moves.length > 1) {
      ambiguous = name;
      view.say?.(`Which card? ${moves.map((move) => move.card).join(" or ")}`);
      draw();
      element.querySelector(".card.choose")?.focus();
    } else {
      const mine = playable().some((move) => move.from === name);
      [from, ambiguous] = [mine && from !== name ? name : null, null];
      if (from)
        view.say?.(
          `${name} selected; ${
            new Set(
              playable()
                .filter((move) => move.from === name)
                .map((move) => move.to),
            ).size
          } target squares.`,
        );
      draw();
    }
  }
  function choose(word) {
    if (!view?.play) return;
    if (ambiguous) {
      const move = [...view.legal].find((text) => text === `${word}:${from}${ambiguous}`);
      if (!move) return;
      clear();
      view.play(move);
      return;
    }
    card = card === word ? null : word;
    if (from && !playable().some((move) => move.from === from)) from = null;
    draw();
  }
  function clear() {
    [card, from, ambiguous] = [null, null, null];
  }
  const roving = rovingTabindex(element, cells, {
    step: (name, right, down) => {
      const [row, column] = placeOf(name);
      const sign = flipped ? -1 : 1;
      const next = [row - sign * down, column + sign * right];
      return next.every((at) => at >= 0 && at < SIZE) ? cellName(...next) : null;
    },
    act,
    cancel: () => {
      clear();
      draw();
    },
  });
  grid.addEventListener("click", (event) => {
    const name = event.target.closest("[data-cell]")?.dataset.cell;
    if (name) act(name);
  });

  function draw() {
    if (!view) return;
    const { board } = view;
    const moves = playable();
    const { from: left, to } = parts(board.last ?? "");
    const moved = left ? [left, to] : [];
    for (const [name, cell] of cells) {
      const [row, column] = placeOf(name);
      const [x, y] = centre(row, column);
      const kind = PIECES[board.cells[row][column]];
      const can = view.play && moves.some((move) => move.from === name);
      const target = from && moves.some((move) => move.from === from && move.to === name);
      const inside = { x: x - 34, y: y - 34, width: 68, height: 68, rx: 9 };
      const last = moved.indexOf(name);
      replaceChildren(
        cell.lastChild,
        last >= 0 && s("rect", { ...inside, class: last ? "moved" : "moved left" }),
        name === from && s("rect", { ...inside, class: "chosen" }),
        kind && piece(kind[0], kind[1], x, y),
        can && !from && s("path", { d: `M${x - 12} ${y + 33}h24`, class: "movable" }),
        target && s("circle", { cx: x, cy: y, r: kind ? 32 : 11, class: kind ? "target taking" : "target" }),
        s("rect", { ...inside, class: "ring" }),
      );
      const temple = column === 2 && row % 4 === 0 ? `${row ? "Red" : "Blue"}'s temple` : null;
      const words = [
        name,
        kind ? kind[2] : "empty",
        temple,
        last === 1 && "last move",
        name === from && "selected",
        target ? "legal target" : can && "can move",
      ];
      setAttribute(cell, "aria-label", words.filter(Boolean).join(", "));
      setAttribute(cell, "aria-selected", name === from ? "true" : "false");
      cell.classList.toggle("can", Boolean(can || target));
    }
    drawCards(moves);
    drawArrows();
    element.classList.toggle("waits", !view.play);
  }

  function drawCards() {
    const { board, turn } = view;
    const near = flipped ? 1 : 0;
    const receiver = turn ?? near;
    const make = (one) => {
      const owner = one.owner ?? receiver;
      const usable = view.play && one.owner === turn && turn !== null;
      const wanted = ambiguous && [...view.legal].includes(`${one.word}:${from}${ambiguous}`);
      const reach = usable && from && [...view.legal].some((text) => text.startsWith(`${one.word}:${from}`));
      return cardButton(one, owner, {
        turned: owner !== near,
        usable,
        chosen: card === one.word,
        wanted,
        reach,
        aside: one.owner === null,
        choose: () => choose(one.word),
      });
    };
    const focused = element.contains(document.activeElement) ? document.activeElement?.dataset?.card : null;
    const of = (owner) => board.cards.filter((one) => one.owner === owner).map(make);
    replaceChildren(hands.near, of(near));
    replaceChildren(hands.far, of(1 - near));
    const aside = board.cards.filter((one) => one.owner === null).map(make);
    replaceChildren(sides.near, receiver === near ? aside : h("div", { class: "card place", "aria-hidden": "true" }));
    replaceChildren(sides.far, receiver === near ? h("div", { class: "card place", "aria-hidden": "true" }) : aside);
    if (focused) element.querySelector(`[data-card="${focused}"]`)?.focus();
  }

  /** Candidates of a search, or a line of moves, as arrows. */
  function drawArrows() {
    const line = view.line ?? null;
    const shown = line
      ? line.map((text, index) => ({ move: text, share: 1 - index / (line.length + 1), label: String(index + 1) }))
      : [...(view.candidates?.values() ?? [])].slice(0, ARROWS).map((one, _, all) => ({
          move: one.move,
          share: one.visits / Math.max(1, ...all.map((each) => each.visits)),
          label: percent(one.value),
        }));
    if (view.better) shown.unshift({ move: view.better, share: 0.7, label: "better" });
    const [ways, ends] = [new Map(), new Map()];
    const arrows = [];
    for (const one of shown) {
      const { from: start, to } = parts(one.move);
      if (!start) continue;
      const used = ways.get(start + to) ?? 0;
      ways.set(start + to, used + 1);
      arrows.unshift(
        arrow(centre(...placeOf(start)), centre(...placeOf(to)), one.share, [0, 11, -11][used % 3], Boolean(line)),
      );
      ends.set(to, [...(ends.get(to) ?? []), one.label]);
    }
    const plates = [...ends].flatMap(([to, labels]) =>
      labels.slice(0, 3).map((label, index, all) => {
        const [x, y] = centre(...placeOf(to));
        return plate([x, y + 20 * (index - (all.length - 1) / 2)], label);
      }),
    );
    replaceChildren(above, arrows, plates);
  }

  return {
    element,
    focus: roving.focus,
    update(next) {
      const fresh = !view || view.key !== next.key;
      view = next;
      if (fresh) {
        clear();
        const last = parts(next.board.last ?? "").to;
        if (last && document.activeElement?.closest?.("[role=grid]") !== grid) roving.here(last);
      }
      draw();
    },
  };
}

/** @type {import("./index.js").Renderer} */
export const renderer = {
  create: (_, { flipped }) => onitamaBoard(flipped),
  flips: () => true,
  buttons: ({ legal }) =>
    legal
      .filter((text) => text.endsWith(":pass"))
      .map((text) => ({ text, label: `Pass with ${text.split(":")[0]}` })),
  prompt: ({ legal }) =>
    legal.some((text) => text.endsWith(":pass")) ? "No piece can move: choose the card to give up." : null,
};
