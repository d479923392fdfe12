/**
 * Helpers to build elements. Text is never parsed as markup, and styles are set through the DOM: the content security policy
 * allows neither inline scripts nor inline styles.
 */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Set the properties and children of an element.
 * @param {Element} element
 * @param {Record<string, any>} properties  attributes; `on…` are event listeners; null and false are omitted
 * @param {any[]} children  elements, strings, arrays of them, or null
 */
function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "style") for (const [key, style] of Object.entries(value)) element.style.setProperty(key, style);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/**
 * An HTML element: `h("button", {class: "main", onclick: play}, "Play")`.
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

/** Replace all children of an element. @param {Element} element @param {...any} children */
export function replaceChildren(element, ...children) {
  element.replaceChildren(
    ...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Set an attribute, or remove it if the value is null or false. */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value))
    element.setAttribute(name, value === true ? "" : String(value));
}

let numbers = 0;
/** A unique id, for labels. @param {string} prefix */
export function unique(prefix) {
  numbers += 1;
  return `${prefix}-${numbers}`;
}

/** An icon from a path in a square of 24 units. @param {string} path @param {string} [extra] */
export function icon(path, extra = "") {
  return s("svg", { viewBox: "0 0 24 24", class: `icon ${extra}`, "aria-hidden": "true" }, s("path", { d: path }));
}
