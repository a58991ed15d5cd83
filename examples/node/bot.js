// Comes in with hands that seldom go bourré, leads cards that no unseen card can beat, and wins tricks cheaply.

import { Bot, beats, best, dearer, rank, run, suit, unseen } from "./sdk/index.js";

const KING = 13;

export class MyBot extends Bot {
  /** Whether to play this deal: true plays, false passes. */
  declare(view) {
    return isStrong(view);
  }

  /** The cards to exchange, at most view.maxDiscards. */
  draw(view) {
    const weak = view.hand.filter((card) => suit(card) !== view.trump && rank(card) < KING);
    return weak.slice(0, view.maxDiscards);
  }

  /** One card of view.legal, which holds the lowest first. */
  play(view) {
    const cheapestFirst = [...view.legal].sort(dearer(view.trump));
    const safe = cheapestFirst.filter((card) => isSafe(card, view));
    if (view.trick.length > 0) {
      return safe[0] ?? cheapestFirst[0];
    }
    return safe.at(-1) ?? view.legal.at(-1);
  }

  /** Whether to pay another second ante after the draw, if the table has one. */
  stay(view) {
    return isStrong(view);
  }
}

function isStrong(view) {
  const trumps = view.hand.filter((card) => suit(card) === view.trump);
  return trumps.length >= 2 || trumps.some((card) => rank(card) >= KING);
}

/** Whether this card wins the trick so far, and no card that may be out beats it. The turned card always counts as out. */
function isSafe(card, view) {
  const turned = view.turned === view.dead || view.hand.includes(view.turned) ? [] : [view.turned];
  const wins = view.trick.length === 0 || beats(card, best(view.trick, view.trump), view.trump);
  return wins && ![...unseen(view), ...turned].some((other) => beats(other, card, view.trump));
}

run(MyBot, import.meta.url);
