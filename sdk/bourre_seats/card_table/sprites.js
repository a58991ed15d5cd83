// Decides the cards on the table, their places and their marks.

import { POT, fan } from "./places.js";

const RANK_ORDER = "23456789TJQKA";
const HAND = 5;
const TRICK_LAYER = 12;
const REFUSED_LAYER = 30;
const LIFT = 6; // of a card that may be played instead, in pixels
const PICTURE = 70; // the least width in pixels of a card with a whole picture

// The number of the card that wins the trick so far: the highest trump, or else the highest of the suit led (R5.1).
export function bestOf(trick, trump) {
  const strength = ([, card]) => RANK_ORDER.indexOf(card[0])
    + (card[1] === trump ? 200 : card[1] === trick[0][1][1] ? 100 : 0);
  return trick.reduce((best, played, number) => (strength(played) > strength(trick[best]) ? number : best), 0);
}

// The cards of a hand, each with a flag for its face. "?" is an unknown card, which has no name.
// A person's seat knows no other hand. The sizes of the other hands follow from the tricks.
function heldBy(state, number) {
  const seat = state.seats[number];
  if (seat.hand) return seat.hand.map((card, index) => (card === "?" ? [`${number} ${index}`, false] : [card, seat.shown !== false]));
  if (number === state.you || seat.state === "out" || !state.dealt) return [];
  const played = state.seats.reduce((sum, one) => sum + one.tricks, 0);
  const laid = state.winner === null && state.trick.some(([other]) => other === number) ? 1 : 0;
  return Array.from({ length: Math.max(0, (state.cards ?? HAND) - played - laid) }, (_, index) => [`${number} ${index}`, false]);
}

// A refused card is lifted out of its hand towards the trick, with a sign; the cards that it might have been are marked.
function handSprites(state, number, places) {
  const place = places.places[number];
  const [, refused, legal] = state.renege?.[0] === number ? state.renege : [number, "", []];
  const held = heldBy(state, number);
  const cards = held.filter(([card, shown]) => !shown || card !== refused);
  const folded = state.seats[number].state === "out" ? "folded" : "";
  const lying = cards.map(([card, shown], index) => {
    const isLegal = shown && legal.includes(card);
    const marks = [folded, isLegal && "legal", shown && card[1] === state.trump && "trump-card"];
    return { key: card, seat: number, lies: "hand", face: shown ? card : "", isIndex: true, order: index, layer: 1 + index,
      x: place.x + fan(index, cards.length, places.step), y: place.hand - (isLegal && !places.narrow ? LIFT : 0), scale: 1,
      mark: marks.filter(Boolean).join(" "), sign: isLegal ? "✓" : "", tag: "" };
  });
  if (cards.length === held.length) return lying;
  return [...lying, { key: refused, seat: number, lies: "refused", face: refused, isIndex: true, order: HAND, layer: REFUSED_LAYER,
    ...place.trick, scale: places.card / places.hand, turn: -7, mark: "wrong", sign: "!", tag: "" }];
}

function trickSprites(state, places) {
  const best = state.trick.length ? bestOf(state.trick, state.trump) : 0;
  return state.trick.map(([seat, card, wrong], number) => {
    const isBest = state.winner === null ? number === best : seat === state.winner;
    const tag = state.winner === seat ? "won" : number === 0 ? "led" : isBest ? "best" : "";
    return { key: card, seat, lies: "trick", face: card, isIndex: places.card < PICTURE, order: number, layer: TRICK_LAYER + number,
      ...places.places[seat].trick, scale: places.card / places.hand, mark: [wrong ? "wrong" : "", isBest ? "best" : ""].filter(Boolean).join(" "),
      sign: wrong ? "!" : "", tag };
  });
}

// The turned card lies beside the pot until the first lead; the badge of the trump stays.
function turnedSprite(state, places) {
  if (!state.turned || state.trick.length || places.narrow) return [];
  return [{ key: "turned", seat: null, lies: "turned", face: state.turned, isIndex: places.hand < PICTURE, order: 0, layer: TRICK_LAYER,
    x: places.pot.x + POT.width / 2 + places.hand * 0.6, y: places.pot.y, scale: 0.9, turn: 4, mark: "best", sign: "", tag: "turned up" }];
}

export function spritesOf(state, places) {
  const all = [...state.seats.flatMap((_, number) => handSprites(state, number, places)),
    ...trickSprites(state, places), ...turnedSprite(state, places)];
  return new Map(all.map((sprite) => [sprite.key, sprite]));
}
