// Connects a bot to the referee that started its program.

import { realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Tables } from "./tables.js";

/**
 * Plays this bot at the referee that started the program `module`, until the room closes. Does nothing if the module is
 * only imported, as by a test.
 */
export async function run(Bot, module) {
  if (!process.argv[1] || realpathSync(process.argv[1]) !== realpathSync(fileURLToPath(module))) return;
  const { BOURRE_ADDRESS: address, BOURRE_TOKEN: token } = process.env;
  if (!address || !token) {
    fail(
      `${Bot.name} needs a referee, which sets BOURRE_ADDRESS and BOURRE_TOKEN.\n` +
        "hint: enter it in a contest for `bourre run`",
    );
  }
  try {
    const [{ Line }, { credentialsFrom }] = await Promise.all([import("./referee.js"), import("./credentials.js")]);
    await new Line(address, token, new Tables(Bot), credentialsFrom(process.env)).play();
  } catch (error) {
    const mend = error.code === "ERR_MODULE_NOT_FOUND" ? "\nhint: run npm ci in its folder" : "";
    fail(`${Bot.name}: ${error.message}${mend}`);
  }
}

function fail(text) {
  console.error(text);
  process.exit(1);
}
