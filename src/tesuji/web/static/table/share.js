/** The share panel: a link that contains the game, and its record in all formats. */
import { api } from "../session/api.js";
import { diagramOf, editorLink } from "../pages/editor.js";
import { linkOf } from "../session/links.js";
import { button, choices, field, h } from "../ui/dom.js";
import { CLOSED } from "../ui/format.js";
import { draw } from "../ui/icons.js";
import { copyText, notify } from "../ui/notices.js";

/** @param {import("../session/session.js").Session} session */
export function sharePanel(session) {
  const { formats, set_up: canEdit } = session.info;
  const link = h("input", { type: "text", readonly: true, onfocus: (event) => event.target.select() });
  const format = h("select", { onchange: load }, choices(formats.map((one) => [one.name, one.title])));
  const text = h("textarea", { readonly: true, rows: "9", "aria-label": "Record text", spellcheck: "false" });
  const save = h("a", { class: "button", download: "game.txt", href: "#" }, draw("save"), "Save file");
  const copy = (source, what) => button("Copy", () => copyText(source.value, what, "select the text and copy it manually"));
  const row = (label, input, ...more) => {
    const element = field(label, input);
    element.append(h("div", { class: "row" }, input, more));
    return element;
  };
  const share = row("Link to this game and position", link, copy(link, "Link"));
  const choose = row("Format", format, copy(text, "Record"), save);
  const edit = button("Edit this position", editPosition);
  const open = formats.length ? [share, edit, choose, text] : [share, edit];
  const note = h("p", { class: "muted" }, CLOSED);
  const element = h("div", { class: "record" }, open, note);
  let loaded = "";
  let address = null;
  let requests = 0;

  /** Open the editor with the position on show. */
  async function editPosition() {
    const { board, turn } = session.shown;
    const diagram = Array.isArray(board.cells?.[0]) ? diagramOf(board.cells, board.last) : null;
    const position = diagram ? { diagram, player: turn ?? undefined } : {};
    const found = await session.attempt(() => api.position({ game: session.table.game, ...position }));
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
    save.setAttribute("download", found.filename);
  }

  return {
    element,
    update() {
      const { closed, table } = session;
      for (const part of open) part.hidden = closed || (part === edit && !canEdit);
      note.hidden = !closed;
      if (closed) return;
      link.value = `${location.origin}${location.pathname}#${linkOf(table, session.ply)}`;
      const key = `${table.id} ${table.plies} ${table.over}`;
      if (key === loaded || !formats.length) return;
      loaded = key;
      load();
    },
  };
}
