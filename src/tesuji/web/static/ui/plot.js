/** Ratings as points with error bars, best first. Open intervals extend to the edge of the plot. */
import { s } from "./dom.js";

const [WIDTH, ROW, LEFT, RIGHT] = [480, 30, 160, 24];
const STEPS = [10, 20, 50, 100, 200, 500, 1000, 2000];
const MAX_NAME_LENGTH = 21;

/** @param {{name: string, value: number|null, low: number|null, high: number|null}[]} players */
export function ratingPlot(players) {
  const shown = players.filter((one) => Number.isFinite(one.value));
  if (shown.length < 2) return null;
  const numbers = shown.flatMap((one) => [one.value, one.low, one.high]).filter(Number.isFinite);
  const room = (Math.max(...numbers) - Math.min(...numbers)) * 0.06 || 10;
  const [low, high] = [Math.min(...numbers) - room, Math.max(...numbers) + room];
  const x = (elo) => LEFT + ((WIDTH - LEFT - RIGHT) * (elo - low)) / (high - low);
  const height = ROW * shown.length + 36;
  const step = STEPS.find((one) => (high - low) / one <= 6) ?? 5000;
  const ticks = [];
  for (let elo = Math.ceil(low / step) * step; elo <= high; elo += step) ticks.push(elo);
  const label = `Elo: ${shown.map((one) => `${one.name} ${Math.round(one.value)}`).join(", ")}`;
  return s(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, class: "graph ratings", role: "img", "aria-label": label },
    ticks.map((elo) => [
      s("line", { x1: x(elo), x2: x(elo), y1: 4, y2: height - 26, class: "rule" }),
      s("text", { x: x(elo), y: height - 8, class: "tick" }, String(elo).replace("-", "−")),
    ]),
    shown.map((one, index) => {
      const y = 20 + index * ROW;
      const [from, to] = [one.low ?? low, one.high ?? high];
      return [
        s(
          "text",
          { x: LEFT - 12, y, dy: "0.34em", class: "tick end name" },
          one.name.length > MAX_NAME_LENGTH ? `${one.name.slice(0, MAX_NAME_LENGTH - 1)}…` : one.name,
          s("title", {}, one.name),
        ),
        s("line", { x1: x(from), x2: x(to), y1: y, y2: y, class: "error" }),
        s("circle", { cx: x(one.value), cy: y, r: 5.5, class: "point" }),
      ];
    }),
  );
}
