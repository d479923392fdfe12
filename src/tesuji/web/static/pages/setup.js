/** The setup page: rules, players and clock; common settings first. */
import { start } from "../session/api.js";
import { botPicker } from "../ui/botpicker.js";
import { choices, details, field, h, pills, radios, replaceChildren } from "../ui/dom.js";
import { isBasic, optionFields, specOf } from "../ui/fields.js";
import { capital } from "../ui/format.js";
import { attempt } from "../ui/notices.js";
import { preview } from "./home.js";

const CLOCKS = [
  ["", "No clock"],
  ["60+1", "1 minute + 1 s per move"],
  ["300+3", "5 minutes + 3 s per move"],
  ["900+10", "15 minutes + 10 s per move"],
];

/**
 * @param {Element} main
 * @param {import("../types.js").GameView[]} games
 * @param {string} name       the selected game
 * @param {boolean} watching  bots only
 * @param {(table: any) => void} go
 */
export function showSetup(main, games, name, watching, go) {
  const info = games.find((game) => game.name === name) ?? games[0];
  const title = `${watching ? "Watch" : "Play"} ${info.title}`;
  document.title = `${title} · Tesuji`;
  const basic = info.options.filter(isBasic);
  const common = optionFields(basic, () => drawSeats());
  const advanced = optionFields(info.options.filter((one) => !isBasic(one) && !(info.set_up && one.name === "position")));
  const place = h("div", { class: "seats-form" });
  const clock = h("select", {}, choices(CLOCKS));
  let pickers = [];
  let opponent = info.levels[0]?.name ?? "custom";
  let seat = 0;

  const seats = () => {
    const number = Number(common.get("players") ?? info.seats.minimum) || info.seats.minimum;
    return Array.from({ length: number }, (_, index) => info.seat_names[index] ?? `Player ${index}`);
  };

  function drawSeats() {
    const names = seats();
    const focused = document.activeElement?.closest?.(".seats-form input")?.value;
    const levels = info.levels.map((one) => [one.name, capital(one.name), one.help]);
    if (watching) {
      pickers = names.map((label, index) =>
        botPicker(info, { label, chosen: levels[Math.min(index, 1)]?.[0] ?? info.default_bot }),
      );
      replaceChildren(place, pickers.map((picker) => picker.element));
      return;
    }
    const [plural, person] = names.length > 2 ? ["s", "People"] : ["", "A person"];
    const entries = [...levels, ["person", `${person}, on this screen`], ["custom", "Another bot"]];
    const sides = names.map((each, index) => [index, index === 0 && !plural ? `${each}, first` : each]);
    seat = Math.min(seat, names.length - 1);
    pickers = opponent === "custom" ? [botPicker(info, { label: "Bot", levels: false, chosen: info.default_bot })] : [];
    const others = radios(`Opponent${plural}`, entries, opponent, (value) => {
      opponent = value;
      drawSeats();
    });
    const own = radios("You play", sides, seat, (value) => {
      seat = value;
    });
    replaceChildren(place, others.element, pickers.map((picker) => picker.element), opponent !== "person" && own.element);
    if (focused) place.querySelector(`input[value="${CSS.escape(focused)}"]:checked`)?.focus();
  }

  function request() {
    const other = opponent === "custom" ? pickers[0].spec() : opponent;
    const [seconds, increment] = clock.value.split("+").map(Number);
    return {
      game: specOf(info.name, common.text(), advanced.text()),
      seats: watching ? pickers.map((picker) => picker.spec()) : seats().map((_, index) => (index === seat ? "person" : other)),
      clock: clock.value ? { seconds, increment } : undefined,
    };
  }

  async function submit(event) {
    event.preventDefault();
    submitter.disabled = true;
    await attempt(async () => go(await start(request())));
    submitter.disabled = false;
  }

  drawSeats();
  const submitter = h("button", { type: "submit", class: "main big" }, watching ? "Watch" : "Play");
  const form = h(
    "form",
    { class: "setup-form", onsubmit: submit },
    place,
    basic.length > 0 && h("fieldset", {}, h("legend", {}, "Rules"), common.element),
    details("More options", advanced.element, !watching && field("Clock", clock)),
    submitter,
    info.set_up && h("p", { class: "more" }, h("a", { href: `#edit/${info.name}` }, "Begin from a position of your own …")),
  );
  const grid = h(
    "div",
    { class: "setup-grid" },
    h("div", { class: "setup-picture" }, preview(info)),
    h("div", {}, h("h1", {}, title), form),
  );
  const links = pills(games, info, (game) => `#${watching ? "watch" : "new"}/${game.name}`);
  replaceChildren(main, h("div", { class: "page setup" }, links, grid));
}
