/** The setup page: rules, players and clock; common settings first. */
import { api } from "./api.js";
import { botPicker } from "./botpicker.js";
import { h, replaceChildren, unique } from "./dom.js";
import { isBasic, optionFields } from "./fields.js";
import { preview } from "./home.js";
import { capital } from "./format.js";

const CLOCKS = [
  ["", "No clock"],
  ["60+1", "1 minute + 1 s per move"],
  ["300+3", "5 minutes + 3 s per move"],
  ["900+10", "15 minutes + 10 s per move"],
];

/**
 * @param {Element} main
 * @param {any[]} games
 * @param {string} name       the selected game
 * @param {boolean} watching  bots only
 * @param {(table: any) => void} go
 * @param {(error: any) => void} fail
 */
export function showSetup(main, games, name, watching, go, fail) {
  const info = games.find((game) => game.name === name) ?? games[0];
  document.title = `${watching ? "Watch" : "Play"} ${info.title} · Tesuji`;
  const common = optionFields(
    info.options.filter(isBasic),
    () => drawSeats(),
  );
  const advanced = optionFields(info.options.filter((one) => !isBasic(one) && !(info.set_up && one.name === "position")));
  const place = h("div", { class: "seats-form" });
  const clock = h(
    "select",
    { id: "clock" },
    CLOCKS.map(([value, text]) => h("option", { value }, text)),
  );
  let pickers = [];
  let opponent = info.levels[0]?.name ?? "custom";
  let seat = 0;

  const count = () => Number(common.get("players") ?? info.seats.minimum) || info.seats.minimum;
  const seatName = (index) => info.seat_names?.[index] ?? `Player ${index}`;

  function choices(title, entries, chosen, choose) {
    const group = unique("choice");
    return h(
      "fieldset",
      { class: "choices" },
      h("legend", {}, title),
      h(
        "div",
        { class: "row" },
        entries.map(([value, text, help]) =>
          h(
            "label",
            { class: "choice-label", title: help ?? null },
            h("input", {
              type: "radio",
              name: group,
              value: String(value),
              checked: value === chosen,
              onchange: () => {
                choose(value);
                drawSeats();
              },
            }),
            h("span", {}, text),
          ),
        ),
      ),
    );
  }

  function drawSeats() {
    const number = count();
    const focused = document.activeElement?.closest?.(".seats-form input")?.value;
    if (watching) {
      const names = info.levels.map((one) => one.name);
      pickers = Array.from({ length: number }, (_, index) =>
        botPicker(info, { label: seatName(index), chosen: names[Math.min(index, 1)] ?? info.default_bot }),
      );
      replaceChildren(
        place,
        pickers.map((picker) => picker.element),
      );
      return;
    }
    const levels = info.levels.map((one) => [one.name, capital(one.name), one.help]);
    const entries = [
      ...levels,
      ["person", number > 2 ? "People, on this screen" : "A person, on this screen"],
      ["custom", "Another bot"],
    ];
    const seats = Array.from({ length: number }, (_, index) => [
      index,
      index === 0 && number === 2 ? `${seatName(0)}, first` : seatName(index),
    ]);
    seat = Math.min(seat, number - 1);
    pickers = opponent === "custom" ? [botPicker(info, { label: "Bot", levels: false, chosen: info.default_bot })] : [];
    replaceChildren(
      place,
      choices(number > 2 ? "Opponents" : "Opponent", entries, opponent, (value) => {
        opponent = value;
      }),
      pickers.map((picker) => picker.element),
      opponent !== "person" &&
        choices("You play", seats, seat, (value) => {
          seat = value;
        }),
    );
    if (focused) place.querySelector(`input[value="${CSS.escape(focused)}"]:checked`)?.focus();
  }

  function request() {
    const options = [common.text(), advanced.text()].filter(Boolean).join(",");
    const other = opponent === "custom" ? pickers[0]?.spec() : opponent;
    const seats = watching
      ? pickers.map((picker) => picker.spec())
      : Array.from({ length: count() }, (_, index) => (index === seat ? "person" : other));
    const [seconds, increment] = clock.value.split("+").map(Number);
    return {
      game: options ? `${info.name}:${options}` : info.name,
      seats,
      clock: clock.value ? { seconds, increment } : undefined,
    };
  }

  drawSeats();
  const button = h("button", { type: "submit", class: "main big" }, watching ? "Watch" : "Play");
  const form = h(
    "form",
    {
      class: "setup-form",
      onsubmit: async (event) => {
        event.preventDefault();
        button.disabled = true;
        try {
          go(await start(request()));
        } catch (error) {
          fail(error);
        }
        button.disabled = false;
      },
    },
    place,
    common.text !== undefined &&
      info.options.some(isBasic) &&
      h("fieldset", {}, h("legend", {}, "Rules"), common.element),
    h(
      "details",
      {},
      h("summary", {}, "More options"),
      advanced.element,
      !watching && h("div", { class: "field" }, h("label", { for: "clock" }, "Clock"), clock),
    ),
    button,
    info.set_up && h("p", { class: "more" }, h("a", { href: `#edit/${info.name}` }, "Begin from a position of your own …")),
  );
  const picks = games.map((game) =>
    h(
      "a",
      { href: `#${watching ? "watch" : "new"}/${game.name}`, "aria-current": game === info ? "page" : null },
      game.title,
    ),
  );
  replaceChildren(
    main,
    h(
      "div",
      { class: "page setup" },
      h("nav", { class: "pills", "aria-label": "Game" }, picks),
      h(
        "div",
        { class: "setup-grid" },
        h("div", { class: "setup-picture" }, preview(info)),
        h("div", {}, h("h1", {}, watching ? `Watch ${info.title}` : `Play ${info.title}`), form),
      ),
    ),
  );
}

/** Create a table, and remember the request for a rematch. @param {any} request */
export async function start(request) {
  const table = await api.create(request);
  sessionStorage.setItem(`tesuji-request-${table.id}`, JSON.stringify(request));
  return table;
}
