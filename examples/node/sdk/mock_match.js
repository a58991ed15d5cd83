// A short match for tests. The bot plays freely, and an illegal answer ends the match with an error.

import { beats, cards, dearer, rank, suit } from "./cards.js";

const [BOT, RIVAL] = [0, 1];
/** Hands by seat. In the second deal, the bot deals and turns up an ace, so it must play (R4.5). */
const DEALS = [
  { dealer: RIVAL, hands: ["4H 5C 5D 8C AC", "2C 3D 9H TS KD"], turned: "KD", stock: "3C 4D 6S JD 7H" },
  { dealer: BOT, hands: ["6D 7S 9C QH AH", "2D 5S 8H JC KS"], turned: "AH", stock: "3H TD 6C QS 4C" },
];
/** House rules in which seats only have to follow suit (R5.2). A missing key is false. */
const HOUSE = {
  first_dealer: "seeded", ante: 1, ante_when: "always", cards: 5, trump_card: "dealer_fifth", declare_mode: "turn",
  max_discards: 5, recycle: "together", must_hold: "none", must_trump: "never", lead_honour: "none",
  lead_honour_when: "every", tie: "carry", renege_multiple: 1, renege_policy: "prompt", renege_pot: "carry",
};
/** The seating of each match, without its table. */
export const SEATING = { match: "mock", seat: BOT, seats: 2, deals: DEALS.length, house: HOUSE };

/** Yields each decision with its view, takes the answer, and returns the final balances; throws if an answer is illegal. */
export function* match() {
  const chips = { pot: 0, balances: [0, 0] };
  for (const [index, script] of DEALS.entries()) {
    yield* new Deal(index + 1, script, chips).play();
  }
  return chips.balances.map((balance, seat) => balance + Math.floor((chips.pot + seat) / 2)); // R7.6
}

class Deal {
  #number;
  #dealer;
  #hands;
  #turned;
  #stock;
  #chips;
  #standings = ["STANDING_UNDECLARED", "STANDING_UNDECLARED"];
  #drawn = [-1, -1];
  #discarded = [];
  #tricks = [];
  #leaders = [];

  constructor(number, { dealer, hands, turned, stock }, chips) {
    this.#number = number;
    this.#dealer = dealer;
    this.#hands = hands.map(cards);
    this.#turned = turned;
    this.#stock = cards(stock);
    this.#chips = chips;
  }

  *play() {
    this.#pay(BOT, HOUSE.ante);
    this.#pay(RIVAL, HOUSE.ante);
    const eldest = 1 - this.#dealer;
    for (const seat of [eldest, this.#dealer]) {
      if (seat === BOT) yield* this.#enterBot();
      else this.#enter(RIVAL, []);
    }
    this.#settle(this.#standings[BOT] === "STANDING_IN" ? yield* this.#playTricks(eldest) : [0, 5]);
  }

  *#enterBot() {
    const hand = this.#hands[BOT];
    const isObliged = this.#dealer === BOT && rank(this.#turned) === 14;
    const answer = yield this.#ask(isObliged ? "DECISION_DRAW" : "DECISION_DECLARE", hand);
    demand(isObliged || typeof answer.plays === "boolean", "the declaration says neither plays nor passes");
    if (!isObliged && !answer.plays) {
      this.#standings[BOT] = "STANDING_PASSED";
      return;
    }
    const discards = cards(answer.discards ?? "");
    const areHeld = new Set(discards).size === discards.length && discards.every((card) => hand.includes(card));
    demand(areHeld && discards.length <= HOUSE.max_discards, `"${answer.discards}" cannot be discarded from ${hand.join(" ")}`);
    this.#enter(BOT, discards);
  }

  #enter(seat, discards) {
    const kept = this.#hands[seat].filter((card) => !discards.includes(card));
    this.#hands[seat] = [...kept, ...this.#stock.splice(0, discards.length)].sort().sort(dearer(""));
    this.#standings[seat] = "STANDING_IN";
    this.#drawn[seat] = discards.length;
    if (seat === BOT) this.#discarded = discards;
  }

  /** The number of tricks that each seat wins. */
  *#playTricks(leader) {
    const won = [0, 0];
    while (this.#hands[BOT].length > 0) {
      this.#leaders.push(leader);
      const trick = [];
      for (const seat of [leader, 1 - leader]) {
        const legal = legalCards(this.#hands[seat], trick);
        const card = seat === BOT && legal.length > 1 ? yield* this.#botCard(legal, trick) : legal[0];
        this.#hands[seat] = this.#hands[seat].filter((held) => held !== card);
        trick.push(card);
      }
      this.#tricks.push(trick.join(" "));
      leader = beats(trick[1], trick[0], suit(this.#turned)) ? 1 - leader : leader;
      won[leader] += 1;
    }
    return won;
  }

  *#botCard(legal, trick) {
    const { card } = yield this.#ask("DECISION_PLAY", legal, trick);
    demand(legal.includes(card), `the card ${card} is not one of the legal ones: ${legal.join(" ")}`);
    return card;
  }

  /** The seat with most tricks takes the pot (R7.1). A seat that plays and wins none pays as much (R7.3). */
  #settle(won) {
    const winner = won[BOT] > won[RIVAL] ? BOT : RIVAL;
    const loser = 1 - winner;
    const { pot } = this.#chips;
    this.#pay(winner, -pot);
    if (won[loser] === 0 && this.#standings[loser] === "STANDING_IN") this.#pay(loser, pot);
  }

  #pay(seat, chips) {
    this.#chips.balances[seat] -= chips;
    this.#chips.pot += chips;
  }

  #ask(decision, legal, trick = []) {
    const view = {
      seat: BOT, deal: this.#number, dealer: this.#dealer, hand: this.#hands[BOT].join(" "), trump: suit(this.#turned),
      turned: this.#turned, pot: this.#chips.pot, balances: [...this.#chips.balances], standings: [...this.#standings],
      drawn: [...this.#drawn], discarded: this.#discarded.join(" "), tricks: [...this.#tricks], leaders: [...this.#leaders],
      trick: trick.join(" "), owed_turns: [0, 0], legal: legal.join(" "), max_discards: HOUSE.max_discards, seed: this.#number,
    };
    return { decision, bank_ms: 60_000, match_ms: 600_000, view };
  }
}

function legalCards(hand, trick) {
  const following = trick.length > 0 ? hand.filter((card) => suit(card) === suit(trick[0])) : [];
  return following.length > 0 ? following : hand;
}

/** Throws unless the bot has met this condition. */
export function demand(holds, otherwise) {
  if (!holds) throw new Error(otherwise);
}
