/** The win-rate graph of a game: the first player's win rate after each move, with mistakes marked. */
import { s } from "../ui/dom.js";
import { grade } from "./moves.js";
import { percent } from "../ui/format.js";

const [WIDTH, HEIGHT, LEFT, TOP, BOTTOM] = [360, 150, 38, 10, 20];

/**
 * @param {import("../session/session.js").Session} session
 * @returns {any} an SVG; a click shows that position
 */
export function winGraph(session) {
  const { table, reviewed } = session;
  const plies = Math.max(1, table.plies);
  const x = (ply) => LEFT + ((WIDTH - LEFT - 8) * ply) / plies;
  const y = (value) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - value);
  const points = [...reviewed.values()]
    .filter((one) => typeof one.value === "number")
    .sort((one, other) => one.ply - other.ply);
  const way = points
    .map((one, index) => `${index ? "L" : "M"}${x(one.ply).toFixed(1)} ${y(one.value).toFixed(1)}`)
    .join("");
  const area =
    points.length > 1
      ? `${way}L${x(points.at(-1).ply).toFixed(1)} ${y(0)}L${x(points[0].ply).toFixed(1)} ${y(0)}z`
      : "";
  const faults = points.filter(grade).map((one) => {
    const [cx, cy] = [x(one.ply + 1), y(reviewed.get(one.ply + 1)?.value ?? one.value)];
    const kind = grade(one);
    const title = s("title", {}, `${one.ply + 1}. ${one.played}: lost ${percent(one.loss)}`);
    return kind === "blunder"
      ? s("path", { d: `M${cx} ${cy - 6}l6 11h-12z`, class: "fault blunder" }, title)
      : s("circle", { cx, cy, r: 4.5, class: "fault mistake" }, title);
  });
  const at = session.at ?? table.plies;
  const ticks = [0, 0.5, 1].map((value) => [
    s("line", { x1: LEFT, x2: WIDTH - 8, y1: y(value), y2: y(value), class: value === 0.5 ? "half" : "rule" }),
    s("text", { x: LEFT - 5, y: y(value), dy: "0.34em", class: "tick end" }, percent(value)),
  ]);
  const step = Math.max(1, Math.ceil(plies / 6 / 5) * 5);
  const numbers = Array.from({ length: Math.floor(plies / step) + 1 }, (_, index) =>
    s("text", { x: x(index * step), y: HEIGHT - 5, class: "tick" }, String(index * step)),
  );
  const picture = s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "graph", role: "img", "aria-label": summaryText(session, points) },
    ticks,
    numbers,
    s("path", { d: area, class: "area" }),
    s("path", { d: way, class: "curve" }),
    s("line", { x1: x(at), x2: x(at), y1: TOP, y2: HEIGHT - BOTTOM, class: "now" }),
    faults,
  );
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const place = ((event.clientX - box.left) / box.width) * WIDTH;
    session.showPly(Math.max(0, Math.min(table.plies, Math.round(((place - LEFT) / (WIDTH - LEFT - 8)) * plies))));
  });
  return picture;
}

function summaryText(session, points) {
  if (!points.length) return "Win-rate graph, empty";
  const name = session.table.seats[0].name;
  return `Win rate of ${name} over ${points.length} positions, from ${percent(points[0].value)} to ${percent(points.at(-1).value)}`;
}
