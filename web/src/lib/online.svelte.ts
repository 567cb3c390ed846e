/** The lobby's line: who looks for a game, and the news of one's own games wherever one is. */

import { t } from "./i18n.svelte";
import { go } from "./router.svelte";
import { recall, remember, settings } from "./settings.svelte";
import { play as sound } from "./sound";
import type { Seek, Status } from "./types";

interface News { room: string; game: string; status: Status; your_turn: boolean; opponent: string; next: string | null }
export interface Wish { game: string; clock: string; rated?: boolean; side?: 0 | 1 | null; quick?: boolean; setups?: "ask" | null; name?: string }
const KEY = "mbegu-online"; // whether this browser plays with people

class Online {
  open = $state(false);
  people = $state(0);
  seeks = $state.raw<Seek[]>([]);
  problem = $state("");
  turns = $state.raw<string[]>([]); // games in which I am to move
  watched: string | null = null; // the game on the screen
  #socket: WebSocket | null = null;
  #listening = false;
  #heard = 0; // when something came last
  #asked = 0; // when it was asked whether anybody is there
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #waiting = new Map<string, { message: object; done: (ok: boolean) => void }>();

  /** Games in which I am to move, except the one that I am looking at. */
  get calls(): number { return this.turns.filter((room) => room !== this.watched || document.hidden).length; }

  /** This browser plays with people: from now on it listens on every screen. */
  enter(): void {
    remember(KEY, true);
    this.listen();
  }
  /** Listens for news if this browser has ever played with people. */
  listen(): void {
    if (this.#listening || !recall(KEY, false)) return;
    this.#listening = true;
    this.#connect();
    setInterval(() => this.#check(), 5000);
    addEventListener("online", () => { if (!this.open) this.#connect(); });
    addEventListener("offline", () => this.#cut());
  }

  seek = (wish: Wish) => this.#send({ t: "seek", ...wish });
  take = (seek: string, name: string) => this.#send({ t: "take", seek, name });
  cancel(): void { for (const seek of this.seeks) if (seek.yours) void this.#send({ t: "cancel", seek: seek.id }); }

  /** How a game stands, as its own screen or the news tell. */
  note(room: string, mine: boolean): void {
    const without = this.turns.filter((one) => one !== room);
    if (mine !== this.turns.includes(room)) this.turns = mine ? [...without, room] : without;
  }

  async allowNotices(): Promise<boolean> {
    if (!("Notification" in window)) return false;
    const allowed = (await Notification.requestPermission()) === "granted";
    settings.set("notify", allowed);
    return allowed;
  }

  #send(command: object): Promise<boolean> {
    this.problem = "";
    const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const message = { ...command, id };
    return new Promise((done) => {
      this.#waiting.set(id, { message, done });
      if (this.open) this.#socket?.send(JSON.stringify(message)); // else with the next hello
    });
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/lobby`);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ t: "hello", v: 1 }));
    socket.onmessage = ({ data }) => { this.#heard = performance.now(); this.#asked = 0; this.#hear(JSON.parse(data as string) as Record<string, unknown>); };
    socket.onclose = () => { if (this.#socket === socket) this.#lost(); };
  }

  #lost(): void {
    this.open = false;
    this.seeks = [];
    this.#asked = 0;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#connect(), Math.min(500 * 2 ** this.#tries++, 15000));
  }

  /** Gives a line up without waiting for its good-bye. */
  #cut(): void {
    const socket = this.#socket;
    this.#socket = null;
    socket?.close();
    this.#lost();
  }

  /** A dead line says nothing: whoever hears nothing asks. */
  #check(): void {
    const now = performance.now();
    if (!this.open) return;
    if (this.#asked) { if (now - this.#asked > 8000) this.#cut(); }
    else if (now - this.#heard > 25000) { this.#asked = now; void this.#send({ t: "ping" }); }
  }

  #hear(message: Record<string, unknown>): void {
    switch (message.t) {
      case "lobby":
        this.people = message.people as number;
        this.seeks = message.seeks as Seek[];
        if (!this.open) {
          this.open = true;
          this.#tries = 0;
          for (const { message: again } of this.#waiting.values()) this.#socket?.send(JSON.stringify(again));
        }
        break;
      case "paired": sound("mill"); this.#call(t("Your game begins")); go(`/play/${message.room as string}`); break;
      case "game": this.#news(message as unknown as News); break;
      case "ack": this.#answer(message.id as string, true); break;
      case "refused": this.problem = message.error as string; this.#answer(message.id as string, false); break;
    }
  }

  #answer(id: string, ok: boolean): void {
    this.#waiting.get(id)?.done(ok);
    this.#waiting.delete(id);
  }

  #news(news: News): void {
    const called = news.your_turn && !this.turns.includes(news.room);
    this.note(news.room, news.your_turn);
    if (!called || (news.room === this.watched && !document.hidden)) return;
    sound("mill");
    this.#call(news.opponent ? t("{name} has moved: it is your turn", { name: news.opponent }) : t("It is your turn"), news.room);
  }

  #call(text: string, room?: string): void {
    if (!settings.notify || !document.hidden || !("Notification" in window) || Notification.permission !== "granted") return;
    const notice = new Notification("Mbegu", { body: text, tag: room ?? "mbegu", icon: "/icon.svg" });
    notice.onclick = () => { focus(); if (room) go(`/play/${room}`); notice.close(); };
  }
}

export const online = new Online();
