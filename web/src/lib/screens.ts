/* Screens come when they are opened, and only once. */
import type { Route } from "./router.svelte";

/** A loader that answers at once, without a promise, when the screen is here: then nothing flickers before it. */
function once<Screen>(load: () => Promise<Screen>): () => Screen | Promise<Screen> {
  let here: Screen | undefined;
  return () => here ?? load().then((screen) => (here = screen));
}

export const screens = {
  home: once(() => import("../screens/Home.svelte")),
  play: once(() => import("../screens/Play.svelte")),
  study: once(() => import("../screens/Study.svelte")),
  embed: once(() => import("../screens/Embed.svelte")),
  learn: once(() => import("../screens/Learn.svelte")),
  games: once(() => import("../screens/Games.svelte")),
  lobby: once(() => import("../screens/Lobby.svelte")),
  join: once(() => import("../screens/Join.svelte")),
  settings: once(() => import("../screens/Settings.svelte")),
  account: once(() => import("../screens/Account.svelte")),
  profile: once(() => import("../screens/Profile.svelte")),
  leaderboard: once(() => import("../screens/Leaderboard.svelte")),
  ladder: once(() => import("../screens/Ladder.svelte")),
};

const BOARDS: Partial<Record<Route, () => unknown>> = {
  "/": screens.home,
  "/new/:game": () => {
    void import("../screens/NewGame.svelte").catch(() => undefined); // what is asked there comes along
    return screens.home();
  },
  "/play/:room": screens.play,
  "/record/:room": screens.study,
  "/p": screens.study,
  "/r/:link": screens.study,
  "/embed": screens.embed,
};

/** The screen with a board on which somebody arrives: the page names it, so that it is already on its way. */
export async function firstBoard(route: Route | null): Promise<void> {
  try {
    await (route && BOARDS[route]?.());
  } catch {
    /* the app tells that it did not arrive */
  }
}
