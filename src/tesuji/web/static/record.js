/** Taking a game along: a link that holds it, and its record in every format the game has. */
import { api } from "./api.js";
import { dataTable } from "./datatable.js";
import { h, put } from "./dom.js";
import { draw } from "./icons.js";
import { linkOf } from "./links.js";
import { announce, confirmed } from "./notices.js";

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
  const text = h("textarea", { readonly: true, rows: "9", "aria-label": "The record", spellcheck: "false" });
  const save = h("a", { class: "button", download: "game.txt", href: "#" }, draw("save"), "Save the file");
  const copy = (source, what) => h("button", { type: "button", onclick: () => copyText(source(), what) }, "Copy");
  const field = (id, label, ...parts) =>
    h("div", { class: "field" }, h("label", { for: id }, label), h("div", { class: "row" }, parts));
  const share = field(
    "share-link",
    "Link to this game and position",
    link,
    copy(() => link.value, "The link"),
  );
  const choose = field(
    "share-format",
    "Record as",
    format,
    copy(() => text.value, "The record"),
    save,
  );
  const open = formats.length ? [share, choose, text] : [share];
  const note = h("p", { class: "muted" }, "The cards are hidden: link and record can be had when the game is over.");
  const element = h("div", { class: "record" }, open, note);
  let loaded = "";
  let address = null;

  async function load() {
    const found = await session.attempt(() => api.record(session.table.id, format.value));
    if (!found) return;
    text.value = found.text;
    if (address) URL.revokeObjectURL(address);
    address = URL.createObjectURL(new Blob([found.text], { type: "text/plain" }));
    save.setAttribute("href", address);
    save.setAttribute("download", found.file ?? `game.${found.format}`);
  }

  return {
    element,
    update() {
      const closed = session.hidden && !session.table.over;
      for (const part of open) part.hidden = closed;
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
    confirmed(`${what} is in the clipboard.`);
  } catch {
    announce("The browser does not let this page copy; select the text and copy it by hand.");
  }
}

/**
 * The page that reads records, pasted or from a file, and lists the games that were kept.
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
    h("option", { value: "" }, "as the record says"),
    games.map((one) => h("option", { value: one.name }, one.title)),
  );
  const text = h("textarea", {
    id: "import-text",
    rows: "12",
    spellcheck: "false",
    required: true,
    placeholder: "(;FF[4]GM[11]SZ[11];B[f6];W[e7])",
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
      go(await api.open({ text: text.value, game: game.value || undefined }), "review");
    } catch (error) {
      fail(error);
    }
  };
  const kept = h("section", { class: "kept" });
  put(
    main,
    h(
      "div",
      { class: "page narrow" },
      h("h1", {}, "Import a game"),
      h(
        "p",
        { class: "muted" },
        "Paste a record or choose a file. SGF, Gomocup's psq, HexWorld links, Litama and Tesuji's own records are read.",
      ),
      h(
        "form",
        { class: "form tall", onsubmit: open },
        h("div", { class: "field" }, h("label", { for: "import-text" }, "Record"), text),
        h("div", { class: "field" }, h("label", { for: "import-file" }, "or a file"), file),
        h("div", { class: "field" }, h("label", { for: "import-game" }, "Game"), game),
        h("button", { type: "submit", class: "main big" }, "Open"),
      ),
      kept,
    ),
  );
  listKept(kept, games, go, fail);
}

const KEPT = 40;

const HOW = {
  resigned: " by resignation",
  hung: " on time",
  illegal: ": a move was not legal",
  crashed: ": the other crashed",
  limit: " at the limit of moves",
};

/** How a kept game ended: a number is the seat that won. @param {any} one @param {any[]} games */
function resultOf(one, games) {
  const [name] = one.game.split(":");
  const seats = games.find((game) => game.name === name)?.seat_names ?? [];
  const what = /^\d+$/.test(one.result) ? `${seats[one.result] ?? `Player ${one.result}`} won` : one.result;
  return `${what}${HOW[one.ending] ?? ""}`;
}

/** The newest games of the server's store, to open. */
async function listKept(place, games, go, fail) {
  let records = [];
  try {
    records = await api.records(KEPT);
  } catch (error) {
    fail(error);
  }
  if (!records.length) return;
  const open = async (number) => {
    try {
      go(await api.kept(number), "review");
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
  put(
    place,
    h("h2", {}, "Games that were played here"),
    dataTable("Games that were played here", ["Game", "Players", "Result", "Moves", "When"], records.map(row)),
  );
}
