/**
 * The state of one table on the page: its current position, the one that is shown, and the calls that change them; analysis
 * is in `analysis_session.js`. Views listen and draw; only the session calls the server.
 */
import { moveText, moveTexts, ownSeat, statusText } from "../ui/format.js";
import { announce, notify } from "../ui/notices.js";
import { AnalysisSession } from "./analysis_session.js";
import { api, ApiError } from "./api.js";
import { remember } from "./links.js";
import { Live } from "./live.js";

const NOT_FOUND = 404;

export class Session extends AnalysisSession {
  /** @param {import("../types.js").TableView} table @param {any} info  the listed game, or what is assumed of others */
  constructor(table, info) {
    super();
    this.table = table;
    this.info = info;
    /** The shown position; `table` unless an earlier ply is shown. @type {import("../types.js").TableView} */
    this.shown = table;
    /** The ply shown, null: the current one. @type {number|null} */
    this.at = null;
    this.connected = true;
    this.line = null;
    this.tab = "moves";
    this.revealedSeat = null; // whose hidden cards are shown, if several people share the screen
    this.listeners = new Set();
    this.positions = new Map();
    this.lost = false;
    this.reconnected = false;
    this.received = performance.now();
  }

  /** @param {() => void} listener */
  on(listener) {
    this.listeners.add(listener);
  }

  changed() {
    for (const listener of this.listeners) listener();
  }

  open() {
    remember(this.table);
    this.live = new Live(this.table.id, {
      message: (message) => this.receive(message),
      state: (open) => {
        if (open && !this.connected) {
          announce("Reconnected.");
          this.reconnected = true;
          this.hinting = this.reviewing = false; // a restarted server has lost them
          this.analyseShown();
        }
        this.connected = open;
        this.changed();
      },
      gone: () => this.tableLost(),
    });
    if (this.hidden) this.showPly(null);
  }

  close() {
    this.live?.close();
    this.listeners.clear();
  }

  get hidden() {
    return this.table.hidden;
  }

  /** Whether what others hold must not be shown. */
  get closed() {
    return this.hidden && !this.table.over;
  }

  /** The ply of the shown position. */
  get ply() {
    return this.at ?? this.table.plies;
  }

  /** The seat whose cards are shown: the only person, or the one who has revealed their hand. */
  get viewer() {
    return ownSeat(this.table) ?? this.revealedSeat;
  }

  /** Whether all cards are covered: several people share the screen, and none has revealed their hand. */
  get covered() {
    return this.closed && this.viewer === null;
  }

  /** Equal for equal positions. */
  get key() {
    return keyOf(this.table, this.shown.ply);
  }

  /** Whether a person may move in the shown position. A move in an earlier position starts a new game. */
  get canPlay() {
    const { shown } = this;
    if (shown.over || shown.turn === null || !shown.legal.length) return false;
    if (this.at !== null) return !this.hidden;
    const seat = this.table.seats[shown.turn];
    return seat.kind === "person" && !this.table.thinking && (!this.hidden || this.viewer === shown.turn);
  }

  /** Handle a message of the live connection. @param {import("../types.js").Message} message */
  receive(message) {
    if (message.type === "table") this.applyTable(message, true);
    else if (message.type === "analysis") this.applyAnalysis(message);
    else if (message.type === "solution") this.applySolution(message);
    else if (message.type === "review") this.applyReview(message);
    else this.fail(message.error);
  }

  /** Apply a newer table. @param {any} table @param {boolean} [live] from the live connection, not a response */
  applyTable(table, live = false) {
    if (table.id !== this.table.id) return;
    const before = this.table;
    // Responses and live messages may overtake each other; of the same version, live ones are newer: they include thinking.
    // After a reconnect the server's table is always applied.
    if (!this.reconnected && (live ? table.version < before.version : table.version <= before.version)) return;
    this.reconnected = false;
    const moved = table.plies !== before.plies || keyOf(table, table.plies) !== keyOf(before, before.plies);
    if (moved) this.announceMoves(before, table);
    else if (table.over && !before.over) announce(statusText(table));
    if (table.message && table.message !== before.message) announce(table.message);
    this.table = table;
    this.received = performance.now();
    if (moved) {
      this.hinting = false;
      this.hint = null;
      this.line = null;
      this.positions.clear();
      if (table.plies < before.plies) this.reviewing = false; // an undo cancels it
      this.reviewed = new Map(
        [...this.reviewed].filter(([ply]) => ply <= table.plies && keyOf(table, ply) === keyOf(before, ply)),
      );
      if (this.revealedSeat !== null && ownSeat(table) === null && table.turn !== this.revealedSeat) this.revealedSeat = null;
      remember(table);
    }
    if (this.at !== null && this.at > table.plies) this.at = null;
    if (this.at === null) {
      if (this.hidden) this.showPly(null);
      else this.shown = table;
      if (moved) this.analyseShown();
    }
    this.changed();
  }

  /** Announce the moves between two tables. */
  announceMoves(before, table) {
    const fresh = table.moves.slice(before.plies);
    const texts = table.plies > before.plies ? fresh.map((move) => moveText(table, move)) : ["Move taken back."];
    announce([...texts, statusText(table)].join(" "));
    this.onmoves?.(fresh);
  }

  /** Call the server; a failure becomes a notification. @returns {Promise<any>} */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === NOT_FOUND) this.tableLost();
      else notify(error.message);
      return null;
    }
  }

  /** The server no longer has the table. */
  tableLost() {
    if (!this.lost) this.ongone?.();
    this.lost = true;
  }

  /** Show the position at a ply; null: the current one. @param {number|null} ply */
  async showPly(ply) {
    const { table } = this;
    this.at = ply !== null && ply >= table.plies && !table.thinking ? null : ply;
    const wanted = this.ply;
    const key = `${keyOf(table, wanted)} ${this.viewer}`;
    this.line = null;
    let position = this.positions.get(key);
    if (!position && this.at === null && !this.hidden) position = table;
    if (!position) position = await this.attempt(() => api.table(table.id, wanted, this.viewer));
    if (!position || wanted !== this.ply) return;
    if (this.at !== null) this.positions.set(key, position);
    this.shown = position;
    this.analyseShown();
    this.changed();
  }

  /** @param {number} plies forward, or backward if negative */
  step(plies) {
    const ply = Math.max(0, Math.min(this.table.plies, this.ply + plies));
    if (ply !== this.ply) this.showPly(ply);
  }

  async play(text) {
    const { table, at } = this;
    if (at !== null && at < table.plies) return this.onbranch?.(at, text);
    this.shown = { ...this.shown, legal: [] }; // until the server has responded
    this.changed();
    if (!(await this.command("moves", { ply: table.plies, move: text, seat: table.turn }))) this.refresh();
    return null;
  }

  async refresh() {
    const next = await this.attempt(() => api.table(this.table.id, null, this.viewer));
    if (!next) return;
    this.applyTable(next);
    if (this.at === null) this.shown = next;
    this.changed();
  }

  /** Change the table: `session.command("undo")`. @param {string} name @param {object} [body] @returns {Promise<boolean>} */
  async command(name, body) {
    const next = await this.attempt(() => api.change(this.table.id, name, body));
    if (next) this.applyTable(next);
    return Boolean(next);
  }
}

/** @param {import("../types.js").TableView} table @param {number} ply */
const keyOf = (table, ply) => `${table.id} ${moveTexts(table, ply).join(" ")}`;
