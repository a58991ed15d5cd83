// The end of a game: the result, where it was lost, its course, and what to do next.

import { element, plural, svg } from "./elements.js";
import { glyph, withGlyphs } from "./glyphs.js";
import { bar, chips } from "./bars.js";

const [HEIGHT, LEFT, RIGHT, BOTTOM, TOP] = [170, 44, 12, 142, 14]; // of the course, in pixels
const MARGINS = 60; // around the course, to the edges of the page

export function drawEnding(ending, buttons) {
  const own = ending.seats.find((seat) => seat.you);
  const times = ending.bourres ? ` and went bourré ${ending.bourres === 1 ? "once" : plural(ending.bourres, "time")}` : "";
  const deals = ending.curve.length;
  return [
    element("div", { class: "felt end" },
      element("div", {},
        element("p", { class: "kick" }, `Game over · ${plural(deals, "deal")}`),
        element("h1", { id: "result", tabindex: -1 }, `${ending.heading}, with ${chips(own.chips)}`),
        element("p", { class: "deck" }, `You came in on ${ending.entered} of ${plural(deals, "hand")}${times}.`),
        element("div", { class: "btns" }, ...buttons)),
      ranks(ending.seats)),
    element("section", { class: "lost-where" }, ...lostWhere(ending)),
    element("section", {}, element("h2", {}, "Your game"), element("div", { class: "box course" }, course(ending))),
    element("section", {}, element("h2", {}, "Look back"), lookBack(deals)),
  ];
}

// The champion judges after the game, so these parts change while the person looks.
export function showJudgement(root, ending) {
  root.querySelector(".lost-where").replaceChildren(...lostWhere(ending));
  root.querySelector(".course").replaceChildren(course(ending));
}

function ranks(seats) {
  const most = Math.max(1, ...seats.map((seat) => Math.abs(seat.chips)));
  return element("ol", { class: "ranks" }, ...seats.map((seat) => {
    const half = svg("svg", { viewBox: "0 0 200 14", preserveAspectRatio: "none", "aria-hidden": "true" },
      svg("rect", { class: seat.chips < 0 ? "less" : "more", x: seat.chips < 0 ? 100 + (98 * seat.chips) / most : 100, y: 0, height: 14, width: Math.abs((98 * seat.chips) / most), rx: 2 }),
      svg("path", { d: "M100 0V14" }));
    return element("li", { class: seat.you && "you" }, element("span", {}, seat.rank), element("bdi", {}, seat.name), half, element("span", { class: "n" }, chips(seat.chips)));
  }));
}

function lostWhere(ending) {
  const { lost } = ending;
  const left = ending.decisions - ending.judged;
  if (ending.unknown) return [element("h2", {}, "Where it was lost"), element("p", { class: "muted" }, ending.unknown)];
  if (!lost) return [element("h2", {}, "Where it was lost"), element("p", { class: "muted", role: "status" }, ending.decisions
    ? `The champion judges your decisions: ${plural(left, "decision")} to go …` : "The champion judges your decisions …")];
  if (!lost.length) return [element("h2", {}, "Where it was lost"), element("p", {}, `Nowhere: the champion finds no mistake in ${plural(ending.decisions, "decision")}.`)];
  const more = `your dearest ${lost.length === 1 ? "decision" : "decisions"}, as the champion judges them; ${plural(ending.mistakes, "mistake")} in ${plural(ending.decisions, "decision")}`;
  return [element("div", { class: "head" }, element("h2", {}, "Where it was lost"), element("span", { class: "muted" }, more)),
    element("div", { class: "thirds" }, ...lost.map(dear))];
}

function dear(one) {
  const best = one.chips + one.cost;
  const most = Math.max(Math.abs(best), Math.abs(one.chips), 1);
  return element("article", { class: "box" },
    element("h3", { class: "kick" }, `Deal ${one.deal} · ${one.situation}`),
    element("p", { class: "glyphs" }, ...one.hand.map((card) => glyph(card, one.trump))),
    element("p", {}, element("span", { class: "cost" }, chips(-one.cost, 1)), ` chips, ± ${one.error.toFixed(1)}`),
    element("div", { class: "worths" }, ...bar(withGlyphs(one.better), best, most, "best"), ...bar(withGlyphs(one.chosen), one.chips, most, "worse", "you")),
    element("p", {}, element("a", { class: "btn small", href: `replay${one.step}`, target: "_blank", rel: "noopener" }, `Replay deal ${one.deal}`)));
}

function lookBack(deals) {
  const box = (title, text, link) => element("div", { class: "box" }, element("h3", {}, title), element("p", { class: "muted" }, text), link);
  return element("div", { class: "thirds" },
    box("See it again", `${plural(deals, "deal")}, card by card, with all hands open.`, element("a", { class: "btn", href: "replay", target: "_blank", rel: "noopener" }, "Replay the game")),
    box("Keep it", "One file, which opens in any browser. Nothing was uploaded.", element("a", { class: "btn", href: "replay", download: "bourre-game.html" }, "Save the game")));
}

// The person's chips after each deal, with a ring at each of the dearest decisions.
function course(ending) {
  const width = Math.min(1180, document.documentElement.clientWidth - MARGINS);
  const points = [0, ...ending.curve];
  const [low, high] = [Math.min(...points), Math.max(...points)];
  const x = (deal) => LEFT + ((width - LEFT - RIGHT) * deal) / ending.curve.length;
  const y = (value) => BOTTOM - ((BOTTOM - TOP) * (value - low)) / Math.max(1, high - low);
  const label = (value) => svg("text", { x: LEFT - 6, y: y(value) + 4, "text-anchor": "end" }, chips(value));
  const marks = (ending.lost ?? []).map((one) => svg("circle", { cx: x(one.deal), cy: y(points[one.deal]), r: 5 }));
  const ends = [...new Set([low, high, 0])].filter((value) => value === 0 || y(value) - y(0) > 14 || y(0) - y(value) > 14);
  return svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT, role: "img",
    "aria-label": `Your chips after each deal: from 0 to ${chips(points.at(-1))}, lowest ${chips(low)}, highest ${chips(high)}` },
    svg("path", { class: "zero", d: `M${LEFT} ${y(0)}H${width - RIGHT}` }), ...ends.map(label),
    svg("polyline", { points: points.map((value, deal) => `${x(deal)},${y(value)}`).join(" ") }), ...marks,
    svg("text", { x: LEFT, y: HEIGHT - 6 }, "start"), svg("text", { x: width - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, `deal ${ending.curve.length}`));
}
