/** Data tables. */
import { h } from "./dom.js";

/**
 * A table with a line of heads; `heads` are texts or cells, and `body` is its `tbody`.
 * @param {string} kind @param {any[]} heads @param {any} body
 */
export const tableOf = (kind, heads, body) =>
  h(
    "table",
    { class: kind },
    h("thead", {}, h("tr", {}, heads.map((head) => (typeof head === "string" ? h("th", { scope: "col" }, head) : head)))),
    body,
  );

/**
 * A table that scrolls horizontally if needed, with right-aligned numbers.
 * @param {string} label @param {string[]} heads @param {any[][]} rows
 */
export function dataTable(label, heads, rows) {
  const numeric = (value) => typeof value === "number" || /^(–?|[−\d.+][\d.,…%/ −+]*)$/.test(String(value));
  const kinds = heads.map((_, at) => (rows.every((row) => numeric(row[at])) ? "number" : ""));
  const cell = (value, at) => h("td", { class: kinds[at] }, typeof value === "number" ? String(value) : value);
  const cells = heads.map((name, at) => (name ? h("th", { scope: "col", class: kinds[at] }, name) : h("td", {})));
  const body = h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell))));
  return h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, tableOf("plain", cells, body));
}
