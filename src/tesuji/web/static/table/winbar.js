/** The win probability as a bar, the first player on the left. Shown once there is an analysis. */
import { h, setAttribute } from "../ui/dom.js";
import { percent } from "../ui/format.js";
import { exactValue } from "./solution.js";

/** @param {import("../session/session.js").Session} session */
export function winBar(session) {
  const [first, second] = [h("span", { class: "share first" }), h("span", { class: "share second" })];
  const meter = { class: "winbar", role: "meter", "aria-valuemin": "0", "aria-valuemax": "100", hidden: true };
  const element = h("div", meter, first, second);

  /** The win probability of seat 0 in the shown position. */
  function value() {
    const { found, solved, shown, reviewed, tab } = session;
    if (tab === "analyse" && shown.turn !== null && (found || solved)) {
      const known = found ? found.value : exactValue(solved);
      return known === null || shown.turn === 0 ? known : 1 - known;
    }
    return tab === "review" ? (reviewed.get(shown.ply)?.value ?? null) : null;
  }
  return {
    element,
    update() {
      const { seats, board } = session.table;
      const chance = seats.length === 2 ? value() : null;
      // Keeps its space while the next position is analysed, so that the board does not move.
      const analysed = { analyse: session.analysing || session.found || session.solved, review: session.reviewed.size > 0 };
      element.hidden = seats.length !== 2 || !analysed[session.tab];
      element.classList.toggle("unknown", chance === null);
      if (chance === null) return;
      const colours = board.seat_colours ?? [];
      element.style.setProperty("--share", `${(100 * chance).toFixed(1)}%`);
      element.className = `winbar bar-${board.kind} first-${colours[0]} second-${colours[1]}`;
      first.textContent = `${seats[0].name} ${percent(chance)}`;
      second.textContent = `${percent(1 - chance)} ${seats[1].name}`;
      setAttribute(element, "aria-valuenow", Math.round(100 * chance));
      setAttribute(element, "aria-label", `Win probability of ${seats[0].name}`);
    },
  };
}
