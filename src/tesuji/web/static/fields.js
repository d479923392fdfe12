/** Form fields for the options of games and bots, as described by the server. */
import { h, unique } from "./dom.js";
import { optionTitle } from "./format.js";

/** A value quoted for a spec. @param {string} text */
const quoted = (text) => (/[,"\s=:]/.test(text) ? JSON.stringify(text) : text);

/** Whether an option is shown at once. @param {import("./types.js").Option} option */
export const isBasic = (option) => option.visibility === "basic";

/**
 * The basic options, and the others behind "More options" if there are basic ones.
 * @param {(import("./types.js").Option & {value?: string})[]} options  `value`: instead of the default
 * @param {() => void} [changed]
 * @returns {{element: any, text: () => string, get: (name: string) => string|null}}
 */
export function optionFields(options, changed = () => {}) {
  const inputs = new Map();
  const row = (option) => {
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
  };
  const basic = options.filter(isBasic).map(row);
  const others = options.filter((option) => !isBasic(option)).map(row);
  const valueOf = ({ option, input }) => {
    if (input.type === "checkbox") return input.checked ? "on" : "off";
    return input.value.trim() === "" ? String(option.default) : input.value.trim();
  };
  return {
    element: h(
      "div",
      { class: "fields" },
      basic.length && others.length
        ? [...basic, h("details", {}, h("summary", {}, "More options"), h("div", { class: "fields" }, others))]
        : [...basic, ...others],
    ),
    get: (name) => (inputs.has(name) ? valueOf(inputs.get(name)) : null),
    /** The options that differ from their defaults: `size=9,swap=on`. */
    text: () =>
      [...inputs.values()]
        .filter((one) => valueOf(one) !== String(one.option.default))
        .map((one) => `${one.option.name}=${quoted(valueOf(one))}`)
        .join(","),
  };
}

function inputOf(option, id, changed) {
  const { kind, default: defaultValue } = option;
  const value = option.value ?? defaultValue;
  const common = { id, name: option.name, onchange: changed };
  const words = option.choices ?? [];
  if (kind === "switch") return h("input", { ...common, type: "checkbox", checked: value === "on", role: "switch" });
  if (kind === "choice")
    return h(
      "select",
      common,
      words.map((choice) => h("option", { value: choice, selected: choice === value }, choice)),
    );
  const number = (kind === "int" || kind === "float") && !words.length; // else a word such as "off" is allowed
  return h("input", {
    ...common,
    type: number ? "number" : "text",
    value: words.includes(value) ? "" : value,
    placeholder: defaultValue,
    autocomplete: "off",
    min: number ? option.minimum : null,
    max: number ? option.maximum : null,
    step: kind === "float" ? "any" : null,
  });
}
