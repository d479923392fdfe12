/**
 * The routes of the page: `#` all games, `#new/GAME` and `#watch/GAME` (bots only) set up a game, `#table/ID` a table,
 * `#game=…` a link that contains a game, `#edit/SPEC` the editor of positions, `#import`, `#matches`.
 */
import { loadRenderers } from "./boards/index.js";
import { showEditor } from "./pages/editor.js";
import { showHome } from "./pages/home.js";
import { showImport } from "./pages/import.js";
import { showMatches } from "./pages/matches.js";
import { showSetup } from "./pages/setup.js";
import { api, ApiError, start } from "./session/api.js";
import { remembered, requestFromLink } from "./session/links.js";
import { showTable } from "./table/table.js";
import { button, h, replaceChildren, setAttribute } from "./ui/dom.js";
import { notify } from "./ui/notices.js";
import { switches } from "./ui/theme.js";

const main = document.getElementById("main");
/** @type {import("./types.js").GameView[]|null} */
let games = null;
let leave = () => {};
let opening = null; // a table that was just created, so that it need not be requested again

/** Open a table that was just created. @param {any} table @param {string} [tab] */
function go(table, tab) {
  opening = { table, tab };
  location.hash = `table/${table.id}`;
}

async function loadGames() {
  const found = await api.games();
  await loadRenderers(found.map((game) => game.board_kind));
  return found;
}

async function openTable(id) {
  const given = opening?.table.id === id ? opening : null;
  opening = null;
  try {
    const table = given?.table ?? (await api.table(id));
    leave = showTable(main, table, games, go, given?.tab, () => openTable(id));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    const link = remembered(id);
    if (!link) throw new Error("This table no longer exists. It may have been deleted, or belong to another server.");
    notify("The table no longer existed and was created again.", "good");
    await openLink(link, "moves");
  }
}

/** Create the game of a link. @param {string} link @param {string} overTab the panel of a game that is over */
async function openLink(link, overTab) {
  const table = await start(requestFromLink(link));
  opening = { table, tab: table.over ? overTab : "moves" };
  history.replaceState(null, "", `#table/${table.id}`);
  await openTable(table.id);
}

async function route() {
  leave();
  leave = () => {};
  const hash = location.hash.slice(1);
  const [page, coded = ""] = hash.split("/");
  for (const link of document.querySelectorAll("[data-page]"))
    setAttribute(link, "aria-current", link.dataset.page === (page || "home") ? "page" : null);
  try {
    const rest = decodeURIComponent(coded);
    games ??= await loadGames();
    if (hash.includes("game=")) await openLink(hash, "review");
    else if (page === "table") await openTable(rest);
    else if (page === "new" || page === "watch") showSetup(main, games, rest, page === "watch", go);
    else if (page === "edit") leave = showEditor(main, games, rest, go);
    else if (page === "import") showImport(main, games, go);
    else if (page === "matches") await showMatches(main, games, rest);
    else showHome(main, games, go);
  } catch (error) {
    const reason = error instanceof URIError ? "This link is invalid." : error.message;
    const ways = h("p", {}, button("Try again", route), " ", h("a", { href: "#" }, "All games"));
    replaceChildren(main, h("div", { class: "page narrow" }, h("h1", {}, "Something went wrong"), h("p", {}, reason), ways));
  }
  scrollTo(0, 0);
}

document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  main.focus();
});
switches(document.getElementById("switches"));
window.addEventListener("hashchange", route);
route();
