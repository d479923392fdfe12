/** Notifications: announcements for screen readers, and messages at the edge of the screen. */
import { h } from "./dom.js";

const MIN_SHOWN = 6000; // milliseconds
const SHOWN_PER_CHARACTER = 60;

/** Announce to screen readers. @param {string} text */
export function announce(text) {
  const region = document.getElementById("live-region");
  if (region) region.textContent = text;
}

/** A message that disappears by itself. @param {string} text @param {"bad"|"good"} [kind] */
export function notify(text, kind = "bad") {
  const line = h(
    "div",
    { class: `toast ${kind}` },
    text,
    h("button", { type: "button", "aria-label": "Dismiss", onclick: () => line.remove() }, "×"),
  );
  document.getElementById("toasts")?.append(line);
  setTimeout(() => line.remove(), Math.max(MIN_SHOWN, SHOWN_PER_CHARACTER * text.length));
}
