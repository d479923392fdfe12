/** The list of moves, and buttons to step through them. */
import { moveColours } from "../boards/index.js";
import { button, h, replaceChildren, setAttribute } from "../ui/dom.js";
import { moverName, playerMark } from "../ui/format.js";
import { draw } from "../ui/icons.js";

/** @param {import("../session/session.js").Session} session */
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
  const submit = (event) => {
    event.preventDefault();
    if (typed.value.trim()) session.play(typed.value.trim());
    typed.value = "";
  };
  const play = h("button", { type: "submit", class: "small" }, "Play");
  const form = h("form", { class: "type-move", onsubmit: submit }, typed, play);
  const steps = navigation(session);
  const element = h("div", { class: "moves" }, steps.element, empty, list, form);
  let drawn = "";

  function drawList() {
    const { table, reviewed } = session;
    const marks = table.moves.map((_, index) => grade(reviewed.get(index)) ?? "");
    const key = JSON.stringify([table.moves, marks]);
    if (key === drawn) return;
    drawn = key;
    const colours = moveColours(table);
    const row = (move, index) => {
      const who = h("span", { class: "visually-hidden" }, `${moverName(table, move)}: `);
      const about = { class: marks[index], "data-ply": index + 1, "data-move": move.text };
      return h("li", {}, button([playerMark(table.board, colours[index]), who, move.text], () => session.showPly(index + 1), about));
    };
    list.style.setProperty("--longest", `${Math.max(...table.moves.map((move) => move.text.length))}ch`);
    replaceChildren(list, table.moves.map(row));
  }

  return {
    element,
    update() {
      drawList();
      for (const one of list.querySelectorAll("button"))
        setAttribute(one, "aria-current", Number(one.dataset.ply) === session.ply ? "step" : null);
      const current = list.querySelector("[aria-current]");
      if (current && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.clientHeight / 2;
      empty.hidden = session.table.moves.length > 0;
      form.hidden = !session.canPlay;
      typed.placeholder = `e.g. ${session.shown.legal[0] ?? ""}`;
      steps.update();
    },
  };
}

/** The grade of a move by its loss of win rate. @param {any} found */
export function grade(found) {
  if (!found || !found.played) return null;
  if (found.loss >= 0.2) return "blunder";
  return found.loss >= 0.1 ? "mistake" : null;
}

/** Buttons for the first, previous, next and last position. @param {import("../session/session.js").Session} session */
export function navigation(session) {
  const step = (name, title, act) => button(draw(name), act, { class: "small icon-only", title, "aria-label": title });
  const back = [
    step("first", "First position", () => session.showPly(0)),
    step("back", "One move back", () => session.step(-1)),
  ];
  const forward = [
    step("forward", "One move forward", () => session.step(1)),
    step("last", "Last position", () => session.showPly(null)),
  ];
  const count = h("span", { class: "count" });
  const group = { class: "navigation", role: "group", "aria-label": "Step through the game" };
  return {
    element: h("div", group, back, count, forward),
    update() {
      const { at, ply, table } = session;
      count.textContent = `${ply} / ${table.plies}`;
      for (const one of back) one.disabled = ply === 0;
      for (const one of forward) one.disabled = at === null || ply === table.plies;
    },
  };
}
