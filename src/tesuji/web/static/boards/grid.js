/**
 * A board as a grid for keyboards and screen readers: one cell is in the page's tab order, the arrow keys go to its
 * neighbours, Enter and Space act on it (the roving tabindex of the ARIA authoring practices).
 */

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * @param {Element} root                       holds the cells; no part of a picture, for those with listeners of focus can get it
 * @param {Map<string, any>} cells             by name
 * @param {object} ways
 * @param {(name: string, right: number, down: number) => string|null} ways.step  the neighbour as seen on the screen
 * @param {(name: string) => void} ways.act
 * @param {(name: string|null) => void} [ways.look]  the pointer or the focus is on this cell
 * @param {() => void} [ways.leave]            Escape
 * @returns {{here: (name: string) => void, focus: () => void}}
 */
export function rove(root, cells, { step, act, look, leave }) {
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
    else if (event.key === "Escape" && leave) leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  root.addEventListener("focusin", (event) => {
    const name = nameOf(event);
    if (name !== null) here(name);
    look?.(name);
  });
  root.addEventListener("focusout", () => look?.(null));
  root.addEventListener("pointerover", (event) => look?.(nameOf(event)));
  root.addEventListener("pointerleave", () => look?.(null));
  here(current);
  return { here, focus: () => cells.get(current)?.focus() };
}

/** The letter of a column. @param {number} column */
export const letter = (column) => "abcdefghijklmnopqrstuvwxyz"[column];

/** The name of a cell. @param {number} row @param {number} column */
export const cellName = (row, column) => `${letter(column)}${row + 1}`;

/** Row and column of a cell's name, or null where it is none. @param {string} name @returns {[number, number]|null} */
export function placeOf(name) {
  const match = /^([a-z])([1-9][0-9]?)$/.exec(name);
  return match ? [Number(match[2]) - 1, match[1].charCodeAt(0) - 97] : null;
}
