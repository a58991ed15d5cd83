// The tables of a bot: an instance of it for each match, and its latest answers.

import { decide, recall } from "./decide.js";
import { readView } from "./view.js";

export class Tables {
  #Bot;
  #tables = new Map();

  constructor(Bot) {
    this.#Bot = Bot;
  }

  /** Opens the tables that the referee assigns, and closes those whose matches are over. */
  follow(message) {
    for (const seating of message.seatings) {
      if (!this.#tables.has(seating.table)) {
        this.#tables.set(seating.table, { bot: new this.#Bot(), seating, answered: 0, answers: [] });
      }
    }
    for (const { table, balances } of message.match_ends) {
      const place = this.#tables.get(table); // undefined if the match began and ended while disconnected
      this.#tables.delete(table);
      heed(() => place?.bot.onMatchEnd(balances));
    }
    if (message.welcome) { // it lists all open tables: the others closed while disconnected
      const open = new Set(message.seatings.map((seating) => seating.table));
      [...this.#tables.keys()].filter((table) => !open.has(table)).forEach((table) => this.#tables.delete(table));
    }
  }

  /** The bot's answer and its recall, if any. A repeated ask gets the same answers. */
  async answers(ask) {
    const place = this.#tables.get(ask.table);
    if (place.answered !== ask.id) {
      place.answers = await answersOf(place, ask);
      place.answered = ask.id;
    }
    return place.answers;
  }
}

async function answersOf({ bot, seating }, ask) {
  const began = performance.now();
  const { table, id } = ask;
  const view = readView(ask, seating);
  try {
    if (view.renege) {
      bot.onRenege(view.renege, view);
    }
    const choice = await decide(bot, ask.decision, view);
    const better = await recall(bot, view, choice);
    const answer = { table, id, ...choice, spent_us: Math.round((performance.now() - began) * 1000) };
    return better ? [answer, { table, id, ...better }] : [answer];
  } catch (error) {
    report(error, ask);
    return [{ table, id, error: String(error) }];
  }
}

/** Reports an error on stderr, which the referee keeps in the bot's log. */
function report(error, { table, decision, view }) {
  console.error(error);
  console.error(
    `bourre: no answer to ${decision} in deal ${view.deal} at table ${table}: seat ${view.seat}, hand ${view.hand}, ` +
      `trump ${view.trump || "-"}, trick ${view.trick || "-"}, legal ${view.legal || "-"}. ` +
      "The referee acts for this seat (R8.5) and counts a fault.",
  );
}

function heed(hear) {
  try {
    hear();
  } catch (error) {
    console.error(error);
  }
}
