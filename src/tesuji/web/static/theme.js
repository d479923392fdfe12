/** The switches in the page header: colour theme and sound. */
import { h, replaceChildren, setAttribute } from "./dom.js";
import { draw } from "./icons.js";
import { setSound, soundOn } from "./sound.js";

const KEY = "tesuji-theme";
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const ICONS = { auto: "auto", light: "sun", dark: "moon" };

/** @param {Element} place */
export function switches(place) {
  let theme = localStorage.getItem(KEY) ?? "auto";
  const themeButton = h("button", { type: "button", class: "icon-only plain", onclick: () => show(NEXT[theme]) });
  const sound = h("button", {
    type: "button",
    class: "icon-only plain",
    onclick: () => {
      setSound(!soundOn());
      showSound();
    },
  });
  function show(next) {
    theme = NEXT[next] ? next : "auto";
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset.theme = theme;
    replaceChildren(themeButton, draw(ICONS[theme]));
    setAttribute(themeButton, "aria-label", `Theme: ${theme === "auto" ? "system" : theme}`);
    setAttribute(themeButton, "title", `Theme: ${theme === "auto" ? "system" : theme}`);
  }
  function showSound() {
    replaceChildren(sound, draw(soundOn() ? "sound" : "silent"));
    setAttribute(sound, "aria-pressed", String(soundOn()));
    setAttribute(sound, "aria-label", "Sound");
    setAttribute(sound, "title", soundOn() ? "Sound is on" : "Sound is off");
  }
  show(theme);
  showSound();
  replaceChildren(place, sound, themeButton);
}
