/**
 * The half of a session that asks bots: a live analysis, a hint, a review. The server studies one thing at a time, and so
 * one of them ends another. What is asked about is the session's: `table`, `shown`, `key`, `attempt`.
 */
import { api } from "./api.js";

const HINT_SECONDS = 1.5;

export class Studies {
  constructor() {
    this.analysis = null;
    /** What is asked of the analysis, or null where it is off. @type {{bot?: string, seconds?: number}|null} */
    this.analysing = null;
    this.hint = null;
    this.hinting = false;
    /** @type {Map<number, any>} */
    this.reviewed = new Map();
    this.reviewing = false;
  }

  /** The analysis of the position shown, where there is one. */
  get found() {
    return this.analysis && this.analysis.key === this.key ? this.analysis : null;
  }

  /** A study has failed. @param {string} error */
  fail(error) {
    this.hinting = false;
    this.reviewing = false;
    this.analysing = null;
    this.complain(error);
    this.changed();
  }

  takeAnalysis(message) {
    if (message.ply !== this.shown.ply) return;
    const first = (one) => Number(one.move === message.move); // what the bot would play, then by visits
    const candidates = message.candidates.toSorted(
      (one, other) => first(other) - first(one) || other.visits - one.visits,
    );
    this.analysis = { ...message, candidates, key: this.key };
    if (this.hinting && message.done) {
      this.hinting = false;
      const best = candidates[0];
      this.hint = best ? { ...best, key: this.key } : null;
      this.announce(
        best ? `Hint: ${best.move}, ${Math.round(100 * best.value)} percent.` : "No hint: the bot found nothing.",
      );
    }
    this.changed();
  }

  takeReview(message) {
    if (message.ply !== undefined && message.ply !== null) this.reviewed.set(message.ply, message);
    if (message.done) {
      this.reviewing = false;
      this.announce("The review is ready.");
    }
    this.changed();
  }

  /** What the bot would play here. */
  async advise() {
    this.hinting = true;
    this.reviewing = false; // the server studies one thing at a time
    this.changed();
    const { bot } = this.analysing ?? {};
    const accepted = await this.attempt(() =>
      api.analyse(this.table.id, { ply: this.shown.ply, bot, seconds: HINT_SECONDS }).then(() => true),
    );
    if (!accepted) this.hinting = false;
    this.changed();
  }

  /** Analyse what is shown, and go on with every position looked at. @param {{bot?: string, seconds?: number}|null} wishes */
  async analyse(wishes) {
    this.analysing = wishes;
    if (wishes) await this.analyseShown();
    else await this.attempt(() => api.stopAnalysis(this.table.id));
    this.changed();
  }

  async analyseShown() {
    if (!this.analysing || this.shown.over) return;
    this.reviewing = false;
    const accepted = await this.attempt(() =>
      api.analyse(this.table.id, { ply: this.shown.ply, ...this.analysing }).then(() => true),
    );
    if (!accepted) this.analysing = null;
  }

  async review(wishes) {
    this.reviewing = true;
    this.analysing = null;
    this.reviewed = new Map();
    this.changed();
    const accepted = await this.attempt(() => api.review(this.table.id, wishes).then(() => true));
    if (!accepted) this.reviewing = false;
    this.changed();
  }
}
