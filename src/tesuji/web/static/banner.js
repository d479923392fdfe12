/** One line above the board when something is unusual: no connection, a bot that failed, hidden cards. */
import { h, put } from "./dom.js";
import { ownSeat } from "./words.js";

/** @param {import("./session.js").Session} session */
export function banner(session) {
  const element = h("div", { class: "banner", hidden: true });
  let drawn = "";

  function content() {
    const { table } = session;
    if (!session.connected) return ["broken", "The connection is gone; trying again …"];
    if (table.message) return ["failed", table.message, table.seats[table.turn]?.kind === "bot" && exchange()];
    if (
      session.hidden &&
      session.at === null &&
      ownSeat(table) === null &&
      !table.over &&
      table.seats[table.turn]?.kind === "person" &&
      session.opened !== table.turn
    ) {
      const name = table.seats[table.turn].name;
      const open = () => {
        session.opened = table.turn;
        session.look(null);
      };
      return [
        "curtain",
        `Pass the screen to ${name}.`,
        h("button", { type: "button", class: "main", onclick: open }, `I am ${name}: show my cards`),
      ];
    }
    return null;
  }

  /** Another bot for the one that failed. */
  function exchange() {
    const { table, info } = session;
    const failed = table.turn;
    const names = (info?.bots ?? []).map((one) => one.name);
    const choice = h(
      "select",
      { "aria-label": "Another bot" },
      names.map((name) => h("option", { value: name }, name)),
    );
    const go = () =>
      session.exchange(
        table.seats.map((seat, index) =>
          index === failed ? choice.value : seat.kind === "person" ? "person" : seat.bot,
        ),
      );
    return [choice, h("button", { type: "button", class: "small main", onclick: go }, "Go on with this bot")];
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
        session.opened,
        table.over,
      ]);
      if (key === drawn) return;
      drawn = key;
      const found = content();
      element.hidden = !found;
      if (!found) return;
      element.className = `banner ${found[0]}`;
      put(element, h("span", {}, found[1]), found.slice(2));
    },
  };
}
