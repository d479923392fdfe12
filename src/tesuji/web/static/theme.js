/** The switches in the page's head: light or dark, and sound. */
import { h, put, set } from "./dom.js";
import { draw } from "./icons.js";
import { setSound, soundOn } from "./sound.js";

const KEY = "tesuji-theme";
const NEXT = { auto: "light", light: "dark", dark: "auto" };
const ICONS = { auto: "auto", light: "sun", dark: "moon" };

/** @param {Element} place */
export function switches(place) {
  let theme = localStorage.getItem(KEY) ?? "auto";
  const look = h("button", { type: "button", class: "icon-only plain", onclick: () => show(NEXT[theme]) });
  const sound = h("button", {
    type: "button",
    class: "icon-only plain",
    onclick: () => {
      setSound(!soundOn());
      hear();
    },
  });
  function show(next) {
    theme = NEXT[next] ? next : "auto";
    localStorage.setItem(KEY, theme);
    document.documentElement.dataset.theme = theme;
    put(look, draw(ICONS[theme]));
    set(look, "aria-label", `Colours: ${theme === "auto" ? "as the system says" : theme}`);
    set(look, "title", `Colours: ${theme === "auto" ? "as the system says" : theme}`);
  }
  function hear() {
    put(sound, draw(soundOn() ? "sound" : "silent"));
    set(sound, "aria-pressed", String(soundOn()));
    set(sound, "aria-label", "Sound");
    set(sound, "title", soundOn() ? "Sound is on" : "Sound is off");
  }
  show(theme);
  hear();
  put(place, sound, look);
}
