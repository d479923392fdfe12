/**
 * The page's ways: `#` the games, `#new/hex` setting up, `#watch/hex` bots only, `#table/ID` a game that is being played,
 * `#game=…` a link that holds a game, `#import`, `#matches`.
 */
import { api, ApiError } from "./api.js";
import { h, put, set } from "./dom.js";
import { showHome } from "./home.js";
import { remembered, wishesOf } from "./links.js";
import { showMatches } from "./matches.js";
import { complain } from "./notices.js";
import { showImport } from "./record.js";
import { showSetup, start } from "./setup.js";
import { showTable } from "./table.js";
import { switches } from "./theme.js";

const main = document.getElementById("main");
/** @type {any[]|null} */
let games = null;
let leave = () => {};
let opening = null; // a table that has just been made, so that it need not be asked for again

function fail(error) {
  if (!(error instanceof Error)) throw error;
  complain(error.message);
}

/** Open a table that the server has given. @param {any} table @param {string} [tab] */
function go(table, tab) {
  opening = { table, tab };
  location.hash = `table/${table.id}`;
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
    if (!link) throw new Error("There is no such table any more. It was idle for long, or belongs to another server.");
    complain("The server had forgotten this game; it is set up again.", "good");
    const table = await start(wishesOf(link));
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
    set(link, "aria-current", link.dataset.page === (page || "home") ? "page" : null);
  try {
    const rest = decodeURIComponent(coded);
    games ??= await api.games();
    if (hash.includes("game=")) {
      const table = await start(wishesOf(hash));
      opening = { table, tab: table.over ? "review" : "moves" };
      history.replaceState(null, "", `#table/${table.id}`);
      await route();
    } else if (page === "table") await openTable(rest);
    else if (page === "new" || page === "watch") showSetup(main, games, rest, page === "watch", go, fail);
    else if (page === "import") showImport(main, games, go, fail);
    else if (page === "matches") await showMatches(main, fail, rest);
    else showHome(main, games, go, fail);
  } catch (error) {
    put(
      main,
      h(
        "div",
        { class: "page narrow" },
        h("h1", {}, "That did not work"),
        h("p", {}, error instanceof URIError ? "This link is damaged." : error.message),
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
