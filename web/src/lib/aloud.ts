/** A story for the ear, which hears neither capitals nor what a letter stands for: `last seed in d` is North's d. */

import type { BoardInfo, Player } from "./types";
import { kindName } from "./words";

interface Heard {
  board: BoardInfo;
  sides: readonly string[];
}

/** Where only a capital tells whose place it is, the other's are told with his name; kinds are told in full. */
export function aloud({ board, sides }: Heard, story: string, player: Player): string {
  const other = (1 - player) as Player;
  const letters = board.places.filter(({ owner, label }) => owner === other && /^[a-z]$/i.test(label));
  let told = story;
  if (letters.length) {
    const names = letters.map(({ label }) => label).join("");
    told = told.replace(
      new RegExp(`(?<![\\p{L}\\p{N}’'])[${names}](?=[.,:]|\\s[:(])`, "gu"), // French leaves a space before a colon
      (name) => `${sides[other]} ${name}`,
    );
  }
  if (board.kinds.length < 2) return told;
  const kinds = new Map(board.kinds.map((kind) => [kind.charAt(0).toUpperCase(), kind]));
  const named = new RegExp(`(\\d+) ([${[...kinds.keys()].join("")}])(?= \\()`);
  return told.replace(
    named,
    (_whole, hole: string, kind: string) => `${hole} ${kindName(kinds.get(kind) ?? kind)}`,
  );
}
