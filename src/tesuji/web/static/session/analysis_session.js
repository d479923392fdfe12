/**
 * The part of a session that requests analysis, solutions, hints and reviews. The server runs one such job per table, so that
 * each cancels the others. Uses `table`, `shown`, `key` and `attempt` of the session.
 */
import { percent } from "../ui/format.js";
import { announce, notify } from "../ui/notices.js";
import { verdict } from "../table/solution.js";
import { api } from "./api.js";

const HINT_SECONDS = 1.5;

export class AnalysisSession {
  constructor() {
    /** The latest result: an analysis or a solution. @type {any} */
    this.analysis = null;
    /** The current analysis request, null if off. @type {{bot?: string, seconds?: number, solve?: boolean}|null} */
    this.analysing = null;
    this.hint = null;
    this.hinting = false;
    /** @type {Map<number, import("../types.js").ReviewMessage>} */
    this.reviewed = new Map();
    this.reviewing = false;
  }

  /** The analysis of the shown position, if there is one. @returns {import("../types.js").AnalysisMessage|null} */
  get found() {
    return this.latest("analysis");
  }

  /** Who wins after each move of the shown position, if it was the last to be solved. */
  get solved() {
    return this.latest("solution");
  }

  /** @param {string} type */
  latest(type) {
    return this.analysis?.type === type && this.analysis.key === this.key ? this.analysis : null;
  }

  /** Report a failed job. @param {string} error */
  fail(error) {
    this.hinting = false;
    this.reviewing = false;
    this.analysing = null;
    notify(error);
    this.changed();
  }

  applyAnalysis(message) {
    if (message.ply !== this.shown.ply) return;
    const first = (one) => Number(one.move === message.move); // the chosen move first, then by visits
    const candidates = message.candidates.toSorted(
      (one, other) => first(other) - first(one) || other.visits - one.visits,
    );
    this.analysis = { ...message, candidates, key: this.key };
    if (this.hinting && message.done) {
      this.hinting = false;
      const best = candidates[0];
      this.hint = best ? { ...best, key: this.key } : null;
      announce(best ? `Hint: ${best.move}, ${percent(best.value).replace("%", " percent")}.` : "No hint found.");
    }
    this.changed();
  }

  applySolution(message) {
    if (message.ply !== this.shown.ply) return;
    this.analysis = { ...message, key: this.key };
    if (message.done) announce(verdict(message, this.shown));
    this.changed();
  }

  applyReview(message) {
    this.reviewed.set(message.ply, message);
    if (message.done) {
      this.reviewing = false;
      announce("Review finished.");
    }
    this.changed();
  }

  /** Start a job; whether the server accepts it. @param {string} name @param {object} request @returns {Promise<boolean>} */
  async job(name, request) {
    return Boolean(await this.attempt(() => api.change(this.table.id, name, request)));
  }

  /** Request a hint. */
  async requestHint() {
    this.hinting = true;
    this.reviewing = false; // cancelled by the server
    this.changed();
    const bot = this.analysing?.bot;
    if (!(await this.job("analysis", { ply: this.shown.ply, bot, seconds: HINT_SECONDS }))) this.hinting = false;
    this.changed();
  }

  /**
   * Analyse or solve the shown position, and every position shown later; null stops.
   * @param {{bot?: string, seconds?: number, solve?: boolean}|null} request
   */
  async analyse(request) {
    this.analysing = request;
    if (request) await this.analyseShown();
    else await this.attempt(() => api.stopAnalysis(this.table.id));
    this.changed();
  }

  async analyseShown() {
    if (!this.analysing || this.shown.over) return;
    this.reviewing = false;
    const { solve, ...request } = this.analysing;
    if (!(await this.job(solve ? "solution" : "analysis", { ply: this.shown.ply, ...request }))) this.analysing = null;
  }

  async review(request) {
    this.reviewing = true;
    this.analysing = null;
    this.reviewed = new Map();
    this.changed();
    if (!(await this.job("review", request))) this.reviewing = false;
    this.changed();
  }
}
