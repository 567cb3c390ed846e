// Writes src/locale/<language>.json out of the gettext catalogues: only the messages that the browser says.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { keyOf } from "./key.mjs";
import { messagesOf, parsePo } from "./messages.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const source = join(web, "..", "src", "mbegu", "locale");
const target = join(web, "src", "locale");

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

const said = new Set();
for (const path of files(join(web, "src"))) {
  if (/\.(svelte|ts)$/.test(path) && !path.endsWith(".test.ts")) {
    for (const message of messagesOf(readFileSync(path, "utf8"), relative(web, path))) said.add(message);
  }
}

const keys = new Map([...said].map((message) => [keyOf(message), message]));
for (const message of said) {
  const other = keys.get(keyOf(message));
  if (other !== message)
    throw new Error(`"${message}" and "${other}" have the same key: say one of them otherwise`);
}

mkdirSync(target, { recursive: true });
for (const language of readdirSync(source)) {
  const po = join(source, language, "LC_MESSAGES", "mbegu.po");
  let text;
  try {
    text = readFileSync(po, "utf8");
  } catch {
    continue;
  }
  const known = parsePo(text);
  const chosen = {};
  for (const message of [...said].sort()) if (known[message]) chosen[keyOf(message)] = known[message];
  const path = join(target, `${language}.json`);
  const json = JSON.stringify(chosen, null, 1) + "\n";
  let before = "";
  try {
    before = readFileSync(path, "utf8");
  } catch {
    /* new */
  }
  if (before !== json) writeFileSync(path, json);
  console.log(`${language}: ${Object.keys(chosen).length} of ${said.size} messages`);
}
