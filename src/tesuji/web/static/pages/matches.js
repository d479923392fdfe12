/** Matches and ratings of the store: tables, cross tables, and plots with error bars. */
import { api } from "../session/api.js";
import { dataTable } from "../ui/datatable.js";
import { details, h, replaceChildren } from "../ui/dom.js";
import { fail } from "../ui/notices.js";
import { ratingPlot } from "../ui/plot.js";

const muted = (...content) => h("p", { class: "muted" }, content);
const title = (text = "Matches and ratings") => h("h1", {}, text);
const sideBySide = (...content) => h("div", { class: "side-by-side" }, content);

/** @param {Element} main @param {import("../types.js").GameView[]} games @param {string} [id] of one match */
export async function showMatches(main, games, id) {
  document.title = "Matches · Tesuji";
  const page = h("div", { class: "page" }, title(), muted("Loading …"));
  replaceChildren(main, page);
  try {
    replaceChildren(page, id ? await oneMatch(id) : await allMatches(games));
  } catch (error) {
    replaceChildren(page, title(), muted(error.message));
    fail(error);
  }
}

async function allMatches(games) {
  const [matches, lists] = await Promise.all([api.matches(), api.ratings()]);
  const saved = h("a", { href: "#import" }, "saved");
  const row = (one) => [
    one.game,
    h("a", { href: `#matches/${encodeURIComponent(one.id)}` }, one.bots.join(" – ")),
    one.games,
    one.openings ?? "",
  ];
  const table = () => dataTable("Matches", ["Game", "Players", "Games", "Openings"], matches.map(row));
  return [
    title(),
    !matches.length && !lists.length && noMatches(games[0]?.name),
    muted("Games played by people are ", saved, ", but not rated, because the players have no names."),
    lists.filter((one) => one.ratings.length > 1).map(ratingSection),
    matches.length > 0 && h("section", {}, h("h2", {}, "Matches"), table()),
  ];
}

const noMatches = (game) =>
  muted(
    "There are no matches in the store yet. To play one, run ",
    h("code", {}, `tesuji match ${game} easy medium --games 40 --store games.db`),
    " and start the server with ",
    h("code", { class: "whole" }, "--store games.db"),
    ".",
  );

/** @param {import("../types.js").RatingsView} one */
function ratingSection(one) {
  const rows = one.ratings.map((rating, index) => [
    index + 1,
    rating.bot,
    whole(rating.elo.value),
    interval(rating.elo),
    rating.games,
    share(rating.points, rating.games),
  ]);
  const first = one.first_move?.value ? `; the first move is worth ${whole(one.first_move.value)} Elo` : "";
  const heads = ["", "Bot", "Elo", "95% interval", "Games", "Score"];
  return h(
    "section",
    { class: "rating" },
    h("h2", {}, one.game),
    muted(
      `${one.games} games${first}.`,
      !one.connected && " The bots are not connected by games, so their ratings cannot be compared.",
    ),
    sideBySide(
      dataTable("Ratings", heads, rows),
      ratingPlot(one.ratings.map((rating) => ({ name: rating.bot, ...rating.elo }))),
    ),
    crossTable(one.ratings.map((rating) => rating.bot), one.cross_table),
  );
}

async function oneMatch(id) {
  const { bots, game, games, facts, report } = await api.match(id);
  const result = () => [
    ["Elo", whole(facts.elo.value)],
    ["95% interval", interval(facts.elo)],
    ["Wins", facts.wins],
    ["Losses", facts.losses],
    ["Draws", facts.draws],
  ];
  const plot = () => ratingPlot([{ name: bots[0], ...facts.elo }, { name: bots[1], value: 0, low: 0, high: 0 }]);
  return [
    h("p", {}, h("a", { href: "#matches" }, "All matches")),
    title(bots.join(" – ")),
    muted(`${game}, ${games} games`),
    facts?.elo && sideBySide(dataTable("Result", ["", bots[0]], result()), plot()),
    report && h("pre", { class: "report", tabindex: "0" }, report.join("\n")),
  ];
}

/**
 * Points of each bot against each other.
 * @param {string[]} names
 * @param {Record<string, Record<string, {points: number, games: number}>>} cross
 */
function crossTable(names, cross) {
  const cell = (one, other) => {
    const met = cross[one]?.[other];
    return one === other ? "–" : met ? `${met.points} / ${met.games}` : "";
  };
  const rows = names.map((one) => [one, ...names.map((other) => cell(one, other))]);
  const element = details("Cross table", dataTable("Cross table", ["", ...names], rows));
  element.open = true;
  return element;
}

const whole = (value) => (Number.isFinite(value) ? String(Math.round(value)).replace("-", "−") : "–");
const interval = ({ low, high }) =>
  low === null && high === null ? "–" : `${low === null ? "" : whole(low)} … ${high === null ? "" : whole(high)}`;
const share = (points, games) => (games ? `${((100 * points) / games).toFixed(1)} %` : "–");
