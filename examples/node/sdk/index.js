// All that a bot needs. The files of this folder are its line to the referee; what you edit is ../bot.js.

export { Bot } from "./bot.js";
export { beats, best, cards, dearer, rank, suit, unseen } from "./cards.js";
export { view } from "./example.js";
export { run } from "./run.js";
