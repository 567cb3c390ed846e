// The engine's host in Node, for tests and benchmarks: one JSON array a line in, one answer a line out.
//
//   node web/scripts/engine-host.mjs MODULE.wasm [HELPERS [TABLE]]      ["call", "prepare", [...]]  ->  [...]
//
// Integers that JSON's readers would round travel as strings.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { helper } from "../src/engine/helper.ts";
import { Host } from "../src/engine/host.ts";

const whole = (word) => (typeof word === "string" ? BigInt(word) : word);
const told = (_key, value) => (typeof value === "bigint" ? value.toString() : value);

/** Another thread of Node that helps, as a worker does in a browser. */
function hire(lent) {
  const worker = new Worker(new URL(import.meta.url), { workerData: lent });
  worker.unref();
  return new Promise((ready, failed) => worker.once("message", ready).once("error", failed));
}

async function answerAll([path, helpers, table]) {
  const host = await Host.open(readFileSync(path), Number(helpers ?? 0), hire);
  if (table) host.keepTable(readFileSync(table));
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...words] = JSON.parse(line);
    const given = words.map((word) => (Array.isArray(word) ? word.map(whole) : word));
    const answer = host[name](...given);
    process.stdout.write(JSON.stringify(answer ?? null, told) + "\n");
  }
  process.exit();
}

if (isMainThread) await answerAll(process.argv.slice(2));
else {
  const { serve } = helper(workerData);
  parentPort.postMessage("ready");
  serve();
}
