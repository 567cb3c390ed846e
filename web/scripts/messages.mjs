// Finds the messages in the sources of the browser, and reads gettext catalogues.
// (`make catalogues` finds the same messages for mbegu.pot: tools/catalogues.py.)

const TEXT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;
const CALL = new RegExp(`(?<![\\w.$])t\\(\\s*((?:${TEXT.source})(?:\\s*\\+\\s*(?:${TEXT.source}))*|\`)`, "g");

const spoken = (literal) =>
  literal.slice(1, -1).replace(/\\(.)/g, (_whole, letter) => (letter === "n" ? "\n" : letter));

/** The first argument of every t("…"): one plain text, or several joined by +, so that it can be found. */
export function messagesOf(source, name) {
  const found = [];
  for (const match of source.matchAll(CALL)) {
    const literal = match[1];
    if (literal === "`")
      throw new Error(`${name}: t(\`…\`) cannot be translated: write t("… {name}", { name })`);
    found.push(literal.match(TEXT).map(spoken).join(""));
  }
  return found;
}

const unquote = (line) => JSON.parse(line.slice(line.indexOf('"')));

/** {English: translation} of a catalogue; what is fuzzy, empty or has a context is left out. */
export function parsePo(text) {
  const known = {};
  for (const block of text.split(/\n\s*\n/)) {
    const parts = { msgid: "", msgstr: "" };
    let part = null,
      fuzzy = false;
    for (const line of block.split("\n")) {
      if (line.startsWith("#,") && line.includes("fuzzy")) fuzzy = true;
      else if (line.startsWith("#")) continue;
      else if (line.startsWith("msgctxt")) part = "context";
      else if (line.startsWith("msgid ") || line.startsWith("msgstr ")) {
        part = part === "context" && line.startsWith("msgid") ? "skip" : line.split(" ")[0];
        if (part !== "skip") parts[part] = unquote(line);
      } else if (line.startsWith('"') && part in parts) parts[part] += unquote(line);
    }
    if (parts.msgid && parts.msgstr && !fuzzy) known[parts.msgid] = parts.msgstr;
  }
  return known;
}
