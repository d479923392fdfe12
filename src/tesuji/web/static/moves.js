/** The moves of the game, to click on, and the buttons that step through them. */
import { placeOf } from "./boards/grid.js";
import { h, put, set } from "./dom.js";
import { draw } from "./icons.js";

/** @param {import("./session.js").Session} session */
export function movesPanel(session) {
  const list = h("ol", { class: "move-list", "aria-label": "Moves" });
  const empty = h("p", { class: "muted" }, "No move yet.");
  const typed = h("input", {
    type: "text",
    name: "move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-label": "A move as text",
  });
  const form = h(
    "form",
    {
      class: "type-move",
      onsubmit: (event) => {
        event.preventDefault();
        if (typed.value.trim()) session.play(typed.value.trim());
        typed.value = "";
      },
    },
    typed,
    h("button", { type: "submit", class: "small" }, "Play it"),
  );
  const element = h("div", { class: "moves" }, navigation(session), empty, list, form);
  let drawn = "";

  return {
    element,
    update() {
      const { table, at } = session;
      const ply = at ?? table.plies;
      const marks = table.moves.map((_, index) => grade(session.reviewed.get(index)));
      const key = JSON.stringify([table.moves, marks]);
      const signs = signsOf(table);
      if (key !== drawn) {
        drawn = key;
        put(
          list,
          table.moves.map((move, index) =>
            h(
              "li",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: marks[index] ?? "",
                  "data-ply": index + 1,
                  "data-move": move.text,
                  onclick: () => session.look(index + 1),
                },
                h("span", { class: `mark mark-${table.board.kind} ${signs[index]}`, "aria-hidden": "true" }),
                h("span", { class: "unseen" }, `${table.seats[move.player]?.name ?? "Nature"}: `),
                move.text,
              ),
            ),
          ),
        );
      }
      for (const button of list.querySelectorAll("button"))
        set(button, "aria-current", Number(button.dataset.ply) === ply ? "step" : null);
      const current = list.querySelector("[aria-current]");
      if (current && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.clientHeight / 2;
      empty.hidden = table.moves.length > 0;
      form.hidden = !session.mayPlay;
      typed.placeholder = `such as ${session.shown.legal[0] ?? ""}`;
      element.querySelector(".navigation").update();
    },
  };
}

/** The class of every move's sign: in Gomoku that of its stone, for who opens may put both colours. @param {any} table */
function signsOf({ board, moves }) {
  let stones = 0;
  return moves.map(({ player, text }) => {
    if (board.kind !== "gomoku") return `seat-${player}`;
    return placeOf(text) ? `seat-${stones++ % 2}` : "";
  });
}

/** A move's mark by what it gave away: the classes of review. @param {any} found */
export function grade(found) {
  if (!found || !found.played) return null;
  if (found.loss >= 0.2) return "blunder";
  return found.loss >= 0.1 ? "mistake" : null;
}

/** First, back, forth, last. @param {import("./session.js").Session} session */
export function navigation(session) {
  const button = (name, title, act) =>
    h("button", { type: "button", class: "small icon-only", title, "aria-label": title, onclick: act }, draw(name));
  const [first, back, forth, last] = [
    button("first", "First position", () => session.look(0)),
    button("back", "One move back", () => session.step(-1)),
    button("forth", "One move forth", () => session.step(1)),
    button("last", "Newest position", () => session.look(null)),
  ];
  const count = h("span", { class: "count" });
  const element = h(
    "div",
    { class: "navigation", role: "group", "aria-label": "Step through the game" },
    first,
    back,
    count,
    forth,
    last,
  );
  element.update = () => {
    const { table, at } = session;
    const ply = at ?? table.plies;
    count.textContent = `${ply} / ${table.plies}`;
    first.disabled = back.disabled = ply === 0;
    forth.disabled = last.disabled = at === null || ply === table.plies;
  };
  return element;
}
