// The verdict on an answer to a puzzle, and the streak that this browser keeps.

import { bar, chips } from "./bars.js";
import { element, plural } from "./elements.js";
import { withGlyphs } from "./glyphs.js";

const STORE = "bourre-streak";
const MOST_MARKS = 10;
const NUMBERS = ["", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"];

export function drawVerdict(verdict, buttons, key, redraw) {
  const most = Math.max(1, ...verdict.choices.map((one) => Math.abs(one.chips)));
  const rows = verdict.choices.flatMap((one) => {
    const who = [...(one.yours ? ["you"] : []), ...one.others].join(" and ");
    const lag = one.lag ? `${chips(-one.lag, 1)} ± ${one.error.toFixed(1)}` : "";
    return bar(withGlyphs(one.words), one.chips, most, one === verdict.choices[0] ? "best" : "other", who, lag);
  });
  return [
    element("section", { class: `box verdict ${verdict.right ? "right" : "wrong"}`, "aria-label": "Verdict" },
      element("p", { class: "kick" }, verdict.right ? "Right" : "Not the best"),
      element("h2", { id: "result", tabindex: -1 }, verdict.heading),
      element("div", { class: "worths" }, ...rows),
      element("p", { class: "muted" }, `Average chips from here to the end of the deal, with an equal share of the pot that stays, in ${verdict.samples} sampled deals. Below: how far behind the best, ± the standard error.`),
      ...(verdict.said ? [element("p", {}, verdict.said)] : [])),
    element("section", { class: "box", "aria-label": "Next" }, element("div", { class: "btns" }, ...buttons), streak(keep(verdict.right, key), redraw)),
  ];
}

// Storage may be blocked, and then the streak lasts as long as the page.
let unstored = { marks: [], best: 0, last: "" };

function read() {
  try {
    const kept = JSON.parse(localStorage.getItem(STORE));
    return Array.isArray(kept?.marks) ? kept : unstored;
  } catch {
    return unstored;
  }
}

function write(kept) {
  unstored = kept;
  try {
    localStorage.setItem(STORE, JSON.stringify(kept));
  } catch (blocked) {
    console.info(`The streak is kept by this page only: ${blocked.message}`);
  }
}

// A page that is loaded again does not count the same answer twice.
function keep(right, key) {
  const kept = read();
  if (kept.last === key) return kept;
  const marks = [...kept.marks, Number(Boolean(right))].slice(-200);
  const now = { marks, best: Math.max(kept.best, inARow(marks)), last: key };
  write(now);
  return now;
}

const inARow = (marks) => marks.length - 1 - marks.lastIndexOf(0);

function streak(kept, redraw) {
  const now = inARow(kept.marks);
  const shown = kept.marks.slice(-MOST_MARKS);
  const again = element("button", { type: "button", class: "plain" }, "Start again");
  again.addEventListener("click", () => { write({ marks: [], best: 0, last: kept.last }); redraw(); });
  const words = now ? `${NUMBERS[now] ?? now} right in a row` : "A new streak begins";
  return element("div", { class: "streak" },
    element("p", {}, element("b", {}, words), " ", element("span", { class: "muted" }, `best: ${kept.best}`)),
    element("p", { class: "marks", role: "img", "aria-label": `The last ${plural(shown.length, "answer")}: ${shown.map((one) => (one ? "right" : "wrong")).join(", ") || "none"}` },
      ...shown.map((one) => element("i", { class: one ? "" : "wrong" }, one ? "✓" : "✗")), element("i", { class: "open" })),
    element("p", { class: "muted" }, "Kept in this browser only. ", again));
}
