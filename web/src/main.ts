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

document.documentElement.dataset.read = ""; // this browser knows our words, see public/old.js
listen();
listenForOffer();
void Promise.all([begin(), firstBoard(place().route)]).then(() => {
  mount(App, { target: document.getElementById("app") as HTMLElement });
  requestAnimationFrame(() => setTimeout(settle, 60));
  // What was played while the server was away, and not handed in yet.
  if (recall<string[]>("mbegu-away", []).length)
    setTimeout(() => void import("./lib/away").then(({ handInAll }) => handInAll()), 4000);
});
