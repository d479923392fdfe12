/** Icons as paths in a square of 24 units, drawn in the text colour. */
import { s } from "./dom.js";

const PATHS = {
  undo: "M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3",
  flag: "M5 22V4M5 4h13l-3 4.5L18 13H5",
  bulb: "M9 18h6M10 22h4M12 2a7 7 0 0 0-4 12.7V16h8v-1.3A7 7 0 0 0 12 2z",
  play: "M7 4l13 8-13 8z",
  pause: "M8 4v16M16 4v16",
  step: "M5 4l10 8-10 8zM19 4v16",
  solve: "M4 12l5 5L20 6",
  stop: "M6 6h12v12H6z",
  first: "M18 5l-9 7 9 7zM6 5v14",
  back: "M15 5l-8 7 8 7",
  forward: "M9 5l8 7-8 7",
  last: "M6 5l9 7-9 7zM18 5v14",
  sound: "M4 9v6h4l6 5V4L8 9zM18 8a6 6 0 0 1 0 8",
  silent: "M4 9v6h4l6 5V4L8 9zM17 9l5 6M22 9l-5 6",
  sun: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 1v3M12 20v3M1 12h3M20 12h3M4 4l2 2M18 18l2 2M20 4l-2 2M6 18l-2 2",
  moon: "M20 14A8.5 8.5 0 0 1 10 4a8.5 8.5 0 1 0 10 10z",
  auto: "M12 3a9 9 0 1 0 0 18zM12 3a9 9 0 0 1 0 18",
  link: "M10 14a4 4 0 0 0 6 0l4-4a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-4 4a4 4 0 0 0 6 6l1-1",
  save: "M12 3v12M7 10l5 5 5-5M4 21h16",
  again: "M20 11A8 8 0 1 0 18 17M20 4v7h-7",
  flip: "M7 4v14M4 7l3-3 3 3M17 20V6M14 17l3 3 3-3",
};

/** An icon by its name. @param {keyof typeof PATHS} name */
export const draw = (name) =>
  s("svg", { viewBox: "0 0 24 24", class: `icon icon-${name}`, "aria-hidden": "true" }, s("path", { d: PATHS[name] }));
