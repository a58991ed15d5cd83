// Decisions of the example's own brain on views made by hand; test_node_starter.py runs it in the bot's folder.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MyBot } from "./bot.js";
import { view } from "./sdk/index.js";

const bot = new MyBot();

test("it plays with two trumps and passes with a low one", () => {
  assert.equal(bot.declare(view({ hand: "4C 9H QD 2S 7S", trump: "S" })), true);
  assert.equal(bot.declare(view({ hand: "4C 9H QD AH 7S", trump: "S" })), false);
});

test("it exchanges what is neither trump nor high", () => {
  const drawing = view({ hand: "4C 9H 2S 7S AH", trump: "S", max_discards: 5 });
  assert.deepEqual(bot.draw(drawing), ["4C", "9H"]);
});

test("it leads the highest trump that nothing can beat", () => {
  assert.equal(bot.play(view({ hand: "KH AS", legal: "KH AS", trump: "S" })), "AS");
});

test("it wins with the cheapest card that is safe", () => {
  const second = { hand: "QS AS", legal: "QS AS", trick: "JS", trump: "S" };
  assert.equal(bot.play(view(second)), "AS");
  assert.equal(bot.play(view({ ...second, discarded: "KS" })), "QS");
});

test("where it cannot win for sure it plays its cheapest card", () => {
  assert.equal(bot.play(view({ hand: "3H 2S 5S", legal: "3H 2S 5S", trick: "AD", trump: "S" })), "3H");
});
