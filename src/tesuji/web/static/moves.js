/** The list of moves, and buttons to step through them. */
import { moveColours } from "./boards/index.js";
import { h, replaceChildren, setAttribute } from "./dom.js";
import { seatClass } from "./format.js";
import { draw } from "./icons.js";

/** @param {import("./session.js").Session} session */
export function movesPanel(session) {
  const list = h("ol", { class: "move-list", "aria-label": "Moves" });
  const empty = h("p", { class: "muted" }, "No moves yet.");
  const typed = h("input", {
    type: "text",
    name: "move",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false",
    "aria-label": "Move in notation",
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
    h("button", { type: "submit", class: "small" }, "Play"),
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
      const colours = moveColours(table);
      if (key !== drawn) {
        drawn = key;
        list.style.setProperty("--longest", `${Math.max(...table.moves.map((move) => move.text.length))}ch`);
        replaceChildren(
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
                  onclick: () => session.showPly(index + 1),
                },
                h("span", { class: `mark mark-${table.board.kind} ${seatClass(colours[index])}`, "aria-hidden": "true" }),
                h("span", { class: "visually-hidden" }, `${table.seats[move.player]?.name ?? "Chance"}: `),
                move.text,
              ),
            ),
          ),
        );
      }
      for (const button of list.querySelectorAll("button"))
        setAttribute(button, "aria-current", Number(button.dataset.ply) === ply ? "step" : null);
      const current = list.querySelector("[aria-current]");
      if (current && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.clientHeight / 2;
      empty.hidden = table.moves.length > 0;
      form.hidden = !session.canPlay;
      typed.placeholder = `e.g. ${session.shown.legal[0] ?? ""}`;
      element.querySelector(".navigation").update();
    },
  };
}

/** The grade of a move by its loss of win rate. @param {any} found */
export function grade(found) {
  if (!found || !found.played) return null;
  if (found.loss >= 0.2) return "blunder";
  return found.loss >= 0.1 ? "mistake" : null;
}

/** Buttons for the first, previous, next and last position. @param {import("./session.js").Session} session */
export function navigation(session) {
  const button = (name, title, act) =>
    h("button", { type: "button", class: "small icon-only", title, "aria-label": title, onclick: act }, draw(name));
  const [first, back, forward, last] = [
    button("first", "First position", () => session.showPly(0)),
    button("back", "One move back", () => session.step(-1)),
    button("forward", "One move forward", () => session.step(1)),
    button("last", "Last position", () => session.showPly(null)),
  ];
  const count = h("span", { class: "count" });
  const element = h(
    "div",
    { class: "navigation", role: "group", "aria-label": "Step through the game" },
    first,
    back,
    count,
    forward,
    last,
  );
  element.update = () => {
    const { table, at } = session;
    const ply = at ?? table.plies;
    count.textContent = `${ply} / ${table.plies}`;
    first.disabled = back.disabled = ply === 0;
    forward.disabled = last.disabled = at === null || ply === table.plies;
  };
  return element;
}
