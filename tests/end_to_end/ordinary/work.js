// What any program may do with Node.js alone: each line of output is one thing done.
"use strict";
const assert = require("node:assert");
const child = require("node:child_process");
const crypto = require("node:crypto");
const fs = require("node:fs");
const net = require("node:net");
const os = require("node:os");
const path = require("node:path");
const timers = require("node:timers/promises");
const { Worker } = require("node:worker_threads");

async function files() {
  const folder = await fs.promises.mkdtemp(path.join(os.tmpdir(), "bot"));
  const deck = path.join(folder, "deck");
  await fs.promises.writeFile(deck, "AS KH");
  await fs.promises.copyFile(deck, `${deck}2`);
  await fs.promises.cp(folder, `${folder}-copy`, { recursive: true });
  assert.deepStrictEqual(await fs.promises.readdir(`${folder}-copy`), ["deck", "deck2"]);
  await fs.promises.rm(folder, { recursive: true });
}

async function programs() {
  assert.strictEqual(child.execFileSync("sh", ["-c", "echo hello"]).toString(), "hello\n");
  const forked = child.fork(__filename, ["forked"]);
  const [said] = await require("node:events").once(forked, "message");
  assert.strictEqual(said, "played");
  forked.kill();
}

async function threads() {
  const worker = new Worker("require('node:worker_threads').parentPort.postMessage(6 * 7)", { eval: true });
  const [answer] = await require("node:events").once(worker, "message");
  assert.strictEqual(answer, 42);
  await worker.terminate();
}

async function sockets() {
  const server = net.createServer((line) => line.end("play"));
  await new Promise((ready) => server.listen("/tmp/node.sock", ready));
  let heard = "";
  for await (const part of net.connect("/tmp/node.sock")) heard += part;
  assert.strictEqual(heard, "play");
  server.close();
}

async function rest() {
  await timers.setTimeout(1);
  await new Promise((ready) => crypto.pbkdf2("a", "b", 10, 16, "sha256", ready));
  assert.ok(crypto.randomBytes(8).length && os.cpus().length && os.totalmem() && process.resourceUsage());
  os.setPriority(5);
}

async function main() {
  for (const work of [files, programs, threads, sockets, rest]) {
    await work();
    console.log(work.name);
  }
}

if (process.argv[2] === "forked") process.send("played");
else main();
