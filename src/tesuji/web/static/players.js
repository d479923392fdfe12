/** The players: names, clocks, the side to move, and a button to stop a thinking bot. */
import { h, replaceChildren } from "./dom.js";
import { draw } from "./icons.js";
import { clockText, ownSeat, playerLabel, seatClass, seatColour } from "./format.js";

const TICK = 200;

/** @param {import("./session.js").Session} session */
export function playerStrip(session) {
  const element = h("div", { class: "players" });
  let ticking = [];

  function tick() {
    const passed = (performance.now() - session.received) / 1000;
    for (const show of ticking) show(passed);
  }
  const timer = setInterval(tick, TICK);

  function seatOf(seat, index) {
    const { table } = session;
    const turn = table.turn === index && !table.over;
    const thinking = table.thinking?.seat === index ? table.thinking : null;
    const won = table.over && table.scores?.[index] === Math.max(...(table.scores ?? [0])) && table.scores[index] > 0.5;
    const parts = [
      h("span", { class: `mark mark-${table.board.kind} ${seatClass(seatColour(table.board, index))}`, "aria-hidden": "true" }),
      h("span", { class: "who" }, h("strong", {}, seat.name), h("span", { class: "player-label" }, playerLabel(table, index))),
    ];
    if (won) parts.push(h("span", { class: "badge" }, "won"));
    if (thinking) {
      const time = h("span", { class: "thought" });
      ticking.push((passed) => {
        time.textContent = `${(thinking.seconds + passed).toFixed(0)} s`;
      });
      parts.push(
        h(
          "span",
          { class: "thinking" },
          h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i")),
          h("span", { class: "visually-hidden" }, "thinking"),
          time,
        ),
        h(
          "button",
          {
            type: "button",
            class: "small stop",
            title: "Play the best move found so far",
            onclick: () => session.command("stop"),
          },
          draw("stop"),
          "Stop",
        ),
      );
    } else if (turn) parts.push(h("span", { class: "badge turn" }, ownSeat(table) === index ? "your turn" : "to move"));
    if (table.clock) {
      const time = h("span", { class: "clock", role: "timer", "aria-label": `${seat.name}'s clock` });
      const runs = table.clock.running === index;
      const show = (passed) => {
        const left = table.clock.left[index] - (runs ? passed : 0);
        time.textContent = clockText(left);
        time.classList.toggle("low", left < 20);
      };
      show(0);
      if (runs) ticking.push(show);
      parts.push(time);
    }
    return h("div", { class: `player ${turn ? "turn" : ""} ${won ? "won" : ""}` }, parts);
  }

  return {
    element,
    close: () => clearInterval(timer),
    update() {
      ticking = [];
      replaceChildren(element, session.table.seats.map(seatOf));
      tick();
    },
  };
}
