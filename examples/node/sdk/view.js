// All that a seat may know when it is asked, and nothing else. game.proto explains each field.

import { best, cards } from "./cards.js";

const PLAYS = { STANDING_UNDECLARED: null, STANDING_PASSED: false, STANDING_IN: true };

/** The view of an ask at the table of this seating. Cards are arrays, missing values are null, lists are by seat. */
export function readView(ask, seating) {
  const { view } = ask;
  const plays = view.standings.map((standing) => PLAYS[standing]);
  const playing = clockwiseFrom(view.dealer + 1, plays.length).filter((seat) => plays[seat]);
  const tricks = view.tricks.map((text, number) => readTrick(view.leaders[number], cards(text), playing, view.trump));
  return Object.freeze({
    seat: view.seat,
    seats: plays.length,
    deal: view.deal,
    deals: seating.deals,
    dealer: view.dealer,
    hand: cards(view.hand),
    legal: cards(view.legal),
    trump: view.trump || null,
    turned: view.turned || null,
    dead: view.dead || null,
    pot: view.pot,
    match: Math.min(view.pot, seating.house.pot_limit ?? Infinity),
    balances: view.balances,
    plays,
    playing,
    drawn: view.drawn.map((number) => (number < 0 ? null : number)),
    discarded: cards(view.discarded),
    maxDiscards: view.max_discards,
    tricks,
    tricksWon: plays.map((_, seat) => tricks.filter((trick) => trick.winner === seat).length),
    leader: view.leaders[tricks.length] ?? null,
    trick: cards(view.trick),
    barred: view.barred,
    recalled: cards(view.recalled),
    owedTurns: view.owed_turns,
    seed: view.seed,
    house: seating.house,
    renege: ask.renege,
    bankMs: ask.bank_ms,
    matchMs: ask.match_ms,
  });
}

function readTrick(leader, trick, playing, trump) {
  const place = trick.indexOf(best(trick, trump));
  const winner = playing[(playing.indexOf(leader) + place) % playing.length];
  return Object.freeze({ leader, cards: trick, winner });
}

function clockwiseFrom(first, seats) {
  return Array.from({ length: seats }, (_, turn) => (first + turn) % seats);
}
