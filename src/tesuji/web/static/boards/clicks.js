/**
 * Moves by clicks. A move is played by clicking its cells and pieces in hand in order, such as from and to; `chosen` are the
 * clicks so far.
 *
 * @typedef {{text: string, clicks: string[]}} ClickMove
 */

/** @param {ClickMove} move @param {string[]} clicks */
const startsWith = (move, clicks) => clicks.every((name, index) => move.clicks[index] === name);

export class Clicks {
  constructor() {
    /** @type {string[]} */
    this.chosen = [];
    /** @type {ClickMove[]} */
    this.moves = [];
  }

  /** Use these moves; the clicks so far are kept if they still begin a move. @param {ClickMove[]} moves @param {boolean} keep */
  update(moves, keep) {
    this.moves = moves.filter((move) => move.clicks.length);
    if (!keep || !this.open.length) this.chosen = [];
  }

  /** The moves that begin with the clicks so far. */
  get open() {
    return this.moves.filter((move) => startsWith(move, this.chosen));
  }

  /** The moves that a click on this name continues or completes. @param {string} name */
  next(name) {
    return this.open.filter((move) => move.clicks[this.chosen.length] === name);
  }

  /** What can be clicked next, and whether it completes a move. @returns {Map<string, boolean>} */
  targets() {
    const found = new Map();
    const { length } = this.chosen;
    for (const { clicks } of this.open)
      if (clicks.length > length) found.set(clicks[length], Boolean(found.get(clicks[length])) || clicks.length === length + 1);
    return found;
  }

  /**
   * Click. Returns the moves that are complete: one to play, or several to choose from. A click that continues no move
   * cancels, or begins another move.
   * @param {string} name @returns {ClickMove[]}
   */
  click(name) {
    const found = this.next(name);
    if (!found.length) {
      const again = this.chosen.at(-1) === name;
      this.chosen = [];
      if (again || !this.next(name).length) return [];
      return this.click(name);
    }
    this.chosen = [...this.chosen, name];
    return found.filter((move) => move.clicks.length === this.chosen.length);
  }

  clear() {
    this.chosen = [];
  }
}
