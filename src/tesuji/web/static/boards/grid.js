/**
 * Grids for keyboards and screen readers: one cell is in the tab order, arrow keys move to its neighbours, Enter and Space act
 * on it (the roving tabindex of the ARIA authoring practices).
 */

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {Element} root                       contains the cells; not an SVG element, since those with focus listeners become focusable
 * @param {Map<string, any>} cells             by name
 * @param {object} ways
 * @param {(name: string, right: number, down: number) => string|null} ways.step  the neighbour on the screen
 * @param {(name: string) => void} ways.act
 * @param {(name: string|null) => void} [ways.hover]  the pointer or focus is on this cell
 * @param {() => void} [ways.cancel]           Escape
 * @returns {{here: (name: string) => void, focus: () => void}}
 */
export function rovingTabindex(root, cells, { step, act, hover, cancel }) {
  let current = cells.keys().next().value;

  function here(name) {
    if (!cells.has(name)) return;
    cells.get(current)?.setAttribute("tabindex", "-1");
    current = name;
    cells.get(name).setAttribute("tabindex", "0");
  }
  const nameOf = (event) => event.target.closest?.("[data-cell]")?.dataset.cell ?? null;

  root.addEventListener("keydown", (event) => {
    const name = nameOf(event);
    if (name === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in ARROWS) {
      const next = step(name, ...ARROWS[event.key]);
      if (next !== null && cells.has(next)) {
        here(next);
        cells.get(next).focus();
      }
    } else if (event.key === "Enter" || event.key === " ") act(name);
    else if (event.key === "Escape" && cancel) cancel();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener("focusin", (event) => {
    const name = nameOf(event);
    if (name !== null) here(name);
    hover?.(name);
  });
  root.addEventListener("focusout", () => hover?.(null));
  root.addEventListener("pointerover", (event) => hover?.(nameOf(event)));
  root.addEventListener("pointerleave", () => hover?.(null));
  here(current);
  return { here, focus: () => cells.get(current)?.focus() };
}

/** The letter of a column. @param {number} column */
export const letter = (column) => "abcdefghijklmnopqrstuvwxyz"[column];

/** The name of a cell. @param {number} row @param {number} column */
export const cellName = (row, column) => `${letter(column)}${row + 1}`;

/** Row and column of a cell's name, or null if it is not one. @param {string} name @returns {[number, number]|null} */
export function placeOf(name) {
  const match = /^([a-z])([1-9][0-9]?)$/.exec(name);
  return match ? [Number(match[2]) - 1, match[1].charCodeAt(0) - 97] : null;
}

/** Legal moves that are not cells, as buttons. @param {string[]} legal @param {Record<string, string>} labels */
export const offBoardMoves = (legal, labels) =>
  legal.filter((text) => !placeOf(text)).map((text) => ({ text, label: labels[text] ?? text }));

const ASIDE = 2.5; // how much worse a unit to the side is than one ahead

/**
 * The nearest place on the screen in a direction: within 45 degrees of it, else anywhere on that side.
 * @param {Map<string, [number, number]>} places @param {string} name @param {number} right @param {number} down
 * @returns {string|null}
 */
export function neighbour(places, name, right, down) {
  const [x, y] = places.get(name);
  let best = null;
  for (const [other, [ox, oy]] of places) {
    const ahead = (ox - x) * right + (oy - y) * down;
    const aside = Math.abs((ox - x) * down) + Math.abs((oy - y) * right);
    if (ahead < 0.5) continue; // half a unit of the picture
    const rank = [aside <= ahead * 1.01 ? 0 : 1, ahead + ASIDE * aside];
    if (!best || rank[0] < best.rank[0] || (rank[0] === best.rank[0] && rank[1] < best.rank[1] - 0.01)) best = { rank, other };
  }
  return best?.other ?? null;
}
