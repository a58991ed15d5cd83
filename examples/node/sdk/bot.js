// The decisions of a bot, each with a legal default. Each match gets its own instance.

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

  /** Whether the dealer takes view.dead for one of the discards (R3.2). */
  takeTurned(view) {
    return false;
  }

  /** The trump suit, if the dealer chooses it (R3.2). By default it is the suit with most cards. */
  nameTrump(view) {
    const held = (letter) => view.hand.filter((card) => suit(card) === letter).length;
    return SUITS.reduce((best, letter) => (held(letter) >= held(best) ? letter : best));
  }

  /** Whether to stay after the draw for another second ante (house rule `second_pass`). */
  stay(view) {
    return holdsTrump(view);
  }

  /** One of view.legal, by default the lowest. A single legal card is played without this call. */
  play(view) {
    return view.legal[0];
  }

  /** A card that corrects a silent renege (`renege_policy = "silent"`); null lets the illegal card stand. */
  recall(view, card) {
    return null;
  }

  /** Receives this bot's renege, { card, rule, sentence, match }, before `play` is called to correct it. */
  onRenege(renege, view) {}

  /** Receives the final balance of every seat. */
  onMatchEnd(balances) {}
}

function holdsTrump(view) {
  return view.hand.some((card) => suit(card) === view.trump);
}
