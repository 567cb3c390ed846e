// The engine's host in Node, for tests and benchmarks: one JSON array a line in, one answer a line out.
//
//   node web/scripts/engine-host.mjs MODULE.wasm      ["call", "prepare", [...]]  ->  [...]
//
// Integers that JSON's readers would round travel as strings.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Host } from "../src/engine/host.ts";

const host = await Host.open(readFileSync(process.argv[2]));
const whole = (word) => (typeof word === "string" ? BigInt(word) : word);
const told = (_key, value) => (typeof value === "bigint" ? value.toString() : value);

for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...words] = JSON.parse(line);
  const given = words.map((word) => (Array.isArray(word) ? word.map(whole) : word));
  const answer = host[name](...given);
  process.stdout.write(JSON.stringify(answer ?? null, told) + "\n");
}
