/**
 * Go Fish: the hands and books of all players. Your hand is open; of the others, only cards known to everybody. Choose a card,
 * then a player to ask; with two players the card is enough.
 */
import { h, replaceChildren, s } from "../dom.js";
import { percent } from "../format.js";

const RANKS = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"];
const FISH = "M4 12c4-6 10-6 14 0 0 0 2-1 4-4v8c-2-3-4-4-4-4-4 6-10 6-14 0zM9 11a1 1 0 1 1-.01 0";
const WORDS = { A: "ace", J: "jack", Q: "queen", K: "king" };

/** @param {string} rank */
const rankName = (rank) => WORDS[rank] ?? rank;

/** A card: its rank and a fish in the rank's colour. @param {string|null} rank  null: face down */
function face(rank, extra = "") {
  const kind = rank === null ? "playing closed" : `playing rank-${RANKS.indexOf(rank) % 6}`;
  return h(
    "span",
    { class: `${kind} ${extra}`, "aria-hidden": "true" },
    rank !== null && h("span", { class: "corner" }, rank),
    s("svg", { viewBox: "0 0 26 24", class: "fish" }, s("path", { d: FISH })),
  );
}

/** The parts of a move: `2:K`, or `K` with two players. */
function parts(text, turn) {
  const [first, second] = text.split(":");
  return second ? { target: Number(first), rank: second } : { target: 1 - turn, rank: first };
}

function gofishBoard() {
  const others = h("div", { class: "others" });
  const middle = h("div", { class: "pond" });
  const own = h("div", { class: "own" });
  const element = h("div", { class: "board-frame gofish" }, others, middle, own);
  let view = null;
  let rank = null;

  const moves = () => [...(view?.legal ?? [])].map((text) => ({ text, ...parts(text, view.turn) }));

  function pick(chosen) {
    if (!view.play) return;
    const ways = moves().filter((move) => move.rank === chosen);
    if (ways.length === 1) {
      rank = null;
      view.play(ways[0].text);
    } else {
      rank = rank === chosen ? null : chosen;
      if (rank) view.say?.(`Choose a player to ask for ${rankName(rank)}s.`);
      draw();
      if (rank) element.querySelector(".seat button.ask")?.focus();
    }
  }
  function ask(target) {
    const move = moves().find((one) => one.rank === rank && one.target === target);
    if (!move) return;
    rank = null;
    view.play(move.text);
  }

  const bookRow = (books) =>
    h(
      "div",
      {
        class: "books",
        role: "img",
        "aria-label": books.length ? `Books: ${books.map(rankName).join(", ")}` : "No books yet",
      },
      books.length ? books.map((book) => face(book, "book")) : h("span", { class: "none" }, "no books yet"),
    );

  function seatPanel(seat, index) {
    const { name, kind, bot } = view.table.seats[index];
    const known = seat.cards ?? seat.known ?? [];
    const closed = Math.max(0, seat.count - known.length);
    const can = view.play && rank && moves().some((move) => move.rank === rank && move.target === index);
    const fan = h(
      "div",
      {
        class: "fan",
        role: "img",
        "aria-label": `${seat.count} cards${known.length ? `, known: ${known.map(rankName).join(", ")}` : ""}`,
      },
      known.map((one) => face(one)),
      Array.from({ length: closed }, () => face(null)),
    );
    fan.style.setProperty("--count", String(Math.max(1, seat.count)));
    return h(
      "section",
      { class: `seat ${view.turn === index ? "turn" : ""} ${can ? "can" : ""}`, "aria-label": name },
      h(
        "div",
        { class: "seat-name" },
        h("strong", {}, name),
        h("span", { class: "who" }, kind === "bot" ? (bot?.split(":")[0] ?? "") : ""),
        view.turn === index && h("span", { class: "turn-mark" }, "to move"),
      ),
      fan,
      bookRow(seat.books),
      can &&
        h("button", { type: "button", class: "ask main", onclick: () => ask(index) }, `Ask for ${rankName(rank)}s`),
    );
  }

  function ownPanel(seat, index) {
    const counts = RANKS.map((one) => [one, seat.cards.filter((card) => card === one).length]).filter(
      ([, number]) => number,
    );
    const best = new Map();
    for (const one of view.candidates?.values() ?? []) {
      const found = parts(one.move, view.turn);
      if (!best.has(found.rank)) best.set(found.rank, { ...one, target: found.target });
    }
    const legal = new Set(moves().map((move) => move.rank));
    return h(
      "section",
      { class: `seat mine ${view.turn === index ? "turn" : ""}`, "aria-label": "Your hand" },
      h(
        "div",
        { class: "seat-name" },
        h("strong", {}, view.table.seats[index].name),
        h("span", { class: "who" }, "you"),
        view.turn === index && h("span", { class: "turn-mark" }, "your turn"),
      ),
      h(
        "div",
        { class: "fan open", role: "group", "aria-label": "Cards to ask for" },
        counts.map(([one, number]) => {
          const advice = best.get(one);
          return h(
            "button",
            {
              type: "button",
              class: `pile ${rank === one ? "picked" : ""} ${advice ? "advised" : ""}`,
              "data-rank": one,
              disabled: !(view.play && legal.has(one)),
              "aria-pressed": String(rank === one),
              "aria-label": [
                `${number} ${rankName(one)}${number > 1 ? "s" : ""}`,
                legal.has(one) && "legal",
                advice && percent(advice.value),
              ]
                .filter(Boolean)
                .join(", "),
              onclick: () => pick(one),
            },
            Array.from({ length: number }, () => face(one)),
            advice && h("span", { class: "advice" }, percent(advice.value)),
          );
        }),
      ),
      bookRow(seat.books),
    );
  }

  function draw() {
    const { board } = view;
    const viewer = board.viewer;
    const seats = board.seats.map((seat, index) => ({ seat, index }));
    const order = viewer === null || viewer === undefined ? seats : [...seats.slice(viewer + 1), ...seats.slice(0, viewer)];
    const focused = element.contains(document.activeElement) ? document.activeElement?.dataset?.rank : null;
    replaceChildren(
      others,
      order.map(({ seat, index }) => seatPanel(seat, index)),
    );
    replaceChildren(
      middle,
      h(
        "div",
        { class: "deck", role: "img", "aria-label": `${board.deck} cards in the deck` },
        Array.from({ length: Math.min(5, Math.ceil(board.deck / 8)) }, () => face(null)),
        h("span", { class: "count" }, String(board.deck)),
      ),
      h(
        "ol",
        { class: "log", "aria-label": "Log" },
        (board.log ?? []).slice(-4).map((line) => h("li", {}, line)),
      ),
    );
    replaceChildren(own, viewer !== null && viewer !== undefined && board.seats[viewer].cards ? ownPanel(board.seats[viewer], viewer) : null);
    if (focused) element.querySelector(`[data-rank="${focused}"]`)?.focus();
    element.classList.toggle("waits", !view.play);
  }
  return {
    element,
    focus: () => element.querySelector("button:not([disabled])")?.focus(),
    update(next) {
      if (!view || view.key !== next.key) rank = null;
      view = next;
      draw();
    },
  };
}

/** @type {import("./index.js").Renderer} */
export const renderer = {
  create: gofishBoard,
  remarks: ({ remarks }) => (remarks ?? []).filter((line) => !line.includes("such as")), // cards are clicked, not typed
};
