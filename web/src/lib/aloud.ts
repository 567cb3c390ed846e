/** A story for the ear, which hears neither capitals nor what a letter stands for: `last seed in d` is North's d. */

import { t } from "./i18n.svelte";
import { gameName, type Player } from "./types";

export function aloud(game: string, story: string, player: Player, sides: readonly string[]): string {
  switch (gameName(game)) {
    case "oware":
    case "kalah": {
      const other = sides[1 - player] ?? "";
      return story.replace(player ? /(?<![\w’'])[A-J](?=[.,:]| \()/g : /(?<![\w’'])[a-j](?=[.,:]| \()/g, (house) => `${other} ${house}`);
    }
    case "awale2": return story.replace(/(\d+) ([RB])(?= \()/, (_whole, hole: string, colour: string) => `${hole} ${colour === "R" ? t("red") : t("blue")}`);
    default: return story;
  }
}
