/** The table page: board, players and panels. */
import { announce, notify } from "./notices.js";
import { api } from "./api.js";
import { analysisPanel } from "./analysis.js";
import { boardKey, goalText, isFlipped, makeBoard, onRotate } from "./boards/index.js";
import { actionBar } from "./actions.js";
import { banner } from "./banner.js";
import { explainPanel } from "./explain.js";
import { h, replaceChildren, setAttribute } from "./dom.js";
import { movesPanel } from "./moves.js";
import { playerStrip } from "./players.js";
import { recordPanel } from "./record.js";
import { reviewPanel } from "./review.js";
import { Session } from "./session.js";
import { click } from "./sound.js";
import { winBar } from "./winbar.js";
import { ownSeat, statusText } from "./format.js";

const TABS = [
  ["moves", "Moves"],
  ["analyse", "Analyse"],
  ["review", "Review"],
  ["explain", "Explain"],
  ["record", "Share"],
];

/**
 * @param {Element} main
 * @param {any} table
 * @param {any[]} games
 * @param {(table: any, tab?: string) => void} go  open another table
 * @param {string} [tab]
 * @param {() => void} [again]  called if the server no longer has this table
 */
export function showTable(main, table, games, go, tab = "moves", again = () => {}) {
  const name = table.game.split(":")[0];
  const info = games.find((game) => game.name === name) ?? null;
  const session = new Session(table, info);
  session.tab = tab;
  document.title = `${table.title} · Tesuji`;

  const status = h("p", { class: "status" });
  const goal = h("p", { class: "goal" });
  const back = [
    session.hidden ? "" : "A move here starts a new game. ",
    h("button", { type: "button", class: "link", onclick: () => session.showPly(null) }, "Back to current position"),
  ];
  const place = h("div", { class: "place" });
  const parts = [playerStrip(session), winBar(session), banner(session), actionBar(session, go)];
  const [strip, bar, note, actions] = parts;
  const panels = {
    moves: movesPanel(session),
    analyse: analysisPanel(session),
    review: reviewPanel(session),
    explain: explainPanel(session),
    record: recordPanel(session),
  };
  const shownTabs = TABS.filter(([id]) => id !== "explain" || info?.explainable !== false);
  const tabs = shownTabs.map(([id, title]) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${id}`,
        "aria-controls": "panel",
        "data-tab": id,
        onclick: () => selectTab(id),
      },
      title,
    ),
  );
  const panel = h("div", { class: "panel-body", id: "panel", role: "tabpanel", tabindex: "0" });
  const list = h(
    "div",
    { class: "tabs", role: "tablist", "aria-label": "Panels", onkeydown: (event) => roveTabs(event, tabs) },
    tabs,
  );

  replaceChildren(
    main,
    h(
      "div",
      { class: `table-view game-${table.board.kind}` },
      h(
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
      ),
      h("aside", { class: "panel", "aria-label": "Panels" }, list, panel),
    ),
  );

  let board = null;
  let made = "";
  let drawnTab = null;

  function selectTab(id) {
    session.tab = id;
    update();
  }

  function drawBoard() {
    const view = viewOf(session, announce); // its board may be covered
    const flipped = isFlipped(view.board, ownSeat(table));
    const key = boardKey(view.board, flipped);
    if (key !== made) {
      made = key;
      board = makeBoard(view.board, flipped);
      replaceChildren(place, board.element);
    }
    board.update(view);
  }

  function update() {
    const { shown } = session;
    status.textContent = session.at === null ? statusText(session.table) : `Position after move ${session.at}`;
    status.classList.toggle("over", session.at === null && session.table.over);
    const past = session.at !== null;
    goal.classList.toggle("idle", session.table.over && !past); // keeps its space, so that the board does not move
    if (past !== goal.classList.contains("past") || !past) replaceChildren(goal, past ? back : goalText(shown, info?.goal ?? ""));
    goal.classList.toggle("past", past);
    drawBoard();
    for (const part of parts) part.update();
    for (const tab of tabs) {
      const on = tab.dataset.tab === session.tab;
      setAttribute(tab, "aria-selected", String(on));
      setAttribute(tab, "tabindex", on ? "0" : "-1");
    }
    const current = panels[session.tab];
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
    const request = {
      game: table.game,
      seats: session.table.seats.map((seat) => (seat.kind === "person" ? "person" : seat.bot)),
      seed: session.table.seed ?? undefined,
      moves: [...session.table.moves.slice(0, ply).map((move) => move.text), text].join(" "),
    };
    if (!request.seats.includes("person")) request.seats[session.shown.turn] = "person";
    const next = await session.attempt(() => api.create(request));
    if (next) {
      announce("New game from this position.");
      go(next, "moves");
    }
  };
  const keys = (event) => stepKeys(event, session);
  document.addEventListener("keydown", keys);
  const stopRotate = onRotate(update);
  session.open({ announce, notify });
  update();
  return () => {
    document.removeEventListener("keydown", keys);
    stopRotate();
    actions.close?.();
    strip.close?.();
    session.close();
  };
}

/** The view for a board. @param {Session} session @param {(text: string) => void} say */
function viewOf(session, say) {
  const { shown } = session;
  const found = session.tab === "analyse" ? session.found : null;
  const solved = session.tab === "analyse" ? session.solved : null;
  const hint = session.hint?.key === session.key ? session.hint : null;
  const ranked = found
    ? found.candidates.filter((one) => one.visits > 0 || one === found.candidates[0])
    : hint
      ? [hint]
      : null;
  const faults = session.tab === "review" ? session.reviewed.get(shown.ply - 1) : null;
  const may = session.canPlay;
  return {
    board: session.covered ? cover(shown.board) : shown.board,
    table: shown,
    key: session.key,
    turn: shown.turn,
    say,
    legal: new Set(may ? shown.legal : []),
    colour: shown.board.colour ?? (shown.turn === 1 ? "w" : "b"),
    play: may ? (text) => session.play(text) : null,
    candidates: ranked ? new Map(ranked.map((one) => [one.move, one])) : null,
    winners: solved ? new Map(Object.entries(solved.winners)) : null,
    line: session.line,
    wrong: faults && faults.loss >= 0.05 ? faults.played : null,
    better: faults && faults.loss >= 0.05 ? faults.best : null,
    betterClicks: faults && faults.loss >= 0.05 ? faults.best_clicks : null,
  };
}

/** A board with all cards face down. */
const cover = (board) =>
  board.seats
    ? { ...board, viewer: null, seats: board.seats.map((seat) => ({ ...seat, cards: null })) }
    : { kind: "text", text: "" };

/** Step through the game with the arrow keys, unless the focused element uses them. */
function stepKeys(event, session) {
  const target = /** @type {Element} */ (event.target);
  if (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    target.closest("input, select, textarea, [role=grid], [role=tablist], dialog")
  )
    return;
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (event.key in steps) session.step(steps[event.key]);
  else if (event.key === "Home") session.showPly(0);
  else if (event.key === "End") session.showPly(null);
  else return;
  event.preventDefault();
}

function roveTabs(event, tabs) {
  const steps = { ArrowLeft: -1, ArrowRight: 1 };
  if (!(event.key in steps)) return;
  const at = tabs.indexOf(document.activeElement);
  const next = tabs[(at + steps[event.key] + tabs.length) % tabs.length];
  next.focus();
  next.click();
  event.preventDefault();
}
