import "./lib/tokens.css";
import "./lib/base.css";
import { mount } from "svelte";
import App from "./App.svelte";
import { begin } from "./lib/i18n.svelte";
import { listen, place } from "./lib/router.svelte";
import { firstBoard } from "./lib/screens";

listen();
void Promise.all([begin(), firstBoard(place().route)]).then(() => {
  mount(App, { target: document.getElementById("app") as HTMLElement });
  // The grain of the wood takes a slow phone a while to draw: the seeds are on the screen before it.
  requestAnimationFrame(() => setTimeout(() => { document.documentElement.dataset.settled = ""; }, 60));
});
