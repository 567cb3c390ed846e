import "./lib/tokens.css";
import "./lib/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { begin } from "./lib/i18n.svelte";
import { listenForOffer } from "./lib/install.svelte";
import { listen, place } from "./lib/router.svelte";
import { firstBoard } from "./lib/screens";
import { recall } from "./lib/settings.svelte";
import { settle } from "./lib/settled.svelte";

/** Hands in what was played while the server was away: now, or when the server is back. */
async function handIn(): Promise<void> {
  if (recall<string[]>("mbegu-away", []).length)
    await import("./lib/away").then(({ handInAll }) => handInAll(onScreen)).catch(() => undefined);
  setTimeout(handIn, 15_000);
}

/** Whoever plays a game here sees to it himself. */
function onScreen(room: string): boolean {
  const { route, params } = place();
  return route === "/play/:room" && params.room === room;
}

document.documentElement.dataset.read = ""; // this browser knows our words, see public/old.js
listen();
listenForOffer();
void Promise.all([begin(), firstBoard(place().route)]).then(() => {
  mount(App, { target: document.getElementById("app") as HTMLElement });
  requestAnimationFrame(() => setTimeout(settle, 60));
  setTimeout(handIn, 4000);
});
