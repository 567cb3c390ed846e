/** The cards of the games, for whoever needs no more than a name. */

import { api } from "./api";
import { lang } from "./i18n.svelte";
import type { Card } from "./types";
import { capital } from "./words";

let cards = $state.raw<readonly Card[]>([]);
let asked = "";

/** All cards, in the order in which newcomers meet the games; none before the server has answered. */
export function allCards(): readonly Card[] {
  if (asked !== lang()) {
    asked = lang();
    api.games().then(
      ({ games }) => {
        cards = games;
      },
      () => {
        asked = "";
      },
    );
  }
  return cards;
}

export function cardOf(name: string): Card | undefined {
  return allCards().find((card) => card.name === name);
}

/** The name of a game as people say it. */
export function gameTitle(name: string): string {
  return cardOf(name)?.title ?? capital(name);
}
