/** The share panel: a link that contains the game, and its record in all formats. Also the import page. */
import { api } from "./api.js";
import { dataTable } from "./datatable.js";
import { h, replaceChildren } from "./dom.js";
import { diagramOf, editorLink } from "./editor.js";
import { draw } from "./icons.js";
import { linkOf } from "./links.js";
import { announce, notify } from "./notices.js";

/** @param {import("./session.js").Session} session */
export function recordPanel(session) {
  const link = h("input", {
    type: "text",
    readonly: true,
    id: "share-link",
    onfocus: (event) => event.target.select(),
  });
  const formats = session.info?.formats ?? [];
  const format = h(
    "select",
    { id: "share-format", onchange: () => load() },
    formats.map((one) => h("option", { value: one.name }, one.title ?? one.name)),
  );
  const text = h("textarea", { readonly: true, rows: "9", "aria-label": "Record text", spellcheck: "false" });
  const save = h("a", { class: "button", download: "game.txt", href: "#" }, draw("save"), "Save file");
  const copy = (source, what) => h("button", { type: "button", onclick: () => copyText(source(), what) }, "Copy");
  const field = (id, label, ...parts) =>
    h("div", { class: "field" }, h("label", { for: id }, label), h("div", { class: "row" }, parts));
  const share = field(
    "share-link",
    "Link to this game and position",
    link,
    copy(() => link.value, "Link"),
  );
  const choose = field(
    "share-format",
    "Format",
    format,
    copy(() => text.value, "Record"),
    save,
  );
  const edit = h("button", { type: "button", onclick: editPosition }, "Edit this position");
  const open = formats.length ? [share, edit, choose, text] : [share, edit];
  const note = h("p", { class: "muted" }, "Available once the game is over, because the cards are hidden.");
  const element = h("div", { class: "record" }, open, note);
  let loaded = "";
  let address = null;

  let requests = 0;

  /** Open the editor with the position on show. */
  async function editPosition() {
    const { board, turn } = session.shown;
    const drawn = Array.isArray(board.cells?.[0]) ? diagramOf(board.cells, board.last) : null;
    const request = drawn ? { game: session.table.game, diagram: drawn, player: turn ?? undefined } : { game: session.table.game };
    const found = await session.attempt(() => api.position(request));
    if (found?.problem) notify(found.problem);
    else if (found) location.hash = editorLink(found.game);
  }

  async function load() {
    const request = ++requests;
    const found = await session.attempt(() => api.record(session.table.id, format.value));
    if (!found || request !== requests) return; // responses may arrive out of order
    text.value = found.text;
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([found.text], { type: "text/plain" }));
    save.setAttribute("href", address);
    save.setAttribute("download", found.filename ?? `game.${found.format}`);
  }

  return {
    element,
    update() {
      const closed = session.hidden && !session.table.over;
      for (const part of open) part.hidden = closed || (part === edit && !session.info?.set_up);
      note.hidden = !closed;
      if (closed) return;
      link.value = `${location.origin}${location.pathname}#${linkOf(session.table, session.at ?? session.table.plies)}`;
      const key = `${session.table.id} ${session.table.plies} ${session.table.over}`;
      if (key === loaded || !formats.length) return;
      loaded = key;
      load();
    },
  };
}

/** @param {string} text @param {string} what */
async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied to the clipboard.`, "good");
  } catch {
    announce("The browser does not allow copying; select the text and copy it manually.");
  }
}

/**
 * The import page: reads a pasted record or a file, and lists saved games.
 * @param {Element} main
 * @param {any[]} games
 * @param {(table: any, tab?: string) => void} go
 * @param {(error: any) => void} fail
 */
export function showImport(main, games, go, fail) {
  document.title = "Import · Tesuji";
  const game = h(
    "select",
    { id: "import-game" },
    h("option", { value: "" }, "From the record"),
    games.map((one) => h("option", { value: one.name }, one.title)),
  );
  const text = h("textarea", {
    id: "import-text",
    rows: "12",
    spellcheck: "false",
    required: true,
    placeholder: "(;FF[4]…)",
  });
  const file = h("input", {
    type: "file",
    id: "import-file",
    onchange: async () => {
      if (file.files[0]) text.value = await file.files[0].text();
    },
  });
  const open = async (event) => {
    event.preventDefault();
    try {
      go(await api.importRecord({ text: text.value, game: game.value || undefined }), "review");
    } catch (error) {
      fail(error);
    }
  };
  const saved = h("section", { class: "saved" });
  replaceChildren(
    main,
    h(
      "div",
      { class: "page narrow" },
      h("h1", {}, "Import a game"),
      h(
        "p",
        { class: "muted" },
        `Paste a record or choose a file. Formats: ${formatTitles(games)}. `,
        h("a", { href: "#edit" }, "Set up a position instead"),
      ),
      h(
        "form",
        { class: "form tall", onsubmit: open },
        h("div", { class: "field" }, h("label", { for: "import-text" }, "Record"), text),
        h("div", { class: "field" }, h("label", { for: "import-file" }, "File"), file),
        h("div", { class: "field" }, h("label", { for: "import-game" }, "Game"), game),
        h("button", { type: "submit", class: "main big" }, "Open"),
      ),
      saved,
    ),
  );
  listSaved(saved, games, go, fail);
}

const MAX_LISTED = 40;

const ENDINGS = {
  resigned: " by resignation",
  hung: " on time",
  illegal: " by an illegal move",
  crashed: " by a crash",
  limit: " at the move limit",
};

/** The titles of all record formats. @param {any[]} games */
const formatTitles = (games) =>
  [...new Set(games.flatMap((game) => game.formats.map((/** @type {any} */ one) => one.title)))].join(", ");

/** The result of a saved game; a number is the seat that won. @param {any} one @param {any[]} games */
function resultOf(one, games) {
  const [name] = one.game.split(":");
  const seats = games.find((game) => game.name === name)?.seat_names ?? [];
  const what = /^\d+$/.test(one.result) ? `${seats[one.result] ?? `Player ${one.result}`} wins` : one.result;
  return `${what}${ENDINGS[one.ending] ?? ""}`;
}

/** List the newest games in the store. */
async function listSaved(place, games, go, fail) {
  let records = [];
  try {
    records = await api.records(MAX_LISTED);
  } catch (error) {
    fail(error);
  }
  if (!records.length) return;
  const open = async (number) => {
    try {
      go(await api.openStored(number), "review");
    } catch (error) {
      fail(error);
    }
  };
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });
  const row = (one) => [
    h(
      "button",
      { type: "button", class: "link", "aria-label": `Open game ${one.number}`, onclick: () => open(one.number) },
      one.game,
    ),
    one.players.join(" – "),
    resultOf(one, games),
    one.plies,
    one.when ? when.format(new Date(one.when)) : "",
  ];
  replaceChildren(
    place,
    h("h2", {}, "Saved games"),
    dataTable("Saved games", ["Game", "Players", "Result", "Moves", "Date"], records.map(row)),
  );
}
