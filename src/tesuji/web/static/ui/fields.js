/** Form fields for the options of games and bots, as described by the server. */
import { choices, details, field, h } from "./dom.js";
import { optionTitle } from "./format.js";

/** A value quoted for a spec. @param {string} text */
const quoted = (text) => (/[,"\s=:]/.test(text) ? JSON.stringify(text) : text);

/** A spec: `specOf("hex", "size=9") === "hex:size=9"`. @param {string} name @param {...string|undefined} options */
export const specOf = (name, ...options) => {
  const text = options.filter(Boolean).join(",");
  return text ? `${name}:${text}` : name;
};

/** Whether an option is shown at once. @param {import("../types.js").OptionView} option */
export const isBasic = (option) => option.visibility === "basic";

/**
 * The basic options, and the others behind "More options" if there are basic ones.
 * @param {(import("../types.js").OptionView & {value?: string})[]} options  `value`: instead of the default
 * @param {() => void} [changed]
 * @returns {{element: any, text: () => string, get: (name: string) => string|null}}
 */
export function optionFields(options, changed = () => {}) {
  const inputs = new Map();
  const row = (option) => {
    const input = inputOf(option, changed);
    inputs.set(option.name, { option, input });
    return field(optionTitle(option.name), input, h("small", {}, option.help));
  };
  const basic = options.filter(isBasic).map(row);
  const others = options.filter((option) => !isBasic(option)).map(row);
  const valueOf = ({ option, input }) => {
    if (input.type === "checkbox") return input.checked ? "on" : "off";
    return input.value.trim() === "" ? String(option.default) : input.value.trim();
  };
  const folded = basic.length && others.length ? details("More options", h("div", { class: "fields" }, others)) : others;
  return {
    element: h("div", { class: "fields" }, basic, folded),
    get: (name) => (inputs.has(name) ? valueOf(inputs.get(name)) : null),
    /** The options that differ from their defaults: `size=9,swap=on`. */
    text: () =>
      [...inputs.values()]
        .filter((one) => valueOf(one) !== String(one.option.default))
        .map((one) => `${one.option.name}=${quoted(valueOf(one))}`)
        .join(","),
  };
}

function inputOf(option, changed) {
  const { kind, default: defaultValue, choices: words } = option;
  const value = option.value ?? defaultValue;
  const common = { name: option.name, onchange: changed };
  if (kind === "switch") return h("input", { ...common, type: "checkbox", checked: value === "on", role: "switch" });
  if (kind === "choice") return h("select", common, choices(words.map((word) => [word, word]), value));
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
