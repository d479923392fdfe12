/** Form fields for options, made from the same list that the command line and the docs are made from. */
import { h, unique } from "./dom.js";
import { optionTitle } from "./words.js";

/** A value as a spec writes it. @param {string} text */
const written = (text) => (/[,"\s=:]/.test(text) ? JSON.stringify(text) : text);

/**
 * @param {import("./types.js").Option[]} options
 * @param {() => void} [changed]
 * @returns {{element: any, text: () => string, get: (name: string) => string|null}}
 */
export function optionFields(options, changed = () => {}) {
  const inputs = new Map();
  const rows = options.map((option) => {
    const id = unique("option");
    const input = inputOf(option, id, changed);
    inputs.set(option.name, { option, input });
    return h(
      "div",
      { class: "field" },
      h("label", { for: id }, optionTitle(option.name)),
      input,
      h("small", {}, option.help),
    );
  });
  const valueOf = ({ option, input }) => {
    if (input.type === "checkbox") return input.checked ? "on" : "off";
    return input.value.trim() === "" ? String(option.default) : input.value.trim();
  };
  return {
    element: h("div", { class: "fields" }, rows),
    get: (name) => (inputs.has(name) ? valueOf(inputs.get(name)) : null),
    /** Only what differs from the defaults: `size=9,swap=on`. */
    text: () =>
      [...inputs.values()]
        .filter((one) => valueOf(one) !== String(one.option.default))
        .map((one) => `${one.option.name}=${written(valueOf(one))}`)
        .join(","),
  };
}

function inputOf(option, id, changed) {
  const { kind, default: usual } = option;
  const common = { id, name: option.name, onchange: changed };
  const words = option.choices ?? [];
  if (kind === "switch") return h("input", { ...common, type: "checkbox", checked: usual === "on", role: "switch" });
  if (kind === "choice")
    return h(
      "select",
      common,
      words.map((choice) => h("option", { value: choice, selected: choice === usual }, choice)),
    );
  const number = (kind === "int" || kind === "float") && !words.length; // else a word such as "off" may stand there
  return h("input", {
    ...common,
    type: number ? "number" : "text",
    value: words.includes(usual) ? "" : usual,
    placeholder: usual,
    autocomplete: "off",
    min: number ? option.least : null,
    max: number ? option.most : null,
    step: kind === "float" ? "any" : null,
  });
}
