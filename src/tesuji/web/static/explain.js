/** The explanation panel: what each feature contributes to the value of a move, with two moves side by side. */
import { api, ApiError } from "./api.js";
import { h, replaceChildren, unique } from "./dom.js";
import { percent } from "./format.js";

const MAX_FEATURES = 14;

/** @param {import("./session.js").Session} session */
export function explainPanel(session) {
  const [one, other] = [moveSelect("First move"), moveSelect("Compare with")];
  const place = h("div", { class: "explanation", "aria-live": "polite" });
  const about = h(
    "p",
    { class: "muted" },
    "Contribution of each feature to the learned value: (reading − average) × weight.",
  );
  const form = h("div", { class: "form two" }, one.element, other.element);
  const element = h("div", { class: "explain" }, about, form, place);
  let key = null;
  let requests = 0;

  function moveSelect(title) {
    const id = unique("move");
    const select = h("select", { id, onchange: () => load() });
    return { select, element: h("div", { class: "field" }, h("label", { for: id }, title), select) };
  }

  /** Request the chosen moves; without any, the server explains the best ones. */
  async function load() {
    requests += 1;
    const current = requests;
    const moves = [one.select.value, other.select.value].filter(Boolean);
    try {
      const { moves: found } = await api.explain(session.table.id, session.shown.ply, [...new Set(moves)]);
      if (current === requests) replaceChildren(place, breakdown(found.slice(0, 2)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (current === requests) replaceChildren(place, h("p", { class: "muted" }, error.message));
    }
  }

  return {
    element,
    enter: () => {
      key = null;
    },
    update() {
      const closed = session.hidden && !session.table.over;
      const now = `${session.key} ${closed}`;
      if (now === key) return;
      key = now;
      for (const part of [about, form]) part.hidden = closed;
      if (closed) {
        replaceChildren(place, h("p", { class: "muted" }, "Available once the game is over, because the cards are hidden."));
        return;
      }
      const legal = session.shown.legal;
      const ranked = session.found?.candidates.map((candidate) => candidate.move) ?? [];
      const options = () => legal.map((text) => h("option", { value: text }, text));
      replaceChildren(one.select, h("option", { value: "" }, "Best two"), options());
      replaceChildren(other.select, h("option", { value: "" }, "None"), options());
      one.select.value = ranked[0] && legal.includes(ranked[0]) ? ranked[0] : "";
      other.select.value = ranked[1] && legal.includes(ranked[1]) ? ranked[1] : "";
      if (session.shown.over || !legal.length) replaceChildren(place, h("p", { class: "muted" }, "The game is over."));
      else load();
    },
  };
}

/** @param {any[]} moves one or two */
function breakdown(moves) {
  const names = [...new Set(moves.flatMap((move) => move.features.map((feature) => feature.name)))];
  const of = (move, name) => move.features.find((feature) => feature.name === name);
  const rows = names.map((name) => ({ name, features: moves.map((move) => of(move, name)) }));
  const weight = ({ features }) =>
    features.length > 1
      ? Math.abs((features[0]?.contribution ?? 0) - (features[1]?.contribution ?? 0))
      : Math.abs(features[0]?.contribution ?? 0);
  rows.sort((first, second) => weight(second) - weight(first));
  const largest = Math.max(...rows.flatMap((row) => row.features.map((feature) => Math.abs(feature?.contribution ?? 0))), 1e-9);
  const cell = (feature) => {
    if (!feature) return h("td", {}, "–");
    const bar = h("span", { class: `part ${feature.contribution < 0 ? "against" : "for"}`, "aria-hidden": "true" });
    bar.style.setProperty("--share", `${(50 * Math.abs(feature.contribution)) / largest}%`);
    return h(
      "td",
      { class: "number" },
      bar,
      h("span", {}, signed(feature.contribution)),
      h("small", {}, `value ${number(feature.value)}, weight\u00a0${number(feature.weight)}`),
    );
  };
  return h(
    "table",
    { class: "features" },
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Feature"),
        moves.map((move) => h("th", { scope: "col" }, `${move.move} · ${percent(move.value)}`)),
      ),
    ),
    h(
      "tbody",
      {},
      rows
        .slice(0, MAX_FEATURES)
        .map((row) => h("tr", {}, h("th", { scope: "row" }, row.name.replaceAll("_", " ")), row.features.map(cell))),
    ),
    rows.length > MAX_FEATURES && h("caption", {}, `The ${MAX_FEATURES} of ${rows.length} features with the largest contributions`),
  );
}

/** A number with its sign, unless it is zero: `signed(-0.251) === "−0.25"`. @param {number} value */
const signed = (value) => {
  const text = Math.abs(value).toFixed(2);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
};
const number = (value) =>
  (Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()).replace("-", "−");
