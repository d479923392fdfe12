/** Explaining a linear value: what each feature adds to a move's worth, and two moves side by side. */
import { api, ApiError } from "./api.js";
import { h, put, unique } from "./dom.js";
import { percent } from "./words.js";

const MOST = 14;

/** @param {import("./session.js").Session} session */
export function explainPanel(session) {
  const [one, other] = [chooser("First move"), chooser("Compare with")];
  const place = h("div", { class: "explanation", "aria-live": "polite" });
  const about = h(
    "p",
    { class: "muted" },
    "What each feature of the learned value adds: its reading, less what is usual, times its weight.",
  );
  const form = h("div", { class: "form two" }, one.element, other.element);
  const element = h("div", { class: "explain" }, about, form, place);
  let key = null;
  let asked = 0;

  function chooser(title) {
    const id = unique("move");
    const select = h("select", { id, onchange: () => load() });
    return { select, element: h("div", { class: "field" }, h("label", { for: id }, title), select) };
  }

  /** Ask for the moves that are chosen; without a choice the server tells its best. */
  async function load() {
    asked += 1;
    const mine = asked;
    const moves = [one.select.value, other.select.value].filter(Boolean);
    try {
      const { moves: found } = await api.explain(session.table.id, session.shown.ply, [...new Set(moves)]);
      if (mine === asked) put(place, breakdown(found.slice(0, 2)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (mine === asked) put(place, h("p", { class: "muted" }, error.message));
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
        put(place, h("p", { class: "muted" }, "The cards are hidden: moves can be explained when the game is over."));
        return;
      }
      const legal = session.shown.legal;
      const ranked = session.found?.candidates.map((candidate) => candidate.move) ?? [];
      const options = () => legal.map((text) => h("option", { value: text }, text));
      put(one.select, h("option", { value: "" }, "the best two"), options());
      put(other.select, h("option", { value: "" }, "none"), options());
      one.select.value = ranked[0] && legal.includes(ranked[0]) ? ranked[0] : "";
      other.select.value = ranked[1] && legal.includes(ranked[1]) ? ranked[1] : "";
      if (session.shown.over || !legal.length) put(place, h("p", { class: "muted" }, "The game is over here."));
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
      ? Math.abs((features[0]?.part ?? 0) - (features[1]?.part ?? 0))
      : Math.abs(features[0]?.part ?? 0);
  rows.sort((first, second) => weight(second) - weight(first));
  const largest = Math.max(...rows.flatMap((row) => row.features.map((feature) => Math.abs(feature?.part ?? 0))), 1e-9);
  const cell = (feature) => {
    if (!feature) return h("td", {}, "–");
    const bar = h("span", { class: `part ${feature.part < 0 ? "against" : "for"}`, "aria-hidden": "true" });
    bar.style.setProperty("--share", `${(50 * Math.abs(feature.part)) / largest}%`);
    return h(
      "td",
      { class: "number" },
      bar,
      h("span", {}, signed(feature.part)),
      h("small", {}, `reads ${number(feature.value)}, weight\u00a0${number(feature.weight)}`),
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
        .slice(0, MOST)
        .map((row) => h("tr", {}, h("th", { scope: "row" }, row.name.replaceAll("_", " ")), row.features.map(cell))),
    ),
    rows.length > MOST && h("caption", {}, `The ${MOST} of ${rows.length} features that matter most here`),
  );
}

/** A number with its sign, where it is not zero: `signed(-0.251) === "−0.25"`. @param {number} value */
const signed = (value) => {
  const text = Math.abs(value).toFixed(2);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
};
const number = (value) =>
  (Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()).replace("-", "−");
