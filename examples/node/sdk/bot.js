// The decisions of a bot, each with a default that plays legally. One instance is made for each match.

import { suit } from "./cards.js";

const SUITS = ["C", "D", "H", "S"];

export class Bot {
  /** Whether to play this deal: true plays, false passes (R4.1). */
  declare(view) {
    return holdsTrump(view);
  }

  /** The cards to discard, at most view.maxDiscards (R4.3). */
  draw(view) {
    return [];
  }

  /** Whether the dealer, who discards, takes view.dead for one of the discards (R3.2). */
  takeTurned(view) {
    return false;
  }

  /** The trump suit, where the dealer chooses it (R3.2): by default the suit with most cards. */
  nameTrump(view) {
    const held = (letter) => view.hand.filter((card) => suit(card) === letter).length;
    return SUITS.reduce((best, letter) => (held(letter) >= held(best) ? letter : best));
  }

  /** Whether to stay after the draw for another second ante (house rule `second_pass`). */
  stay(view) {
    return holdsTrump(view);
  }

  /** One of view.legal, the lowest by default. Not asked where only one card is legal. */
  play(view) {
    return view.legal[0];
  }

  /** Another card instead of an illegal one where nobody says a word (`renege_policy = "silent"`); null lets it stand. */
  recall(view, card) {
    return null;
  }

  /** Hears that its own card broke a rule, before `play` is asked to correct it: { card, rule, sentence, match }. */
  onRenege(renege, view) {}

  /** Hears the final balance of every seat. */
  onMatchEnd(balances) {}
}

function holdsTrump(view) {
  return view.hand.some((card) => suit(card) === view.trump);
}
