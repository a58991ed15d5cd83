// Cards are texts: rank, then suit, as in "AS", "TH", "2C".

const RANKS = "23456789TJQKA";
const SUITS = "CDHS";
const DECK = [...RANKS].flatMap((rank) => [...SUITS].map((suit) => rank + suit));

/** 2 to 14: 11 is the jack, 14 the ace. */
export function rank(card) {
  return RANKS.indexOf(card[0]) + 2;
}

/** "C", "D", "H" or "S". */
export function suit(card) {
  return card[1];
}

/** The cards of a text such as "AS KH 2C". */
export function cards(text) {
  return text === "" ? [] : text.split(" ");
}

/** Whether one card beats another that was played before. */
export function beats(other, card, trump) {
  return suit(other) === suit(card) ? rank(other) > rank(card) : suit(other) === trump;
}

/** The card that wins the trick so far; undefined for an empty trick. */
export function best(trick, trump) {
  return trick.reduce((winning, card) => (beats(card, winning, trump) ? card : winning), trick[0]);
}

/** For `sort`: the lowest card first, trumps after all others. */
export function dearer(trump) {
  const worth = (card) => rank(card) + (suit(card) === trump ? 100 : 0);
  return (one, other) => worth(one) - worth(other);
}

/** The cards that this seat has not seen in this deal. They are in other hands, in the stock or thrown away. */
export function unseen(view) {
  const turned = view.turned === null || view.house.trump_card === "separate_returned" ? [] : [view.turned];
  const played = view.tricks.flatMap((trick) => trick.cards);
  const seen = new Set([...view.hand, ...view.discarded, ...turned, ...played, ...view.trick, ...view.recalled]);
  return DECK.filter((card) => !seen.has(card));
}
