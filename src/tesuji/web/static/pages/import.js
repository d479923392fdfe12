/** The import page: reads a pasted record or a file, and lists saved games. */
import { api } from "../session/api.js";
import { dataTable } from "../ui/datatable.js";
import { button, choices, field, h, replaceChildren } from "../ui/dom.js";
import { attempt, fail } from "../ui/notices.js";

const MAX_LISTED = 40;

const ENDINGS = {
  resigned: " by resignation",
  hung: " on time",
  illegal: " by an illegal move",
  crashed: " by a crash",
  limit: " at the move limit",
};

/**
 * @param {Element} main
 * @param {import("../types.js").GameView[]} games
 * @param {(table: any, tab?: string) => void} go
 */
export function showImport(main, games, go) {
  document.title = "Import · Tesuji";
  const game = h("select", {}, choices([["", "From the record"], ...games.map((one) => [one.name, one.title])]));
  const text = h("textarea", { rows: "12", spellcheck: "false", required: true, placeholder: "(;FF[4]…)" });
  const file = h("input", {
    type: "file",
    onchange: async () => {
      if (file.files[0]) text.value = await file.files[0].text();
    },
  });
  const review = (/** @type {() => Promise<any>} */ request) => attempt(async () => go(await request(), "review"));
  const submit = (event) => {
    event.preventDefault();
    review(() => api.importRecord({ text: text.value, game: game.value || undefined }));
  };
  const formats = new Set(games.flatMap((one) => one.formats.map((format) => format.title)));
  const about = `Paste a record or choose a file. Formats: ${[...formats].join(", ")}. `;
  const form = h(
    "form",
    { class: "form tall", onsubmit: submit },
    field("Record", text),
    field("File", file),
    field("Game", game),
    h("button", { type: "submit", class: "main big" }, "Open"),
  );
  const saved = h("section", { class: "saved" });
  const edit = h("a", { href: "#edit" }, "Set up a position instead");
  const page = h("div", { class: "page narrow" }, h("h1", {}, "Import a game"), h("p", { class: "muted" }, about, edit), form, saved);
  replaceChildren(main, page);
  listSaved(saved, games, (number) => review(() => api.openStored(number)));
}

/** The result of a saved game; a number is the seat that won. @param {import("../types.js").RecordSummary} one @param {any[]} games */
function resultOf(one, games) {
  const [name] = one.game.split(":");
  const seats = games.find((game) => game.name === name)?.seat_names ?? [];
  const what = /^\d+$/.test(one.result) ? `${seats[one.result] ?? `Player ${one.result}`} wins` : one.result;
  return `${what}${ENDINGS[one.ending] ?? ""}`;
}

/** List the newest games in the store. @param {Element} place @param {any[]} games @param {(number: number) => void} open */
async function listSaved(place, games, open) {
  const records = await api.records(MAX_LISTED).catch(fail);
  if (!records?.length) return;
  const when = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });
  const row = (one) => [
    button(one.game, () => open(one.number), { class: "link", "aria-label": `Open game ${one.number}` }),
    one.players.join(" – "),
    resultOf(one, games),
    one.plies,
    one.when ? when.format(new Date(one.when)) : "",
  ];
  const heads = ["Game", "Players", "Result", "Moves", "Date"];
  replaceChildren(place, h("h2", {}, "Saved games"), dataTable("Saved games", heads, records.map(row)));
}
