/** Matches and ratings of the store: tables, cross tables, and plots with error bars. */
import { api } from "./api.js";
import { dataTable } from "./datatable.js";
import { h, replaceChildren } from "./dom.js";
import { ratingPlot } from "./plot.js";

/** @param {Element} main @param {any[]} games @param {(error: any) => void} fail @param {string} [id] of one match */
export async function showMatches(main, games, fail, id) {
  document.title = "Matches · Tesuji";
  const page = h("div", { class: "page" }, h("h1", {}, "Matches and ratings"), h("p", { class: "muted" }, "Loading …"));
  replaceChildren(main, page);
  try {
    replaceChildren(page, id ? await oneMatch(id) : await allMatches(games));
  } catch (error) {
    replaceChildren(page, h("h1", {}, "Matches and ratings"), h("p", { class: "muted" }, error.message));
    fail(error);
  }
}

async function allMatches(games) {
  const [matches, lists] = await Promise.all([api.matches(), api.ratings()]);
  return [
    h("h1", {}, "Matches and ratings"),
    !matches.length && !lists.length && noMatches(games[0]?.name),
    h(
      "p",
      { class: "muted" },
      "Games played by people are ",
      h("a", { href: "#import" }, "saved"),
      ", but not rated, because the players have no names.",
    ),
    lists.filter((one) => one.ratings.length > 1).map(ratingSection),
    matches.length > 0 &&
      h(
        "section",
        {},
        h("h2", {}, "Matches"),
        dataTable(
          "Matches",
          ["Game", "Players", "Games", "Openings"],
          matches.map((one) => [
            one.game,
            h("a", { href: `#matches/${encodeURIComponent(one.id)}` }, one.bots.join(" – ")),
            one.games,
            one.openings ?? "",
          ]),
        ),
      ),
  ];
}

function noMatches(game) {
  return h(
    "p",
    { class: "muted" },
    "There are no matches in the store yet. To play one, run ",
    h("code", {}, `tesuji match ${game} easy medium --games 40 --store games.db`),
    " and start the server with ",
    h("code", { class: "whole" }, "--store games.db"),
    ".",
  );
}

/** @param {any} one the ratings of one game */
function ratingSection(one) {
  const rows = one.ratings.map((rating, index) => [
    index + 1,
    rating.bot,
    whole(rating.elo.value),
    interval(rating.elo),
    rating.games,
    share(rating.points, rating.games),
  ]);
  return h(
    "section",
    { class: "rating" },
    h("h2", {}, one.game),
    h(
      "p",
      { class: "muted" },
      `${one.games} games${one.first_move?.value ? `; the first move is worth ${whole(one.first_move.value)} Elo` : ""}.`,
      !one.connected && " The bots are not connected by games, so their ratings cannot be compared.",
    ),
    h(
      "div",
      { class: "side-by-side" },
      dataTable("Ratings", ["", "Bot", "Elo", "95% interval", "Games", "Score"], rows),
      ratingPlot(one.ratings.map((rating) => ({ name: rating.bot, ...rating.elo }))),
    ),
    crossTable(
      one.ratings.map((rating) => rating.bot),
      one.cross_table,
    ),
  );
}

async function oneMatch(id) {
  const match = await api.match(id);
  const { facts } = match;
  return [
    h("p", {}, h("a", { href: "#matches" }, "All matches")),
    h("h1", {}, match.bots.join(" – ")),
    h("p", { class: "muted" }, `${match.game}, ${match.games} games`),
    facts?.elo &&
      h(
        "div",
        { class: "side-by-side" },
        dataTable(
          "Result",
          ["", match.bots[0]],
          [
            ["Elo", whole(facts.elo.value)],
            ["95% interval", interval(facts.elo)],
            ["Wins", facts.wins],
            ["Losses", facts.losses],
            ["Draws", facts.draws],
          ],
        ),
        ratingPlot([
          { name: match.bots[0], ...facts.elo },
          { name: match.bots[1], value: 0, low: 0, high: 0 },
        ]),
      ),
    match.report && h("pre", { class: "report", tabindex: "0" }, match.report.join("\n")),
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
  return h(
    "details",
    { open: true },
    h("summary", {}, "Cross table"),
    dataTable(
      "Cross table",
      ["", ...names],
      names.map((one) => [one, ...names.map((other) => cell(one, other))]),
    ),
  );
}

const whole = (value) => (Number.isFinite(value) ? String(Math.round(value)).replace("-", "−") : "–");
const interval = ({ low, high }) =>
  low === null && high === null ? "–" : `${low === null ? "" : whole(low)} … ${high === null ? "" : whole(high)}`;
const share = (points, games) => (games ? `${((100 * points) / games).toFixed(1)} %` : "–");
