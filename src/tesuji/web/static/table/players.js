/** The players: names, clocks, the side to move, and a button to stop a thinking bot. */
import { button, h, replaceChildren } from "../ui/dom.js";
import { clockText, ownSeat, playerLabel, playerMark, seatColour } from "../ui/format.js";
import { draw } from "../ui/icons.js";

const TICK = 200;

/** @param {import("../session/session.js").Session} session */
export function playerStrip(session) {
  const element = h("div", { class: "players" });
  let ticking = [];

  function tick() {
    const passed = (performance.now() - session.received) / 1000;
    for (const show of ticking) show(passed);
  }
  const timer = setInterval(tick, TICK);

  function thinkingParts(thinking) {
    const time = h("span", { class: "thought" });
    ticking.push((passed) => {
      time.textContent = `${(thinking.seconds + passed).toFixed(0)} s`;
    });
    const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
    const stop = { class: "small stop", title: "Play the best move found so far" };
    return [
      h("span", { class: "thinking" }, dots, h("span", { class: "visually-hidden" }, "thinking"), time),
      button([draw("stop"), "Stop"], () => session.command("stop"), stop),
    ];
  }

  function clockOf({ left, running }, name, index) {
    const time = h("span", { class: "clock", role: "timer", "aria-label": `${name}'s clock` });
    const show = (passed) => {
      const now = left[index] - (running === index ? passed : 0);
      time.textContent = clockText(now);
      time.classList.toggle("low", now < 20);
    };
    show(0);
    if (running === index) ticking.push(show);
    return time;
  }

  function seatOf({ name }, index) {
    const { table } = session;
    const turn = table.turn === index && !table.over;
    const won = table.over && table.scores?.[index] === Math.max(...(table.scores ?? [0])) && table.scores[index] > 0.5;
    const who = h("span", { class: "who" }, h("strong", {}, name), h("span", { class: "player-label" }, playerLabel(table, index)));
    return h(
      "div",
      { class: `player ${turn ? "turn" : ""} ${won ? "won" : ""}` },
      playerMark(table.board, seatColour(table.board, index)),
      who,
      won && h("span", { class: "badge" }, "won"),
      table.thinking?.seat === index
        ? thinkingParts(table.thinking)
        : turn && h("span", { class: "badge turn" }, ownSeat(table) === index ? "your turn" : "to move"),
      table.clock && clockOf(table.clock, name, index),
    );
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
