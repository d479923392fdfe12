/**
 * The editor of positions: put pieces on the board, choose who moves, then analyse or play. The server checks every change and
 * names the game that begins from the position; the address of the page always holds that game.
 */
import { cellName, placeOf } from "../boards/grid.js";
import { boardIn, onRotate, stillView } from "../boards/index.js";
import { api, start } from "../session/api.js";
import { optionsOf } from "../session/links.js";
import { button, choices, details, field, h, pills, radios, replaceChildren, setAttribute } from "../ui/dom.js";
import { optionFields, specOf } from "../ui/fields.js";
import { capital } from "../ui/format.js";
import { announce, attempt, copyText } from "../ui/notices.js";

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
 * @param {import("../types.js").GameView[]} games
 * @param {string} text     a game's name, or its spec
 * @param {(table: any, tab?: string) => void} go
 * @returns {() => void}    to call when the page is left
 */
export function showEditor(main, games, text, go) {
  const able = games.filter((game) => game.set_up);
  const info = able.find((game) => game.name === text.split(":")[0]) ?? able[0];
  if (!info) throw new Error("No game on this server can be set up.");
  document.title = `Set up ${info.title} · Tesuji`;
  const tools = [...info.set_up, { symbol: EMPTY, label: "Erase" }];
  const sides = info.seat_names.slice(0, info.seats.minimum).map((name, seat) => [seat, name]);
  const given = text.split(":")[0] === info.name ? text : info.name;
  let spec = given;
  let shown = null; // the board as the server described it
  /** @type {string[][]|null} */
  let cells = null;
  let turn = 0;
  let tool = tools[0].symbol;
  let requests = 0;

  const place = h("div", { class: "place editing", onclick: click });
  place.addEventListener("keydown", key, true);
  const drawBoard = boardIn(place);
  const status = h("p", { class: "status", role: "status" });
  const diagram = h("textarea", { rows: "8", spellcheck: "false", autocomplete: "off" });
  const ruleSpec = () => specOf(info.name, fields.text()); // from its usual start
  const restart = () => load({ game: ruleSpec() });
  const fields = optionFields(
    info.options
      .filter((one) => !UNUSED.has(one.name))
      .map((one) => ({ ...one, value: optionsOf(given)[one.name] ?? one.default })),
    restart,
  );
  const movers = radios("To move", sides, turn, (seat) => {
    turn = seat;
    check();
  });
  const pieces = radios("Put on the board", tools.map(({ symbol, label }) => [symbol, label]), tool, (symbol) => {
    tool = symbol;
  });
  const analyse = button("Analyse", () => open("analyse"), { class: "main" });
  const play = button("Play", () => open("moves"), { class: "main" });
  const levels = info.levels.map((one) => [one.name, capital(one.name)]);
  const opponent = h("select", {}, choices([...levels, ["person", "A person, on this screen"]]));
  const side = h("select", {}, choices(sides));
  const copyLink = () => copyText(location.href, "Link", "copy the address of this page");
  const asText = details(
    "As text",
    field("Diagram", diagram),
    h("p", {}, button("Use this diagram", () => load({ game: spec, diagram: diagram.value }))),
  );
  asText.open = info.set_up.length === 0;

  const form = h(
    "div",
    { class: "setup-form" },
    info.set_up.length > 0 && pieces.element,
    movers.element,
    h("div", { class: "row" }, analyse, button("Reset", restart), button("Copy link", copyLink)),
    h(
      "fieldset",
      {},
      h("legend", {}, "Play from here"),
      h("div", { class: "fields" }, field("Opponent", opponent), field("You play", side)),
      h("div", { class: "row" }, play),
    ),
    details("Rules", fields.element),
    asText,
    info.set_up.length > 0 &&
      h("p", { class: "muted" }, "Keyboard: arrow keys move, Enter puts a piece, Delete erases, 1 to 9 choose a piece."),
  );
  const stage = h("section", { class: "stage", "aria-label": "Board" }, status, place);
  replaceChildren(
    main,
    h(
      "div",
      { class: `page editor game-${info.board_kind}` },
      pills(able, info, (game) => editorLink(game.name)),
      h("h1", {}, `Set up ${info.title}`),
      h("div", { class: "editor-grid" }, stage, form),
    ),
  );

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
    const found = await api.position(request).catch((error) => ({ problem: error.message }));
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
    drawBoard(stillView(cells ? { ...shown, cells } : shown, info.seat_names, turn));
  }

  function open(tab) {
    const people = tab === "analyse" || opponent.value === "person";
    const seats = sides.map(([seat]) => (people || seat === Number(side.value) ? "person" : opponent.value));
    attempt(async () => go(await start({ game: spec, seats }), tab));
  }

  load({ game: given });
  return onRotate(draw);
}
