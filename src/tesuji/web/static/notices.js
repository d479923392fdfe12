/** Telling people things: quietly to screen readers, and as a line at the edge of the screen when something went wrong. */
import { h } from "./dom.js";

const SHOWN = 6000; // milliseconds, at least
const READING = 60; // for each character

/** For screen readers. @param {string} text */
export function announce(text) {
  const region = document.getElementById("live-region");
  if (region) region.textContent = text;
}

/** A line that goes away by itself. @param {string} text @param {"bad"|"good"} [kind] */
export function complain(text, kind = "bad") {
  const line = h(
    "div",
    { class: `toast ${kind}` },
    text,
    h("button", { type: "button", "aria-label": "Dismiss", onclick: () => line.remove() }, "×"),
  );
  document.getElementById("toasts")?.append(line);
  setTimeout(() => line.remove(), Math.max(SHOWN, READING * text.length));
}

/** Something went well. @param {string} text */
export const confirmed = (text) => complain(text, "good");
