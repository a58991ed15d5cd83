// Cards in a sentence: the one notation of all pages, rank then suit.

import { cardName, suitMark } from "./cards.js";
import { element, svg } from "./elements.js";

const SIGNS = { "♣": "C", "♦": "D", "♥": "H", "♠": "S" };
const CARD = /(?<!\p{L})([2-9TJQKA])([♣♦♥♠])/u;

export function glyph(card, trump = "") {
  const [rank, suit] = card;
  const isTrump = suit === trump;
  const kind = `glyph${suit === "D" || suit === "H" ? " red" : ""}${isTrump ? " trump" : ""}`;
  return element("span", { class: kind, role: "img", "aria-label": `${cardName(card)}${isTrump ? ", trump" : ""}` },
    rank === "T" ? "10" : rank, svg("svg", { viewBox: "0 0 32 32", "aria-hidden": "true" }, suitMark(suit, 16, 16, 32)));
}

// The parts of a text in which each card like K♥ is a glyph.
export function withGlyphs(text) {
  const [before, rank, sign, after] = split(text);
  return rank ? [before, glyph(rank + SIGNS[sign]), ...withGlyphs(after)] : [text];
}

function split(text) {
  const found = CARD.exec(text);
  return found ? [text.slice(0, found.index), found[1], found[2], text.slice(found.index + 2)] : [text];
}
