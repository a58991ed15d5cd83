// A choice and its worth as a bar.

import { element, svg } from "./elements.js";

// Chips with their sign, a real minus, and this many digits.
export const chips = (value, digits = 0) => {
  const text = Math.abs(value).toFixed(digits);
  return Number(text) === 0 ? text : `${value < 0 ? "−" : "+"}${text}`;
};

// The three cells of a choice: its words with who chose it, the bar, and its worth with what it lags behind.
export function bar(words, worth, most, kind, who = "", lag = "") {
  const length = Math.max(1, (100 * Math.abs(worth)) / most);
  return [
    element("span", { class: /^you\b/.test(who) && "chosen" }, ...words, who ? element("small", {}, who) : ""),
    svg("svg", { viewBox: "0 0 100 16", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: "track", width: 100, height: 16, rx: 1 }), svg("rect", { class: worth < 0 ? "less" : kind, width: length, height: 16, rx: 1 })),
    element("span", { class: `n ${worth < 0 ? "bad" : "good"}` }, chips(worth, 1), lag ? element("small", {}, lag) : ""),
  ];
}
