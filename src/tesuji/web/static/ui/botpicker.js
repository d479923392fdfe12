/** A form to choose a bot: a level, or a bot with options. Its value is a spec such as `mcts:iterations=5000`. */
import { choices, details, field, h, replaceChildren } from "./dom.js";
import { optionFields, specOf } from "./fields.js";
import { capital } from "./format.js";

/**
 * @param {import("../types.js").GameView} info
 * @param {{label: string, chosen: string, levels?: boolean, changed?: () => void}} how
 */
export function botPicker(info, { label, chosen, levels = true, changed = () => {} }) {
  const name = chosen.split(":")[0];
  const plain = info.bots.filter((bot) => !info.levels.some((level) => level.name === bot.name));
  const group = (title, entries) => h("optgroup", { label: title }, choices(entries, name));
  const draw = () => {
    more();
    changed();
  };
  const select = h(
    "select",
    { onchange: draw },
    levels && info.levels.length > 0 && group("Levels", info.levels.map((one) => [one.name, capital(one.name)])),
    group("Bots", plain.map((one) => [one.name, one.name])),
  );
  const place = h("div", { class: "bot-options" });
  const element = field(label, select, place);
  element.classList.add("bot");
  let fields = null;

  function more() {
    const bot = plain.find((one) => one.name === select.value);
    fields = bot?.options.length ? optionFields(bot.options, changed) : null;
    replaceChildren(place, bot?.help && h("p", { class: "muted" }, bot.help), fields && details("Bot options", fields.element));
  }
  more();
  return { element, spec: () => specOf(select.value, fields?.text()) };
}
