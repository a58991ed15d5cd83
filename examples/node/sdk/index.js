// The parts for a bot. The files of this folder connect it to the referee. Edit only ../bot.js.

export { Bot } from "./bot.js";
export { beats, best, cards, dearer, rank, suit, unseen } from "./cards.js";
export { view } from "./example.js";
export { run } from "./run.js";
