/** The explanation panel: what each feature contributes to the value of a move, with two moves side by side. */
import { api, ApiError } from "../session/api.js";
import { tableOf } from "../ui/datatable.js";
import { choices, field, h, replaceChildren } from "../ui/dom.js";
import { CLOSED, percent } from "../ui/format.js";

const MAX_FEATURES = 14;

/** @param {import("../session/session.js").Session} session */
export function explainPanel(session) {
  const [one, other] = [h("select", { onchange: load }), h("select", { onchange: load })];
  const place = h("div", { class: "explanation", "aria-live": "polite" });
  const about = h(
    "p",
    { class: "muted" },
    "Contribution of each feature to the learned value: (reading − average) × weight.",
  );
  const form = h("div", { class: "form two" }, field("First move", one), field("Compare with", other));
  const element = h("div", { class: "explain" }, about, form, place);
  const say = (text) => replaceChildren(place, h("p", { class: "muted" }, text));
  let key = null;
  let requests = 0;

  /** Request the chosen moves; without any, the server explains the best ones. */
  async function load() {
    requests += 1;
    const current = requests;
    const moves = [one.value, other.value].filter(Boolean);
    try {
      const { explanations } = await api.explain(session.table.id, session.shown.ply, [...new Set(moves)]);
      if (current === requests) replaceChildren(place, breakdown(explanations.slice(0, 2)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (current === requests) say(error.message);
    }
  }

  return {
    element,
    enter: () => {
      key = null;
    },
    update() {
      const { closed } = session;
      const now = `${session.key} ${closed}`;
      if (now === key) return;
      key = now;
      for (const part of [about, form]) part.hidden = closed;
      if (closed) {
        say(CLOSED);
        return;
      }
      const { legal, over } = session.shown;
      const ranked = session.found?.candidates.map((candidate) => candidate.move) ?? [];
      for (const [index, select] of [one, other].entries()) {
        replaceChildren(select, choices([["", index ? "None" : "Best two"], ...legal.map((text) => [text, text])]));
        select.value = legal.includes(ranked[index]) ? ranked[index] : "";
      }
      if (over || !legal.length) say("The game is over.");
      else load();
    },
  };
}

/** @param {import("../types.js").ExplanationView[]} moves one or two */
function breakdown(moves) {
  const names = [...new Set(moves.flatMap((move) => move.terms.map((term) => term.name)))];
  const rows = names.map((name) => ({ name, terms: moves.map((move) => move.terms.find((term) => term.name === name)) }));
  const contribution = (term) => term?.contribution ?? 0;
  const weight = ({ terms: [first, second] }) => Math.abs(contribution(first) - contribution(second));
  const size = ({ terms }) => Math.max(...terms.map((term) => Math.abs(contribution(term))));
  rows.sort((first, second) => weight(second) - weight(first) || size(second) - size(first));
  const largest = Math.max(...rows.flatMap((row) => row.terms.map((term) => Math.abs(contribution(term)))), 1e-9);
  const cell = (term) => {
    if (!term) return h("td", {}, "–");
    const style = { "--share": `${(50 * Math.abs(term.contribution)) / largest}%` };
    return h(
      "td",
      { class: "number" },
      h("span", { class: `part ${term.contribution < 0 ? "against" : "for"}`, "aria-hidden": "true", style }),
      h("span", {}, signed(term.contribution)),
      h("small", {}, `value ${number(term.reading)}, weight\u00a0${number(term.weight)}`),
    );
  };
  const line = (row) => h("tr", {}, h("th", { scope: "row" }, row.name.replaceAll("_", " ")), row.terms.map(cell));
  const body = [
    h("tbody", {}, rows.slice(0, MAX_FEATURES).map(line)),
    rows.length > MAX_FEATURES && h("caption", {}, `The ${MAX_FEATURES} of ${rows.length} features with the largest contributions`),
  ];
  return tableOf("features", ["Feature", ...moves.map((move) => `${move.move} · ${percent(move.probability)}`)], body);
}

/** A number with its sign, unless it is zero: `signed(-0.251) === "−0.25"`. @param {number} value */
const signed = (value) => {
  const text = Math.abs(value).toFixed(2);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
};
const number = (value) =>
  (Math.abs(value) >= 100 ? value.toFixed(0) : Number(value.toPrecision(3)).toString()).replace("-", "−");
