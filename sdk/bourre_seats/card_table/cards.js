// Draws the faces of cards from the suits' symbols in the page, without requests or fonts.

import { svg } from "./elements.js";

const RANKS = { 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", T: "ten",
  J: "jack", Q: "queen", K: "king", A: "ace" };
export const SUITS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const [LEFT, MIDDLE, RIGHT] = [33, 50, 67];
const TWO = [[MIDDLE, 30]];
const FOUR = [[LEFT, 30], [RIGHT, 30]];
const NINE = [...FOUR, [LEFT, 57], [RIGHT, 57]];
const CENTRE = [MIDDLE, 70];
const WAIST = [[LEFT, 70], [RIGHT, 70]];
// The pips of the upper half, which the lower half repeats upside down, and the pips on the middle line.
const PIPS = { 2: [TWO, []], 3: [TWO, [CENTRE]], 4: [FOUR, []], 5: [FOUR, [CENTRE]], 6: [FOUR, WAIST],
  7: [FOUR, [...WAIST, [MIDDLE, 50]]], 8: [[...FOUR, [MIDDLE, 50]], WAIST], 9: [NINE, [CENTRE]],
  T: [[...NINE, [MIDDLE, 43]], []] };
const CROWNS = { K: "M35 32V17l8 8 7-11 7 11 8-8v15z", Q: "M37 32q-3-10 6-7 1-9 7-11 6 2 7 11 9-3 6 7z",
  J: "M34 32q0-13 14-13 17 0 18 13zM60 20q9-9 13-3-3 6-10 7z" };

export function cardName(text) {
  return `${RANKS[text[0]]} of ${SUITS[text[1]]}`;
}

export function suitMark(suit, x, y, size, kind = "") {
  return svg("use", { href: `#suit-${suit}`, class: kind, x: x - size / 2, y: y - size / 2, width: size, height: size });
}

function turned(...children) {
  return svg("g", { transform: "rotate(180 50 70)" }, ...children);
}

function corner(rank, suit) {
  const wide = rank === "T" ? { textLength: 17, lengthAdjust: "spacingAndGlyphs" } : {};
  const label = svg("text", { x: 12, y: 21, class: "rank", ...wide }, rank === "T" ? "10" : rank);
  return [label, suitMark(suit, 12, 31, 12)];
}

function pips(rank, suit) {
  const [upper, line] = PIPS[rank];
  const draw = ([x, y]) => suitMark(suit, x, y, 17);
  return [...upper.map(draw), ...line.map(draw), turned(...upper.map(draw))];
}

function figure(rank, suit) {
  const beard = rank === "K" ? [svg("path", { class: "hair", d: "M40 44q10 4 20 0-1 14-10 15-9-1-10-15z" })] : [];
  const hair = rank === "Q" ? [svg("path", { class: "hair", d: "M37 32q-6 16-1 26h28q5-10-1-26z" })] : [];
  return [
    svg("path", { class: "robe", d: "M23 70q3-15 27-15t27 15z" }),
    ...hair,
    svg("circle", { class: "face", cx: 50, cy: 42, r: 11 }),
    ...beard,
    svg("path", { class: "look", d: "M46 41v1M54 41v1M47 47q3 2 6 0" }),
    svg("path", { class: "crown", d: CROWNS[rank] }),
    suitMark(suit, 50, 64, 9, "badge"),
  ];
}

function face(rank, suit) {
  if (rank === "A") return [suitMark(suit, 50, 70, 52)];
  if (rank in PIPS) return pips(rank, suit);
  const frame = svg("rect", { class: "frame", x: 22, y: 11, width: 56, height: 118, rx: 4 });
  return [frame, svg("g", {}, ...figure(rank, suit)), turned(...figure(rank, suit))];
}

function card(text, ...children) {
  const red = text[1] === "D" || text[1] === "H";
  return svg("svg", { viewBox: "0 0 100 140", class: `card ${red ? "red" : "black"}`, "aria-hidden": "true" },
    svg("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }), ...children);
}

export function cardPicture(text) {
  const [rank, suit] = text;
  return card(text, ...face(rank, suit), ...corner(rank, suit), turned(...corner(rank, suit)));
}

// For small cards and overlapping hands: rank and suit are large and at the left.
export function indexCard(text) {
  const [rank, suit] = text;
  const wide = rank === "T" ? { textLength: 42, lengthAdjust: "spacingAndGlyphs" } : {};
  const picture = rank in CROWNS
    ? svg("g", { transform: "translate(26 40) scale(.82)" }, ...figure(rank, suit))
    : suitMark(suit, 66, 102, 56);
  return card(text, picture, svg("text", { x: 25, y: 47, class: "rank index", ...wide }, rank === "T" ? "10" : rank),
    suitMark(suit, 25, 70, 34));
}

export function cardBack() {
  const net = Array.from({ length: 7 }, (_, row) => `M10 ${22 + row * 16}l80 0`).join("");
  return svg("svg", { viewBox: "0 0 100 140", class: "card back", "aria-hidden": "true" },
    svg("rect", { class: "paper", x: 1, y: 1, width: 98, height: 138, rx: 9 }),
    svg("rect", { class: "cloth", x: 8, y: 8, width: 84, height: 124, rx: 5 }),
    svg("path", { class: "net", d: net }));
}
