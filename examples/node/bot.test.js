// Tests that the bot plays legally at a referee. `npm test` runs them. Add tests of your bot's play:
//
//   import { MyBot } from "./bot.js";
//   import { view } from "./sdk/index.js";
//   test("it leads the ace of trumps", () => {
//     assert.equal(new MyBot().play(view({ hand: "KH AS", legal: "KH AS", trump: "S" })), "AS");
//   });

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { playRoom } from "./sdk/mock_referee.js";

const BOT = fileURLToPath(new URL("./bot.js", import.meta.url));
const PATIENCE = { timeout: 120_000 };

test("it answers each ask legally, and ends after the goodbye", PATIENCE, async ({ signal }) => {
  assert.deepEqual(await playRoom(BOT, { signal }), { dials: 1, exitCode: 0 });
});

test("it plays at several tables at once", PATIENCE, async ({ signal }) => {
  assert.deepEqual(await playRoom(BOT, { tables: 4, signal }), { dials: 1, exitCode: 0 });
});

test("it dials again when the connection breaks, and plays on", PATIENCE, async ({ signal }) => {
  assert.deepEqual(await playRoom(BOT, { tables: 2, breaks: 3, signal }), { dials: 4, exitCode: 0 });
});
