// A bot's connection to the referee: one call of Play, which is repeated after a break. referee.proto has the protocol.

import { existsSync } from "node:fs";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import grpc from "@grpc/grpc-js";
import loader from "@grpc/proto-loader";

const PROTOCOL = 1;
const CLIENT = "bourre-node 1.0";
const DIAL_MS = 30_000;
const PAUSES_MS = [0, 50, 100, 200, 400, 800, 1600, 3200, 6400, 12800];
const READING = { keepCase: true, longs: Number, enums: String, defaults: true, oneofs: true };
const OPTIONS = {
  "grpc.enable_http_proxy": 0,
  "grpc.enable_retries": 0, // this class reconnects itself
  "grpc.initial_reconnect_backoff_ms": 100,
  "grpc.max_reconnect_backoff_ms": 1000,
  "grpc.max_receive_message_length": 16 * 1024 * 1024,
  "grpc.keepalive_time_ms": 60_000, // a waiting bot must notice that its referee is gone
  "grpc.keepalive_timeout_ms": 20_000,
};
/** How long a returning bot dials on although it is refused, in addition to the time for a decision: its lost connection may count as open. */
const REFUSED_MS = 60_000;
const MOST_CHARACTERS = 500;
const OLD_REFEREE = "bourre: This referee is older than the bot. After its goodbye, run the bot again for the next match.";

/** The referee does not admit the bot. The message says why. */
export class Refused extends Error {}

export class Line {
  #client;
  #isLocal;
  #token;
  #tables;
  #welcomed = false;
  #wasLetIn = false;
  #stays = false;
  #flushAfterMs = 250;
  #graceMs = 0;
  #refusedMs = REFUSED_MS;
  #welcomedAt = 0;
  #backUntil = 0;
  #pauses = [...PAUSES_MS];

  constructor(address, token, tables, credentials = grpc.credentials.createInsecure()) {
    this.#client = new (service().Referee)(address, credentials, OPTIONS);
    this.#isLocal = address.startsWith("unix:");
    this.#token = token;
    this.#tables = tables;
  }

  /** Plays until the goodbye; throws Refused, or the error of a connection that breaks for good. */
  async play() {
    this.#backUntil = performance.now() + DIAL_MS;
    await this.#dial();
    for (let finished = false; !finished; ) {
      try {
        await this.#playStream();
        finished = true;
      } catch (error) {
        await this.#pauseAfter(error);
      }
    }
    this.#client.close();
  }

  /** Waits before the next dial; throws if there will be none. */
  async #pauseAfter(error) {
    const now = performance.now();
    if (this.#welcomed) {
      if (error instanceof Refused || error.code === grpc.status.RESOURCE_EXHAUSTED) throw error;
      this.#backUntil = now + this.#graceMs;
      if (now - this.#welcomedAt >= PAUSES_MS.at(-1)) this.#pauses = [...PAUSES_MS];
      if (this.#stays) say(`The connection broke (${error.message}). Dialling until the referee is back.`);
    } else if (error instanceof Refused) {
      this.#backUntil = Math.min(this.#backUntil, now + this.#refusedMs);
    } else if (this.#stays) {
      this.#backUntil = Infinity; // the referee is away and may admit the bot later
    }
    const pause = this.#pauses.shift() ?? (this.#stays ? PAUSES_MS.at(-1) : undefined);
    if (!this.#wasLetIn && error.code !== grpc.status.UNAVAILABLE) throw error;
    if (pause === undefined || now + pause >= this.#backUntil) throw error;
    await sleep(this.#stays ? (pause * (1 + Math.random())) / 2 : pause); // else many bots come back at once
  }

  #dial() {
    return new Promise((resolve, reject) => {
      const silent = new Error(`No referee answered within ${DIAL_MS / 1000} s.\nhint: use the address and BOURRE_CA of the invitation`);
      this.#client.waitForReady(Date.now() + DIAL_MS, (error) => (error ? reject(silent) : resolve()));
    });
  }

  /** One call of Play, from hello to goodbye. */
  async #playStream() {
    this.#welcomed = false;
    const call = this.#client.Play();
    call.on("error", () => {}); // the loop over the messages throws it too; later errors do not matter
    const impatience = setTimeout(() => call.cancel(), DIAL_MS);
    try {
      call.write({ hello: { protocol: PROTOCOL, token: this.#token, client: CLIENT, forced_plays: true } });
      for await (const message of call) {
        clearTimeout(impatience);
        if (await this.#heed(message, call)) return;
      }
      throw new Error("the referee closed the stream");
    } finally {
      clearTimeout(impatience);
      call.cancel(); // else the referee keeps this call open and refuses the next one
    }
  }

  /** Handles a message; returns whether it is the goodbye. */
  async #heed(message, call) {
    if (message.refusal) throw new Refused(`The referee refused: ${message.refusal.reason}`);
    if (message.welcome) this.#heedWelcome(message.welcome);
    if (message.notice) say(message.notice);
    this.#tables.follow(message);
    await this.#answer(message.asks, call);
    return message.goodbye !== null;
  }

  #heedWelcome({ decision_ms, bank_ms, reconnect_ms, stays }) {
    if (!(stays || this.#isLocal || this.#wasLetIn)) console.error(OLD_REFEREE);
    this.#welcomed = true;
    this.#welcomedAt = performance.now();
    this.#refusedMs = REFUSED_MS + decision_ms + bank_ms;
    this.#wasLetIn = true;
    this.#stays = stays;
    this.#flushAfterMs = decision_ms / 4;
    this.#graceMs = stays ? Infinity : reconnect_ms;
  }

  /** Answers in order, in one message. If the bot takes long, it sends ready answers early as a sign of life. */
  async #answer(asks, call) {
    let answers = [];
    let flushed = performance.now();
    for (const ask of asks) {
      answers.push(...(await this.#tables.answers(ask)));
      if (performance.now() - flushed > this.#flushAfterMs) {
        await this.#send(answers, call);
        answers = [];
        flushed = performance.now();
      }
    }
    if (answers.length > 0) await this.#send(answers, call);
  }

  /** Sends answers before the next decision, which would block the event loop. */
  async #send(answers, call) {
    call.write({ answers });
    this.#pauses = [...PAUSES_MS];
    await setImmediate();
  }
}

/** Writes one line to the bot's log, for its author. */
function say(text) {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ");
  console.error(`bourre: ${line.length > MOST_CHARACTERS ? `${line.slice(0, MOST_CHARACTERS - 1)}…` : line}`);
}

/** The service of the .proto files beside this file or in the repository's folder. */
export function service() {
  const folders = ["./proto/", "../../../proto/"].map((folder) => fileURLToPath(new URL(folder, import.meta.url)));
  const folder = folders.find((candidate) => existsSync(candidate));
  const definition = loader.loadSync("bourre/v1/referee.proto", { ...READING, includeDirs: [folder] });
  return grpc.loadPackageDefinition(definition).bourre.v1;
}
