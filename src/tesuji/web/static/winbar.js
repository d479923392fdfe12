/** The win probability as a bar, the first player on the left. Shown once there is an analysis. */
import { h, setAttribute } from "./dom.js";
import { percent } from "./format.js";
import { exactValue } from "./solution.js";

/** @param {import("./session.js").Session} session */
export function winBar(session) {
  const [first, second] = [h("span", { class: "share first" }), h("span", { class: "share second" })];
  const element = h(
    "div",
    { class: "winbar", role: "meter", "aria-valuemin": "0", "aria-valuemax": "100", hidden: true },
    first,
    second,
  );

  /** The win probability of seat 0 in the shown position. */
  function value() {
    const { found, solved, shown, reviewed, tab } = session;
    if (tab === "analyse" && shown.turn !== null && (found || solved)) {
      const known = found ? found.value : exactValue(solved);
      return known === null || shown.turn === 0 ? known : 1 - known;
    }
    if (tab === "review" && reviewed.has(shown.ply)) return reviewed.get(shown.ply).value;
    return null;
  }
  return {
    element,
    update() {
      const { table } = session;
      const chance = table.seats.length === 2 ? value() : null;
      // Keeps its space while the next position is analysed, so that the board does not move.
      const analysed = { analyse: session.analysing || session.found || session.solved, review: session.reviewed.size > 0 };
      element.hidden = table.seats.length !== 2 || !analysed[session.tab];
      const known = chance !== null && chance !== undefined;
      element.classList.toggle("unknown", !known);
      if (!known) return;
      const names = table.seats.map((seat) => seat.name);
      element.style.setProperty("--share", `${(100 * chance).toFixed(1)}%`);
      const colours = table.board.seat_colours ?? [];
      element.className = `winbar bar-${table.board.kind} first-${colours[0]} second-${colours[1]}`;
      first.textContent = `${names[0]} ${percent(chance)}`;
      second.textContent = `${percent(1 - chance)} ${names[1]}`;
      setAttribute(element, "aria-valuenow", Math.round(100 * chance));
      setAttribute(element, "aria-label", `Win probability of ${names[0]}`);
    },
  };
}
