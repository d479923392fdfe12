/**
 * Go Fish: the hands and books of all players. Your hand is open; of the others, only cards known to everybody. Choose a card,
 * then a player to ask; with two players the card is enough.
 */
import { button, focusIn, h, joined, replaceChildren, s } from "../ui/dom.js";
import { botName, percent } from "../ui/format.js";

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

const faces = (number, rank = null) => Array.from({ length: number }, () => face(rank));

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

  const moves = () => [...view.legal].map((text) => ({ text, ...parts(text, view.turn) }));

  function play(move) {
    rank = null;
    view.play(move.text);
  }
  function pick(chosen) {
    const ways = moves().filter((move) => move.rank === chosen);
    if (ways.length === 1) {
      play(ways[0]);
      return;
    }
    rank = rank === chosen ? null : chosen;
    if (rank) view.say(`Choose a player to ask for ${rankName(rank)}s.`);
    draw();
    if (rank) element.querySelector(".seat button.ask")?.focus();
  }

  /** A seat: its name, its cards, its books, and what else is in it. */
  function seatPanel(index, { kind, label, who, turn }, fan, ...more) {
    const { books } = view.board.seats[index];
    const toMove = view.turn === index;
    const said = books.length ? `Books: ${books.map(rankName).join(", ")}` : "No books yet";
    const shown = books.length ? books.map((book) => face(book, "book")) : h("span", { class: "none" }, "no books yet");
    return h(
      "section",
      { class: joined(["seat", kind, toMove && "turn"], " "), "aria-label": label },
      h(
        "div",
        { class: "seat-name" },
        h("strong", {}, view.table.seats[index].name),
        h("span", { class: "who" }, who),
        toMove && h("span", { class: "turn-mark" }, turn),
      ),
      fan,
      h("div", { class: "books", role: "img", "aria-label": said }, shown),
      more,
    );
  }

  function otherPanel(seat, index) {
    const { name, kind, bot } = view.table.seats[index];
    const known = seat.cards ?? seat.known ?? [];
    const move = view.play && rank && moves().find((one) => one.rank === rank && one.target === index);
    const words = `${seat.count} cards${known.length ? `, known: ${known.map(rankName).join(", ")}` : ""}`;
    const style = { "--count": String(Math.max(1, seat.count)) };
    const cards = [known.map((one) => face(one)), faces(Math.max(0, seat.count - known.length))];
    return seatPanel(
      index,
      { kind: move && "can", label: name, who: kind === "bot" ? botName(bot) : "", turn: "to move" },
      h("div", { class: "fan", role: "img", "aria-label": words, style }, cards),
      move && button(`Ask for ${rankName(rank)}s`, () => play(move), { class: "ask main" }),
    );
  }

  function ownPanel(seat, index) {
    const counts = RANKS.map((one) => [one, seat.cards.filter((card) => card === one).length]);
    const best = new Map();
    for (const one of view.candidates?.values() ?? []) {
      const found = parts(one.move, view.turn).rank;
      if (!best.has(found)) best.set(found, one);
    }
    const legal = new Set(moves().map((move) => move.rank));
    const pile = ([one, number]) => {
      const advice = best.get(one);
      const name = `${number} ${rankName(one)}${number > 1 ? "s" : ""}`;
      return button([faces(number, one), advice && h("span", { class: "advice" }, percent(advice.value))], () => pick(one), {
        class: joined(["pile", rank === one && "picked", advice && "advised"], " "),
        "data-rank": one,
        disabled: !(view.play && legal.has(one)),
        "aria-pressed": String(rank === one),
        "aria-label": joined([name, legal.has(one) && "legal", advice && percent(advice.value)]),
      });
    };
    const piles = counts.filter(([, number]) => number).map(pile);
    const fan = h("div", { class: "fan open", role: "group", "aria-label": "Cards to ask for" }, piles);
    return seatPanel(index, { kind: "mine", label: "Your hand", who: "you", turn: "your turn" }, fan);
  }

  function draw() {
    const { seats, deck, log = [], viewer } = view.board;
    const indices = [...seats.keys()];
    const order = viewer === null ? indices : [...indices.slice(viewer + 1), ...indices.slice(0, viewer)];
    const refocus = focusIn([element], "rank");
    const lines = log.slice(-4).map((/** @type {string} */ line) => h("li", {}, line));
    replaceChildren(others, order.map((index) => otherPanel(seats[index], index)));
    replaceChildren(
      middle,
      h(
        "div",
        { class: "deck", role: "img", "aria-label": `${deck} cards in the deck` },
        faces(Math.min(5, Math.ceil(deck / 8))),
        h("span", { class: "count" }, String(deck)),
      ),
      h("ol", { class: "log", "aria-label": "Log" }, lines),
    );
    replaceChildren(own, viewer !== null && seats[viewer].cards && ownPanel(seats[viewer], viewer));
    refocus();
    element.classList.toggle("waits", !view.play);
  }
  return {
    element,
    update(next) {
      if (view?.key !== next.key) rank = null;
      view = next;
      draw();
    },
  };
}

/** @type {import("./index.js").Renderer} */
export const renderer = {
  create: gofishBoard,
  notes: ({ notes }) => notes.filter((line) => !line.includes("such as")), // cards are clicked, not typed
};
