/** Notifications: announcements for screen readers, and messages at the edge of the screen. */
import { button, h } from "./dom.js";

const MIN_SHOWN = 6000; // milliseconds
const SHOWN_PER_CHARACTER = 60;

/** Announce to screen readers. @param {string} text */
export function announce(text) {
  document.getElementById("live-region").textContent = text;
}

/** A message that disappears by itself. @param {string} text @param {"bad"|"good"} [kind] */
export function notify(text, kind = "bad") {
  const line = h("div", { class: `toast ${kind}` }, text, button("×", () => line.remove(), { "aria-label": "Dismiss" }));
  document.getElementById("toasts").append(line);
  setTimeout(() => line.remove(), Math.max(MIN_SHOWN, SHOWN_PER_CHARACTER * text.length));
}

/** Show an error that a person can do something about. @param {any} error */
export function fail(error) {
  if (!(error instanceof Error)) throw error;
  notify(error.message);
}

/** Do something that may fail; a failure is shown. @param {() => Promise<any>} work */
export const attempt = (work) => work().catch(fail);

/** Copy to the clipboard. @param {string} text @param {string} what @param {string} otherwise what to do if it is not allowed */
export async function copyText(text, what, otherwise) {
  try {
    await navigator.clipboard.writeText(text);
    notify(`${what} copied to the clipboard.`, "good");
  } catch {
    announce(`The browser does not allow copying; ${otherwise}.`);
  }
}
