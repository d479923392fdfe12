/**
 * The editor of positions: put pieces on the board, choose who moves, then analyse or play. The server checks every change and
 * names the game that begins from the position; the address of the page always holds that game.
 */
import { api } from "./api.js";
import { boardKey, makeBoard, onRotate } from "./boards/index.js";
import { cellName, placeOf } from "./boards/grid.js";
import { h, replaceChildren, setAttribute, unique } from "./dom.js";
import { optionFields } from "./fields.js";
import { capital } from "./format.js";
import { announce, notify } from "./notices.js";
import { start } from "./setup.js";
import { optionsOf } from "./specs.js";

const EMPTY = ".";
const UNUSED = new Set(["position", "players"]); // options that the editor sets itself

/** The address of the editor for a game, which may begin from a position. @param {string} spec */
export const editorLink = (spec) => `#edit/${encodeURIComponent(spec)}`;

/** A board of rows of symbols as a diagram. @param {string[][]} cells @param {string|null} [last] the cell of the last stone */
export const diagramOf = (cells, last = null) =>
  cells
    .map((row, number) => {
      const symbols = row.map((symbol, column) => (cellName(number, column) === last ? `[${symbol}]` : ` ${symbol} `));
      return `${number + 1} ${symbols.join("")}`;
    })
    .join("\n");

/**
 * @param {Element} main
 * @param {any[]} games
 * @param {string} text     a game's name, or its spec
 * @param {(table: any, tab?: string) => void} go
 * @param {(error: any) => void} fail
 * @returns {() => void}    to call when the page is left
 */
