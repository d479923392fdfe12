/** The solver's results as text: who wins after each move. Also the legend of the colours on the board. */
import { h, replaceChildren } from "../ui/dom.js";
import { short } from "../ui/format.js";

/** @param {import("../session/session.js").Session} session */
export function solutionView(session) {
  const words = h("p", { class: "verdict" });
  const progress = h("progress", { max: "1", "aria-label": "Solved moves" });
  const results = h("dl", { class: "results" });
  const element = h("div", { class: "solution" }, words, progress, results);
  return {
    element,
    update() {
      const { solved, shown } = session;
      const solving = Boolean(session.analysing?.solve) && !shown.over;
      element.hidden = !solved && !solving;
      if (element.hidden) return;
      const running = solving && !solved?.done;
      words.textContent = solved ? `${verdict(solved, shown, running)} ${effort(solved)}` : "Solving …";
      progress.hidden = !running;
      const known = Object.keys(solved?.winners ?? {}).length;
      progress.value = solved ? known / (known + solved.unsolved) : 0;
      replaceChildren(results, solved ? groups(solved, shown, running).map(row) : null);
    },
  };
}

/** The value for the side to move; null while it is unknown. @param {any} solved */
export function exactValue({ winners, unsolved, player }) {
  if (Object.values(winners).includes(player)) return 1;
  return unsolved ? null : 0;
}

/** What the results mean for the side to move, in a sentence. @param {any} solved @param {any} shown @param {boolean} [running] */
export function verdict({ winners, unsolved, player }, { seats }, running = false) {
  const known = Object.values(winners);
  const wins = known.filter((winner) => winner === player).length;
  const { name } = seats[player];
  if (wins) return `${wins} of ${known.length + unsolved} moves ${wins === 1 ? "wins" : "win"} for ${name}.`;
  if (!unsolved) return `${name} loses, whatever is played.`;
  return running ? "Solving …" : "Not solved.";
}

const effort = ({ nodes, seconds }) => `${short(nodes)} nodes · ${seconds.toFixed(1)} s`;

/**
 * The moves by who wins. @param {any} solved @param {any} shown @param {boolean} running
 * @returns {[string, string, string[]][]}
 */
function groups({ winners, player }, { legal, seats }, running) {
  const after = (winner) => legal.filter((move) => winners[move] === winner);
  const others = seats.map((_, seat) => seat).filter((seat) => seat !== player);
  return [
    ["win", `${seats[player].name} wins`, after(player)],
    ...others.map((seat) => /** @type {[string, string, string[]]} */ (["loss", `${seats[seat].name} wins`, after(seat)])),
    ["unknown", running ? "Not solved yet" : "Not solved", legal.filter((move) => !(move in winners))],
  ];
}

const row = ([kind, title, moves]) =>
  moves.length ? [h("dt", { class: kind }, title), h("dd", {}, moves.join(" "))] : null;
