/** The line above the board for exceptional states: no connection, a failed bot, hidden cards. */
import { h, replaceChildren } from "./dom.js";
import { ownSeat } from "./format.js";

/** @param {import("./session.js").Session} session */
export function banner(session) {
  const element = h("div", { class: "banner", hidden: true });
  let drawn = "";

  function content() {
    const { table } = session;
    if (!session.connected) return ["broken", "Connection lost. Reconnecting …"];
    if (table.message) return ["failed", table.message, table.seats[table.turn]?.kind === "bot" && replaceBot()];
    if (
      session.hidden &&
      session.at === null &&
      ownSeat(table) === null &&
      !table.over &&
      table.seats[table.turn]?.kind === "person" &&
      session.revealedSeat !== table.turn
    ) {
      const name = table.seats[table.turn].name;
      const open = () => {
        session.revealedSeat = table.turn;
        session.showPly(null);
      };
      return [
        "pass-screen",
        `Pass the screen to ${name}.`,
        h("button", { type: "button", class: "main", onclick: open }, `Show ${name}'s cards`),
      ];
    }
    return null;
  }

  /** Choose another bot for the failed one. */
  function replaceBot() {
    const { table, info } = session;
    const failed = table.turn;
    const names = (info?.bots ?? []).map((one) => one.name);
    const choice = h(
      "select",
      { "aria-label": "Replacement bot" },
      names.map((name) => h("option", { value: name }, name)),
    );
    const go = () =>
      session.setSeats(
        table.seats.map((seat, index) =>
          index === failed ? choice.value : seat.kind === "person" ? "person" : seat.bot,
        ),
      );
    return [choice, h("button", { type: "button", class: "small main", onclick: go }, "Continue with this bot")];
  }

  return {
    element,
    update() {
      const { table } = session;
      const key = JSON.stringify([
        session.connected,
        table.message,
        session.at,
        table.turn,
        session.revealedSeat,
        table.over,
      ]);
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
