/**
 * Helpers to build elements. Text is never parsed as markup, and styles are set through the DOM: the content security policy
 * allows neither inline scripts nor inline styles.
 */

const SVG = "http://www.w3.org/2000/svg";

const absent = (value) => value === null || value === undefined || value === false;
const present = (children) => children.flat(3).filter((child) => !absent(child));

/**
 * Set the properties and children of an element.
 * @param {Element} element
 * @param {Record<string, any>} properties  attributes; `on…` are event listeners; null and false are omitted
 * @param {any[]} children  elements, strings, arrays of them, or null
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (absent(value)) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, style] of Object.entries(value)) element.style.setProperty(key, style);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/**
 * An HTML element: `h("p", {class: "muted"}, "No moves yet.")`.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {any}
 */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/**
 * An SVG element: `s("circle", {cx: 3, cy: 4, r: 2})`.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...any} children
 * @returns {any}
 */
export function s(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

/** A button: `button("Play", () => play(), {class: "main"})`. @param {any} content @param {(event: any) => void} act */
export const button = (content, act, properties = {}) =>
  h("button", { type: "button", onclick: act, ...properties }, content);

/** A form's field, labelled. @param {string} label @param {any} input @param {...any} more */
export function field(label, input, ...more) {
  input.id ||= unique("field");
  return h("div", { class: "field" }, h("label", { for: input.id }, label), input, more);
}

/**
 * Options of a drop-down list: `choices([["", "None"], ["a1", "a1"]])`.
 * @param {any[][]} entries  values and texts @param {any} [chosen]
 */
export const choices = (entries, chosen) =>
  entries.map(([value, text]) => h("option", { value: String(value), selected: value === chosen }, text));

/**
 * Radio buttons that look like buttons.
 * @param {string} title
 * @param {any[][]} entries  values, texts and perhaps help
 * @param {any} chosen
 * @param {(value: any) => void} choose
 * @returns {{element: any, show: (chosen: any) => void}}
 */
export function radios(title, entries, chosen, choose) {
  const name = unique("choice");
  const inputs = new Map(
    entries.map(([value]) => [value, h("input", { type: "radio", name, value: String(value), onchange: () => choose(value) })]),
  );
  const labels = entries.map(([value, text, help]) =>
    h("label", { class: "choice-label", title: help }, inputs.get(value), h("span", {}, text)),
  );
  const show = (value) => {
    for (const [each, input] of inputs) input.checked = each === value;
  };
  show(chosen);
  return { element: h("fieldset", { class: "choices" }, h("legend", {}, title), h("div", { class: "row" }, labels)), show };
}

/** Links to the same page of other games. @param {any[]} games @param {any} shown @param {(game: any) => string} address */
export const pills = (games, shown, address) =>
  h(
    "nav",
    { class: "pills", "aria-label": "Game" },
    games.map((game) => h("a", { href: address(game), "aria-current": game === shown ? "page" : null }, game.title)),
  );

/** Content that is shown on demand. @param {string} title @param {any[]} content */
export const details = (title, ...content) => h("details", {}, h("summary", {}, title), content);

/** Replace all children of an element. @param {Element} element @param {...any} children */
export function replaceChildren(element, ...children) {
  element.replaceChildren(...present(children));
  return element;
}

/** What puts the focus back after these places are drawn anew: on the element with the same data. @param {any[]} places @param {string} name */
export function focusIn(places, name) {
  const at = places.some((one) => one.contains(document.activeElement)) && document.activeElement.dataset[name];
  return () => {
    if (at) for (const one of places) one.querySelector(`[data-${name}="${CSS.escape(at)}"]`)?.focus();
  };
}

/** Set an attribute, or remove it if the value is null or false. */
export function setAttribute(element, name, value) {
  if (absent(value)) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value))
    element.setAttribute(name, value === true ? "" : String(value));
}

let numbers = 0;
/** A unique id, for labels. @param {string} prefix */
export function unique(prefix) {
  numbers += 1;
  return `${prefix}-${numbers}`;
}

/** Words for screen readers, or classes: those that are present. @param {any[]} words @param {string} separator */
export const joined = (words, separator = ", ") => words.filter(Boolean).join(separator);
