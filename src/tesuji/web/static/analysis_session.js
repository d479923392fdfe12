/**
 * The part of a session that requests analysis, solutions, hints and reviews. The server runs one such job per table, so that
 * each cancels the others. Uses `table`, `shown`, `key` and `attempt` of the session.
 */
import { api } from "./api.js";
import { verdict } from "./solution.js";

const HINT_SECONDS = 1.5;

export class AnalysisSession {
  constructor() {
    /** The latest result: an analysis or a solution. @type {any} */
    this.analysis = null;
    /** The current analysis request, null if off. @type {{bot?: string, seconds?: number, solve?: boolean}|null} */
    this.analysing = null;
    this.hint = null;
    this.hinting = false;
    /** @type {Map<number, any>} */
    this.reviewed = new Map();
    this.reviewing = false;
  }

  /** The analysis of the shown position, if there is one. */
  get found() {
    return this.analysis?.type === "analysis" && this.analysis.key === this.key ? this.analysis : null;
  }

  /** Who wins after each move of the shown position, if it was the last to be solved. */
  get solved() {
    return this.analysis?.type === "solution" && this.analysis.key === this.key ? this.analysis : null;
  }

  /** Report a failed job. @param {string} error */
  fail(error) {
    this.hinting = false;
    this.reviewing = false;
    this.analysing = null;
    this.notify(error);
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
      this.announce(
        best ? `Hint: ${best.move}, ${Math.round(100 * best.value)} percent.` : "No hint found.",
      );
    }
    this.changed();
  }

  applySolution(message) {
    if (message.ply !== this.shown.ply) return;
    this.analysis = { ...message, key: this.key };
    if (message.done) this.announce(verdict(message, this.shown));
    this.changed();
  }

  applyReview(message) {
    if (message.ply !== undefined && message.ply !== null) this.reviewed.set(message.ply, message);
    if (message.done) {
      this.reviewing = false;
      this.announce("Review finished.");
    }
    this.changed();
  }

  /** Request a hint. */
  async requestHint() {
    this.hinting = true;
    this.reviewing = false; // cancelled by the server
    this.changed();
    const { bot } = this.analysing ?? {};
    const accepted = await this.attempt(() =>
      api.analyse(this.table.id, { ply: this.shown.ply, bot, seconds: HINT_SECONDS }).then(() => true),
    );
    if (!accepted) this.hinting = false;
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
    const { table, analysing } = this;
    const { ply } = this.shown;
    const accepted = await this.attempt(() =>
      (analysing.solve ? api.solve(table.id, { ply }) : api.analyse(table.id, { ply, ...analysing })).then(() => true),
    );
    if (!accepted) this.analysing = null;
  }

  async review(request) {
    this.reviewing = true;
    this.analysing = null;
    this.reviewed = new Map();
    this.changed();
    const accepted = await this.attempt(() => api.review(this.table.id, request).then(() => true));
    if (!accepted) this.reviewing = false;
    this.changed();
  }
}
