/** The switches in the page header: colour theme and sound. */
import { button, replaceChildren, setAttribute } from "./dom.js";
import { draw } from "./icons.js";
import { setSound, soundOn } from "./sound.js";

const KEY = "tesuji-theme";
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const ICONS = { auto: "auto", light: "sun", dark: "moon" };

/** @param {Element} place */
export function switches(place) {
  let theme = localStorage.getItem(KEY) ?? "auto";
  const look = { class: "icon-only plain" };
  const themeButton = button("", () => show(NEXT[theme]), look);
  const sound = button("", () => showSound(setSound(!soundOn())), { ...look, "aria-label": "Sound" });
  function show(next) {
    theme = NEXT[next] ? next : "auto";
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset.theme = theme;
    replaceChildren(themeButton, draw(ICONS[theme]));
    for (const name of ["aria-label", "title"]) setAttribute(themeButton, name, `Theme: ${theme === "auto" ? "system" : theme}`);
  }
  function showSound(on) {
    replaceChildren(sound, draw(on ? "sound" : "silent"));
    setAttribute(sound, "aria-pressed", String(on));
    setAttribute(sound, "title", on ? "Sound is on" : "Sound is off");
  }
  show(theme);
  showSound(soundOn());
  replaceChildren(place, sound, themeButton);
}