export function showEditor(main, games, text, go, fail) {
  const able = games.filter((game) => game.set_up);
  const info = able.find((game) => game.name === text.split(":")[0]) ?? able[0];
  if (!info) throw new Error("No game on this server can be set up.");
  document.title = `Set up ${info.title} · Tesuji`;
  const tools = [...info.set_up, { symbol: EMPTY, label: "Erase" }];
  const given = text.split(":")[0] === info.name ? text : info.name;
  let spec = given;
  let board = null;
  let shown = null; // the board as the server described it
  /** @type {string[][]|null} */
  let cells = null;
  let turn = 0;
  let tool = tools[0].symbol;
  let made = "";
  let requests = 0;

  const place = h("div", { class: "place editing", onclick: click });
  place.addEventListener("keydown", key, true);
  const status = h("p", { class: "status", role: "status" });
  const diagram = h("textarea", { id: "diagram", rows: "8", spellcheck: "false", autocomplete: "off" });
  const fields = optionFields(
    info.options
      .filter((one) => !UNUSED.has(one.name))
      .map((one) => ({ ...one, value: optionsOf(given)[one.name] ?? one.default })),
    () => load({ game: ruleSpec() }),
  );
  const movers = choices("To move", info.seat_names.slice(0, info.seats.minimum).map((name, seat) => [seat, name]), (seat) => {
    turn = seat;
    check();
  });
  const pieces = choices("Put on the board", tools.map(({ symbol, label }) => [symbol, label]), (symbol) => {
    tool = symbol;
  });
  pieces.show(tool);
  const analyse = h("button", { type: "button", class: "main", onclick: () => open("analyse") }, "Analyse");
  const play = h("button", { type: "button", class: "main", onclick: () => open("moves") }, "Play");
  const opponent = h(
    "select",
    { id: "opponent" },
    info.levels.map((one) => h("option", { value: one.name }, capital(one.name))),
    h("option", { value: "person" }, "A person, on this screen"),
  );
  const side = h(
    "select",
    { id: "own-side" },
    info.seat_names.slice(0, info.seats.minimum).map((name, seat) => h("option", { value: String(seat) }, name)),
  );
  const picks = able.map((game) =>
    h("a", { href: editorLink(game.name), "aria-current": game === info ? "page" : null }, game.title),
  );
  const field = (input, label) => h("div", { class: "field" }, h("label", { for: input.id }, label), input);

  replaceChildren(
    main,
    h(
      "div",
      { class: `page editor game-${info.board_kind}` },
      h("nav", { class: "pills", "aria-label": "Game" }, picks),
      h("h1", {}, `Set up ${info.title}`),
      h(
        "div",
        { class: "editor-grid" },
        h("section", { class: "stage", "aria-label": "Board" }, status, place),
        h(
          "div",
          { class: "setup-form" },
          info.set_up.length > 0 && pieces.element,
          movers.element,
          h("div", { class: "row" }, analyse, button("Reset", () => load({ game: ruleSpec() })), button("Copy link", copyLink)),
          h(
            "fieldset",
            {},
            h("legend", {}, "Play from here"),
            h("div", { class: "fields" }, field(opponent, "Opponent"), field(side, "You play")),
            h("div", { class: "row" }, play),
          ),
          h("details", {}, h("summary", {}, "Rules"), fields.element),
          h(
            "details",
            { open: info.set_up.length === 0 },
            h("summary", {}, "As text"),
            field(diagram, "Diagram"),
            h("p", {}, button("Use this diagram", () => load({ game: spec, diagram: diagram.value }))),
          ),
          info.set_up.length > 0 &&
            h("p", { class: "muted" }, "Keyboard: arrow keys move, Enter puts a piece, Delete erases, 1 to 9 choose a piece."),
        ),
      ),
    ),
  );

  function button(title, act) {
    return h("button", { type: "button", onclick: act }, title);
  }

  function choices(title, entries, choose) {
    const group = unique("choice");
    const inputs = entries.map(([value, label]) => {
      const input = h("input", { type: "radio", name: group, value: String(value), onchange: () => choose(value) });
      return [value, input, h("label", { class: "choice-label" }, input, h("span", {}, label))];
    });
    const labels = inputs.map(([, , label]) => label);
    return {
      element: h("fieldset", { class: "choices" }, h("legend", {}, title), h("div", { class: "row" }, labels)),
      show: (/** @type {any} */ chosen) => {
        for (const [value, input] of inputs) input.checked = value === chosen;
      },
    };
  }

  /** The game with the chosen rules, from its usual start. */
  function ruleSpec() {
    const options = fields.text();
    return options ? `${info.name}:${options}` : info.name;
  }

  function nameOf(event) {
    return event.target.closest?.("[data-cell]")?.dataset.cell ?? null;
  }

  function click(event) {
    const name = nameOf(event);
    if (name) put(name, tool);
  }

  function key(event) {
    const name = nameOf(event);
    if (name === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") put(name, tool);
    else if (event.key === "Delete" || event.key === "Backspace") put(name, EMPTY);
    else if (tools[Number(event.key) - 1]) {
      const chosen = tools[Number(event.key) - 1];
      tool = chosen.symbol;
      pieces.show(tool);
      announce(`${chosen.label}.`);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Put a piece on a cell; the same piece again erases it. */
  function put(name, symbol) {
    const at = placeOf(name);
    if (!cells || !at || cells[at[0]]?.[at[1]] === undefined || !info.set_up.length) return;
    const after = cells[at[0]][at[1]] === symbol ? EMPTY : symbol;
    cells = cells.map((row, number) => (number === at[0] ? row.with(at[1], after) : row));
    shown = { ...shown, last: null, winning_line: undefined, forbidden: undefined };
    announce(`${name}: ${after === EMPTY ? "empty" : tools.find((one) => one.symbol === after)?.label}.`);
    draw();
    check();
  }

  const check = () => load({ game: spec, diagram: cells ? diagramOf(cells) : diagram.value, player: turn });

  /** Ask the server for a position; an error is shown, and the pieces stay. */
  async function load(request) {
    const number = ++requests;
    let found;
    try {
      found = await api.position(request);
    } catch (error) {
      if (number === requests) report(error.message);
      return;
    }
    if (number !== requests) return; // a newer change is under way
    if (found.problem) {
      report(found.problem);
      return;
    }
    spec = found.game;
    turn = found.turn;
    shown = found.board;
    cells = Array.isArray(shown.cells?.[0]) ? shown.cells : null;
    diagram.value = found.diagram;
    history.replaceState(null, "", editorLink(spec));
    movers.show(turn);
    draw();
    report(found.over ? "The game is over in this position." : "");
  }

  /** One line about what is wrong; the position can be used if there is none. @param {string} problem */
  function report(problem) {
    status.textContent = capital(problem) || `${info.seat_names[turn] ?? `Player ${turn}`} to move`;
    status.classList.toggle("problem", Boolean(problem));
    for (const one of [analyse, play]) setAttribute(one, "disabled", Boolean(problem));
  }

  function draw() {
    if (!shown) return;
    const view = cells ? { ...shown, cells } : shown;
    const now = boardKey(view, false);
    if (now !== made) {
      made = now;
      board = makeBoard(view, false);
      replaceChildren(place, board.element);
    }
    board.update({
      board: view,
      table: { seats: info.seat_names.map((/** @type {string} */ name) => ({ name, kind: "person" })), legal: [], moves: [] },
      key: JSON.stringify(view),
      legal: new Set(),
      turn,
      colour: turn === 1 ? "w" : "b",
      play: null,
      candidates: null,
      line: null,
      wrong: null,
      better: null,
      betterClicks: null,
      say: announce,
    });
  }

  async function open(tab) {
    const people = tab === "analyse" || opponent.value === "person";
    const names = info.seat_names.slice(0, info.seats.minimum);
    const seats = names.map((_, seat) => (people || seat === Number(side.value) ? "person" : opponent.value));
    try {
      go(await start({ game: spec, seats }), tab);
    } catch (error) {
      fail(error);
    }
  }

  async function copyLink() {
    try {
      await navigator.clipboard.writeText(location.href);
      notify("Link copied to the clipboard.", "good");
    } catch {
      announce("The browser does not allow copying; copy the address of this page.");
    }
  }

  load({ game: given });
  return onRotate(draw);
}
