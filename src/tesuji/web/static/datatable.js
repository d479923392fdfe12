/** Data tables. */
import { h } from "./dom.js";

/**
 * A table that scrolls horizontally if needed, with right-aligned numbers.
 * @param {string} label @param {string[]} heads @param {any[][]} rows
 */
export function dataTable(label, heads, rows) {
  const numeric = (value) => typeof value === "number" || /^(–?|[−\d.+][\d.,…%/ −+]*)$/.test(String(value));
  const kinds = heads.map((_, at) => (rows.every((row) => numeric(row[at])) ? "number" : ""));
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": label },
    h(
      "table",
      { class: "plain" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          heads.map((name, at) => (name ? h("th", { scope: "col", class: kinds[at] }, name) : h("td", {}))),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            row.map((value, at) => h("td", { class: kinds[at] }, typeof value === "number" ? String(value) : value)),
          ),
        ),
      ),
    ),
  );
}
