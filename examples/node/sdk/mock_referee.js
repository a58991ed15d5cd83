// A referee for tests. It starts a bot's program, follows the real protocol, and throws if the bot makes a mistake.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { promisify } from "node:util";
import grpc from "@grpc/grpc-js";
import { demand, match, SEATING } from "./mock_match.js";
import { service } from "./referee.js";

const TOKEN = "0123456789abcdef".repeat(4);
const WELCOME = { bot: "bot", room: "mock", decision_ms: 60_000, bank_ms: 60_000, match_ms: 600_000, reconnect_ms: 60_000 };

/**
 * Plays a match at each table with the bot of this program. The connection breaks at the first `breaks` messages with
 * answers, which are lost. Returns the number of dials and the exit code.
 */
export async function playRoom(program, { tables = 1, breaks = 0, signal } = {}) {
  const room = new Room(tables, breaks);
  const server = new grpc.Server();
  server.addService(service().Referee.service, { Play: (call) => room.hear(call) });
  const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", grpc.ServerCredentials.createInsecure());
  const environment = { ...process.env, BOURRE_ADDRESS: `127.0.0.1:${port}`, BOURRE_TOKEN: TOKEN };
  const bot = spawn(process.execPath, [program], { env: environment, stdio: ["ignore", "ignore", "inherit"], signal });
  try {
    const [exitCode] = await Promise.race([once(bot, "exit"), room.failed]);
    demand(room.isOver, `the bot ended before the goodbye, with exit code ${exitCode}`);
    return { dials: room.dials, exitCode };
  } finally {
    bot.kill();
    server.forceShutdown();
  }
}

class Room {
  dials = 0;
  #tables;
  #breaks;
  #fail;

  constructor(tables, breaks) {
    this.#tables = Array.from({ length: tables }, (_, number) => new Table(number));
    this.#breaks = breaks;
    this.failed = new Promise((_, fail) => {
      this.#fail = fail;
    });
  }

  get isOver() {
    return this.#tables.every(({ ask }) => !ask);
  }

  /** Handles one call of Play. Its first message is the hello, and all others contain answers. */
  hear(call) {
    this.dials += 1;
    let heed = ({ hello }) => this.#greet(hello, call);
    call.on("data", (message) => {
      try {
        heed(message);
        heed = ({ answers }) => this.#take(answers, call);
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  /** Sends the seatings and the open asks, also to a bot that comes back. */
  #greet(hello, call) {
    const isKnown = hello?.protocol === 1 && hello.token === TOKEN;
    demand(isKnown, "the first message is no hello for protocol 1 with the token of BOURRE_TOKEN");
    demand(!this.isOver, "another hello after the goodbye");
    const open = this.#tables.filter((table) => table.ask);
    const seatings = open.map(({ number }) => ({ ...SEATING, table: number }));
    call.write({ welcome: WELCOME, seatings, asks: open.map(({ ask }) => ask) });
  }

  #take(answers, call) {
    if (this.#breaks > 0) {
      this.#breaks -= 1;
      call.removeAllListeners("data").emit("error", { code: grpc.status.UNAVAILABLE, details: "the connection breaks" });
      return;
    }
    const heard = answers.map((answer) => this.#heed(answer));
    const [over, open] = [heard.filter(({ ask }) => !ask), heard.filter(({ ask }) => ask)];
    const match_ends = over.map(({ number, balances }) => ({ table: number, balances }));
    call.write({ asks: open.map(({ ask }) => ask), match_ends });
    if (this.isOver) {
      call.write({ goodbye: { reason: "every match is played" } });
      call.end();
    }
  }

  /** The table of an answer, which has gone on with it. */
  #heed(answer) {
    const table = this.#tables[answer.table];
    demand(table?.ask?.id === answer.id, `an answer to ask ${answer.id} at table ${answer.table}, which is not open`);
    demand(!answer.error, `the bot failed to decide: ${answer.error}`);
    table.goOn(answer);
    return table;
  }
}

/** A match, what is asked there until nothing is, and its final balances. */
class Table {
  ask = null;
  balances = null;
  #game = match();

  constructor(number) {
    this.number = number;
    this.goOn();
  }

  goOn(answer) {
    const { done, value } = this.#game.next(answer);
    this.ask = done ? null : { ...value, table: this.number, id: (this.ask?.id ?? 0) + 1 };
    if (done) this.balances = value;
  }
}
