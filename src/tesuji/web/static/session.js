/**
 * One table as the page knows it: the newest position, the one that is looked at, and the calls that change them; what bots
 * think of it is in `studies.js`. Views listen and draw; none of them talks to the server by itself.
 */
import { api, ApiError } from "./api.js";
import { Live } from "./live.js";
import { remember } from "./links.js";
import { Studies } from "./studies.js";
import { moveText, ownSeat, statusText } from "./words.js";

const GONE = 404;

export class Session extends Studies {
  /** @param {import("./types.js").Table} table @param {import("./types.js").GameInfo|null} info */
  constructor(table, info) {
    super();
    this.table = table;
    this.info = info;
    /** The position on the screen; the same as `table` while the game is followed. @type {any} */
    this.shown = table;
    /** The ply looked at, or null: follow the game. @type {number|null} */
    this.at = null;
    this.connected = true;
    this.line = null;
    this.tab = "moves";
    this.opened = null; // the seat whose hidden cards are open, where several people share the screen
    this.listeners = new Set();
    this.positions = new Map();
    this.lost = false;
    this.returned = false; // from a break of the connection
    this.received = performance.now();
  }

  /** @param {() => void} listener */
  on(listener) {
    this.listeners.add(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  open({ announce, complain }) {
    this.announce = announce;
    this.complain = complain;
    remember(this.table);
    this.live = new Live(this.table.id, {
      message: (message) => this.hear(message),
      state: (open) => {
        if (open && !this.connected) {
          announce("Connected again.");
          this.returned = true;
          this.hinting = this.reviewing = false; // a server that was started again knows nothing of them
          this.analyseShown();
        }
        this.connected = open;
        this.changed();
      },
      gone: () => this.lose(),
    });
    if (this.hidden) this.look(null);
  }

  close() {
    this.live?.close();
    this.listeners.clear();
  }

  get hidden() {
    return Boolean(this.info?.hidden);
  }

  /** Whose eyes see the table, where cards are hidden: the only person, or the one who has opened the hand. */
  get eyes() {
    const own = ownSeat(this.table);
    return own ?? this.opened;
  }

  /** Whether cards are to be covered: several people share the screen, and nobody has said who looks. */
  get covered() {
    return this.hidden && !this.table.over && ownSeat(this.table) === null && this.opened === null;
  }

  /** A text that is equal for equal positions. */
  get key() {
    return keyOf(this.table, this.shown.ply);
  }

  /** Whether the person here may move in the position shown. A move in an old position begins another game. */
  get mayPlay() {
    const { shown } = this;
    if (shown.over || shown.turn === null || !shown.legal.length) return false;
    if (this.at !== null) return !this.hidden;
    const seat = this.table.seats[shown.turn];
    return seat.kind === "person" && !this.table.thinking && (!this.hidden || this.eyes === shown.turn);
  }

  /** Take a message of the live connection. */
  hear(message) {
    if (message.type === "table") this.take(message, true);
    else if (message.error) this.fail(message.error);
    else if (message.type === "analysis") this.takeAnalysis(message);
    else if (message.type === "review") this.takeReview(message);
  }

  /** Take a newer table. @param {any} table @param {boolean} [live] it came by the live connection, not as an answer */
  take(table, live = false) {
    if (table.id !== this.table.id) return;
    const before = this.table;
    // Answers and live messages may overtake each other, and of one version the live ones are newer: they tell of thinking.
    // After a break the server's word counts, whatever it says.
    if (!this.returned && (live ? table.version < before.version : table.version <= before.version)) return;
    this.returned = false;
    const moved = table.plies !== before.plies || keyOf(table, table.plies) !== keyOf(before, before.plies);
    if (moved) this.tell(before, table);
    else if (table.over && !before.over) this.announce(statusText(table));
    if (table.message && table.message !== before.message) this.announce(table.message);
    this.table = table;
    this.received = performance.now();
    if (moved) {
      this.hinting = false;
      this.hint = null;
      this.line = null;
      this.positions.clear();
      if (table.plies < before.plies) this.reviewing = false; // an undo ends it
      this.reviewed = new Map(
        [...this.reviewed].filter(([ply]) => ply <= table.plies && keyOf(table, ply) === keyOf(before, ply)),
      );
      if (this.opened !== null && ownSeat(table) === null && table.turn !== this.opened) this.opened = null;
      remember(table);
    }
    if (this.at !== null && this.at > table.plies) this.at = null;
    if (this.at === null) {
      if (this.hidden) this.look(null);
      else this.shown = table;
      if (moved) this.analyseShown();
    }
    this.changed();
  }

  /** Say what happened between two tables. */
  tell(before, table) {
    const fresh = table.moves.slice(before.plies);
    const said = table.plies > before.plies ? fresh.map((move) => moveText(table, move)) : ["Taken back."];
    this.announce([...said, statusText(table)].join(" "));
    this.onmoves?.(fresh);
  }

  /** Do something at the server; a failure becomes a line on the screen. @returns {Promise<any>} */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === GONE) this.lose();
      else this.complain(error.message);
      return null;
    }
  }

  /** The server has forgotten the table. */
  lose() {
    if (!this.lost) this.ongone?.();
    this.lost = true;
  }

  /** Look at the position after so many plies; null follows the game. @param {number|null} ply */
  async look(ply) {
    const { table } = this;
    this.at = ply !== null && ply >= table.plies && !table.thinking ? null : ply;
    const wanted = this.at ?? table.plies;
    const key = `${keyOf(table, wanted)} ${this.eyes}`;
    this.line = null;
    let position = this.positions.get(key);
    if (!position && this.at === null && !this.hidden) position = table;
    if (!position) position = await this.attempt(() => api.table(table.id, wanted, this.eyes));
    if (!position || wanted !== (this.at ?? this.table.plies)) return;
    if (this.at !== null) this.positions.set(key, position);
    this.shown = position;
    this.analyseShown();
    this.changed();
  }

  /** @param {number} plies forwards or backwards */
  step(plies) {
    const ply = Math.max(0, Math.min(this.table.plies, (this.at ?? this.table.plies) + plies));
    if (ply !== (this.at ?? this.table.plies)) this.look(ply);
  }

  async play(text) {
    const { table, at } = this;
    if (at !== null && at < table.plies) return this.onbranch?.(at, text);
    this.shown = { ...this.shown, legal: [] }; // one move at a time
    this.changed();
    const next = await this.attempt(() => api.move(table.id, table.plies, text, table.turn));
    if (next) this.take(next);
    else this.refresh();
    return null;
  }

  async refresh() {
    const next = await this.attempt(() => api.table(this.table.id, null, this.eyes));
    if (!next) return;
    this.take(next);
    if (this.at === null) this.shown = next;
    this.changed();
  }

  /** A call that answers with the table. @param {(id: string) => Promise<any>} call */
  async change(call) {
    const next = await this.attempt(() => call(this.table.id));
    if (next?.id) this.take(next);
  }

  /** @param {"undo"|"stop"|"pause"|"step"} name */
  order(name) {
    return this.change(api[name]);
  }

  resign() {
    return this.change((id) => api.resign(id, ownSeat(this.table) ?? this.table.turn));
  }

  speed(seconds) {
    return this.change((id) => api.speed(id, seconds));
  }

  exchange(seats) {
    return this.change((id) => api.seats(id, seats));
  }
}

/** @param {any} table @param {number} ply */
const keyOf = (table, ply) =>
  `${table.id} ${table.moves
    .slice(0, ply)
    .map((move) => move.text)
    .join(" ")}`;
