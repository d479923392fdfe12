/** The line above the board for exceptional states: no connection, a failed bot, hidden cards. */
import { button, choices, h, replaceChildren } from "../ui/dom.js";
import { ownSeat, seatSpecs } from "../ui/format.js";

/** @param {import("../session/session.js").Session} session */
export function banner(session) {
  const element = h("div", { class: "banner", hidden: true });
  let drawn = "";

  function content() {
    const { table } = session;
    const mover = table.seats[table.turn];
    if (!session.connected) return ["broken", "Connection lost. Reconnecting …"];
    if (table.message) return ["failed", table.message, mover?.kind === "bot" && replaceBot()];
    const shared = session.closed && session.at === null && ownSeat(table) === null; // by several people
    if (!shared || mover?.kind !== "person" || session.revealedSeat === table.turn) return null;
    const open = () => {
      session.revealedSeat = table.turn;
      session.showPly(null);
    };
    return ["pass-screen", `Pass the screen to ${mover.name}.`, button(`Show ${mover.name}'s cards`, open, { class: "main" })];
  }

  /** Choose another bot for the failed one. */
  function replaceBot() {
    const { table, info } = session;
    const names = info.bots.map((/** @type {any} */ one) => [one.name, one.name]);
    const choice = h("select", { "aria-label": "Replacement bot" }, choices(names));
    const replace = () => session.command("seats", { seats: seatSpecs(table).with(table.turn, choice.value) });
    return [choice, button("Continue with this bot", replace, { class: "small main" })];
  }

  return {
    element,
    update() {
      const { table, connected, at, revealedSeat } = session;
      const key = JSON.stringify([connected, table.message, at, table.turn, revealedSeat, table.over]);
      if (key === drawn) return;
      drawn = key;
      const found = content();
      element.hidden = !found;
      if (!found) return;
      element.className = `banner ${found[0]}`;
      replaceChildren(element, h("span", {}, found[1]), found.slice(2));
    },
  };
}
