// Asks a module of the engine again what Python has asked a host in Node: for benchmarks, and to see that every
// browser answers the same. In Node: node engine-replay.mjs MODULE.wasm ASKED.json [ROUNDS [READY]]
import { Host } from "../src/engine/host.ts";

const whole = (word) => (typeof word === "string" && /^-?\d+$/.test(word) ? BigInt(word) : word);
const given = (word) => (Array.isArray(word) ? word.map(whole) : whole(word));
const told = (_key, value) => (typeof value === "bigint" ? value.toString() : value);

/**
 * The milliseconds that each round took after `ready` questions, and how many answers of the last one were others
 * than those given.
 */
export async function replay(module, asked, answers, rounds = 1, ready = 0) {
  const questions = asked.map(([name, ...words]) => [name, words.map(given)]);
  const spent = [];
  let found = [];
  for (let round = 0; round < rounds; round++) {
    const host = await Host.open(module);
    found = [];
    let began = performance.now();
    questions.forEach(([name, words], i) => {
      if (i === ready) began = performance.now();
      found.push(host[name](...words));
    });
    spent.push(performance.now() - began);
  }
  let others = 0;
  for (let i = 0; i < found.length; i++) {
    if (asked[i][0] === "now") continue;
    if (JSON.stringify(found[i] ?? null, told) !== JSON.stringify(answers[i])) others++;
  }
  return { spent, others, asked: asked.length };
}

if (typeof process === "object" && process.argv[2]?.endsWith(".wasm")) {
  const { readFileSync } = await import("node:fs");
  const { asked, told: answers } = JSON.parse(readFileSync(process.argv[3], "utf8"));
  const [rounds, ready] = [Number(process.argv[4] ?? 1), Number(process.argv[5] ?? 0)];
  console.log(JSON.stringify(await replay(readFileSync(process.argv[2]), asked, answers, rounds, ready)));
}
