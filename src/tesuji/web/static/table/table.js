/** The table page: board, players and panels. */
import { boardIn, goalText, onRotate } from "../boards/index.js";
import { api } from "../session/api.js";
import { Session } from "../session/session.js";
import { button, h, replaceChildren, setAttribute } from "../ui/dom.js";
import { moveTexts, ownSeat, seatSpecs, statusText } from "../ui/format.js";
import { announce } from "../ui/notices.js";
import { click } from "../ui/sound.js";
import { actionBar } from "./actions.js";
import { analysisPanel } from "./analysis.js";
import { banner } from "./banner.js";
import { explainPanel } from "./explain.js";
import { movesPanel } from "./moves.js";
import { playerStrip } from "./players.js";
import { MIN_LOSS, reviewPanel } from "./review.js";
import { sharePanel } from "./share.js";
import { winBar } from "./winbar.js";

const TABS = {
  moves: ["Moves", movesPanel],
  analyse: ["Analyse", analysisPanel],
  review: ["Review", reviewPanel],
  explain: ["Explain", explainPanel],
  record: ["Share", sharePanel],
};
/** What is known of a game that the server does not list, because it has options without a default. */
const UNLISTED = { options: [], levels: [], bots: [], formats: [], default_bot: "", goal: "", explainable: true, set_up: null };
const STEPS = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * @param {Element} main
 * @param {import("../types.js").TableView} table
 * @param {import("../types.js").GameView[]} games
 * @param {(table: any, tab?: string) => void} go  open another table
 * @param {string} [tab]
 * @param {() => void} [again]  called if the server no longer has this table
 */
export function showTable(main, table, games, go, tab = "moves", again = () => {}) {
  const info = games.find((game) => game.name === table.game.split(":")[0]) ?? UNLISTED;
  const session = new Session(table, info);
  session.tab = tab;
  document.title = `${table.title} · Tesuji`;

  const status = h("p", { class: "status" });
  const goal = h("p", { class: "goal" });
  const back = [
    session.hidden ? "" : "A move here starts a new game. ",
    button("Back to current position", () => session.showPly(null), { class: "link" }),
  ];
  const place = h("div", { class: "place" });
  const parts = [playerStrip(session), winBar(session), banner(session), actionBar(session, go)];
  const [strip, bar, note, actions] = parts;
  const panels = new Map();
  const tabs = Object.entries(TABS)
    .filter(([id]) => id !== "explain" || info.explainable)
    .map(([id, [title, make]]) => {
      panels.set(id, make(session));
      const select = () => {
        session.tab = id;
        update();
      };
      return button(title, select, { role: "tab", id: `tab-${id}`, "aria-controls": "panel", "data-tab": id });
    });
  const panel = h("div", { class: "panel-body", id: "panel", role: "tabpanel", tabindex: "0" });
  const rove = (event) => roveTabs(event, tabs);
  const list = h("div", { class: "tabs", role: "tablist", "aria-label": "Panels", onkeydown: rove }, tabs);
  const stage = h(
    "section",
    { class: "stage", "aria-label": "Game" },
    h("h1", { class: "visually-hidden" }, table.title),
    strip.element,
    status,
    goal,
    note.element,
    bar.element,
    place,
    actions.element,
  );
  const aside = h("aside", { class: "panel", "aria-label": "Panels" }, list, panel);
  replaceChildren(main, h("div", { class: `table-view game-${table.board.kind}` }, stage, aside));

  const drawBoard = boardIn(place);
  let drawnTab = null;

  function update() {
    const past = session.at !== null;
    status.textContent = past ? `Position after move ${session.at}` : statusText(session.table);
    status.classList.toggle("over", !past && session.table.over);
    goal.classList.toggle("idle", session.table.over && !past); // keeps its space, so that the board does not move
    if (past !== goal.classList.contains("past") || !past) replaceChildren(goal, past ? back : goalText(session.shown, info.goal));
    goal.classList.toggle("past", past);
    drawBoard(viewOf(session), ownSeat(table));
    for (const part of parts) part.update();
    for (const one of tabs) {
      const on = one.dataset.tab === session.tab;
      setAttribute(one, "aria-selected", String(on));
      setAttribute(one, "tabindex", on ? "0" : "-1");
    }
    const current = panels.get(session.tab);
    if (drawnTab !== session.tab) {
      drawnTab = session.tab;
      replaceChildren(panel, current.element);
      setAttribute(panel, "aria-labelledby", `tab-${session.tab}`);
      current.enter?.();
    }
    current.update();
  }

  session.on(update);
  session.ongone = again;
  session.onmoves = (moves) => moves.length && click();
  session.onbranch = async (ply, text) => {
    const seats = seatSpecs(session.table);
    if (!seats.includes("person")) seats[session.shown.turn] = "person";
    const moves = [...moveTexts(session.table, ply), text].join(" ");
    const next = await session.attempt(() => api.create({ game: table.game, seats, seed: session.table.seed, moves }));
    if (next) {
      announce("New game from this position.");
      go(next, "moves");
    }
  };
  const keys = (event) => stepKeys(event, session);
  document.addEventListener("keydown", keys);
  const stopRotate = onRotate(update);
  session.open();
  update();
  return () => {
    document.removeEventListener("keydown", keys);
    stopRotate();
    strip.close();
    session.close();
  };
}

/** The view for a board. @param {Session} session @returns {import("../boards/index.js").View} */
function viewOf(session) {
  const { shown, canPlay, key, tab } = session;
  const found = tab === "analyse" ? session.found : null;
  const solved = tab === "analyse" ? session.solved : null;
  const hint = session.hint?.key === key ? [session.hint] : null;
  const ranked = found ? found.candidates.filter((one) => one.visits > 0 || one === found.candidates[0]) : hint;
  const played = tab === "review" ? session.reviewed.get(shown.ply - 1) : null;
  return {
    board: session.covered ? cover(shown.board) : shown.board,
    table: shown,
    key,
    turn: shown.turn,
    say: announce,
    legal: new Set(canPlay ? shown.legal : []),
    colour: shown.board.colour ?? (shown.turn === 1 ? "w" : "b"),
    play: canPlay ? (text) => session.play(text) : null,
    candidates: ranked ? new Map(ranked.map((one) => [one.move, one])) : null,
    winners: solved ? new Map(Object.entries(solved.winners)) : null,
    line: session.line,
    fault: played?.loss >= MIN_LOSS ? played : null,
  };
}

/** A board with all cards face down. */
const cover = (board) =>
  board.seats
    ? { ...board, viewer: null, seats: board.seats.map((seat) => ({ ...seat, cards: null })) }
    : { kind: "text", text: "" };

/** Step through the game with the arrow keys, unless the focused element uses them. */
function stepKeys(event, session) {
  const used = event.target.closest("input, select, textarea, [role=grid], [role=tablist], dialog");
  if (event.ctrlKey || event.metaKey || event.altKey || used) return;
  if (event.key in STEPS) session.step(STEPS[event.key]);
  else if (event.key === "Home") session.showPly(0);
  else if (event.key === "End") session.showPly(null);
  else return;
  event.preventDefault();
}

function roveTabs(event, tabs) {
  if (!(event.key in STEPS)) return;
  const at = tabs.indexOf(document.activeElement);
  const next = tabs[(at + STEPS[event.key] + tabs.length) % tabs.length];
  next.focus();
  next.click();
  event.preventDefault();
}
