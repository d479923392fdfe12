/**
 * The routes of the page: `#` all games, `#new/GAME` and `#watch/GAME` (bots only) set up a game, `#table/ID` a table,
 * `#game=…` a link that contains a game, `#edit/SPEC` the editor of positions, `#import`, `#matches`.
 */
import { api, ApiError } from "./api.js";
import { loadRenderers } from "./boards/index.js";
import { h, replaceChildren, setAttribute } from "./dom.js";
import { showEditor } from "./editor.js";
import { showHome } from "./home.js";
import { remembered, requestFromLink } from "./links.js";
import { showMatches } from "./matches.js";
import { notify } from "./notices.js";
import { showImport } from "./record.js";
import { showSetup, start } from "./setup.js";
import { showTable } from "./table.js";
import { switches } from "./theme.js";

const main = document.getElementById("main");
/** @type {any[]|null} */
let games = null;
let leave = () => {};
let opening = null; // a table that was just created, so that it need not be requested again

function fail(error) {
  if (!(error instanceof Error)) throw error;
  notify(error.message);
}

/** Open a table that was just created. @param {any} table @param {string} [tab] */
function go(table, tab) {
  opening = { table, tab };
  location.hash = `table/${table.id}`;
}

async function loadGames() {
  const found = await api.games();
  await loadRenderers(found.map((/** @type {any} */ game) => game.board_kind));
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
    const table = await start(requestFromLink(link));
    history.replaceState(null, "", `#table/${table.id}`);
    leave = showTable(main, table, games, go, undefined, route);
  }
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
    if (hash.includes("game=")) {
      const table = await start(requestFromLink(hash));
      opening = { table, tab: table.over ? "review" : "moves" };
      history.replaceState(null, "", `#table/${table.id}`);
      await route();
    } else if (page === "table") await openTable(rest);
    else if (page === "new" || page === "watch") showSetup(main, games, rest, page === "watch", go, fail);
    else if (page === "edit") leave = showEditor(main, games, rest, go, fail);
    else if (page === "import") showImport(main, games, go, fail);
    else if (page === "matches") await showMatches(main, games, fail, rest);
    else showHome(main, games, go, fail);
  } catch (error) {
    replaceChildren(
      main,
      h(
        "div",
        { class: "page narrow" },
        h("h1", {}, "Something went wrong"),
        h("p", {}, error instanceof URIError ? "This link is invalid." : error.message),
        h(
          "p",
          {},
          h("button", { type: "button", onclick: () => route() }, "Try again"),
          " ",
          h("a", { href: "#" }, "All games"),
        ),
      ),
    );
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
