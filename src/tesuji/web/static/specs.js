/** Specs of games, such as `go:size=9,rule="a b"`, as the server writes them. */

const OPTION = /([A-Za-z_]\w*)=(?:"((?:[^"\\]|\\.)*)"|([^\s,=":]+))/g;

/** The options of a spec, by name. @param {string} spec @returns {Record<string, string>} */
export function optionsOf(spec) {
  const cut = spec.indexOf(":");
  const found = cut < 0 ? [] : [...spec.slice(cut + 1).matchAll(OPTION)];
  return Object.fromEntries(found.map(([, name, quoted, bare]) => [name, bare ?? quoted.replace(/\\(.)/g, "$1")]));
}
