// Views for tests, in one line: `view({ hand: "AS KH 2C", legal: "AS KH", trick: "QH", trump: "S" })`.

import { readView } from "./view.js";

const VIEW = {
  seat: 0, deal: 1, dealer: 3, hand: "", legal: "", trump: "", turned: "", dead: "", pot: 4, balances: [-1, -1, -1, -1],
  standings: ["STANDING_IN", "STANDING_IN", "STANDING_IN", "STANDING_IN"], drawn: [-1, -1, -1, -1], discarded: "",
  max_discards: 5, tricks: [], leaders: [], trick: "", barred: [], recalled: "", owed_turns: [0, 0, 0, 0], seed: 7,
};
const HOUSE = { declare_mode: "turn", trump_card: "dealer_fifth", renege_policy: "prompt", pot_limit: 20 };

/** The view of a seat at a table of four: fields by their names in game.proto, and house rules on top of `limit`. */
export function view(fields, house = {}) {
  const seating = { deals: 50, house: { ...HOUSE, ...house } };
  return readView({ view: { ...VIEW, ...fields }, renege: null, bank_ms: 5000, match_ms: 600000 }, seating);
}
