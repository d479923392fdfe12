/** A form to choose a bot: a level, or a bot with options. Its value is a spec such as `mcts:iterations=5000`. */
import { h, replaceChildren, unique } from "./dom.js";
import { optionFields } from "./fields.js";
import { capital } from "./format.js";

/**
 * @param {import("./types.js").GameInfo|null} info
 * @param {{label: string, chosen?: string, person?: boolean, levels?: boolean, changed?: () => void}} how
 */
export function botPicker(info, { label, chosen, person = false, levels = true, changed = () => {} }) {
  const id = unique("bot");
  const name = (chosen ?? "").split(":")[0];
  const option = (value, text) => h("option", { value, selected: value === name }, text);
  const select = h(
    "select",
    {
      id,
      onchange: () => {
        more();
        changed();
      },
    },
    person && option("person", "Person"),
    levels && info?.levels?.length
      ? h(
          "optgroup",
          { label: "Levels" },
          info.levels.map((one) => option(one.name, capital(one.name))),
        )
      : null,
    h(
      "optgroup",
      { label: "Bots" },
      plainBots(info).map((one) => option(one.name, one.name)),
    ),
  );
  const place = h("div", { class: "bot-options" });
  let fields = null;

  function more() {
    const bot = plainBots(info).find((one) => one.name === select.value);
    fields = bot?.options?.length ? optionFields(bot.options, changed) : null;
    replaceChildren(
      place,
      bot?.help ? h("p", { class: "muted" }, bot.help) : null,
      fields && h("details", {}, h("summary", {}, "Bot options"), fields.element),
    );
  }
  more();
  return {
    element: h("div", { class: "field bot" }, h("label", { for: id }, label), select, place),
    /** @returns {string} */
    spec: () => {
      const options = fields?.text() ?? "";
      return options ? `${select.value}:${options}` : select.value;
    },
    select,
  };
}

/** The bots without the levels. @param {any} info @returns {any[]} */
export const plainBots = (info) =>
  (info?.bots ?? []).filter((bot) => !info.levels.some((level) => level.name === bot.name));
