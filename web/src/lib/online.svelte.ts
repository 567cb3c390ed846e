/** The lobby's line: who looks for a game, and the news of one's own games wherever one is. */

import { t } from "./i18n.svelte";
import { home } from "./link";
import { go, place } from "./router.svelte";
import { recall, remember, settings } from "./settings.svelte";
import { play as sound } from "./sound";
import type { Seek, Status } from "./types";

interface News {
  room: string;
  game: string;
  status: Status;
  your_turn: boolean;
  opponent: string;
  next: string | null;
}
export interface Wish {
  game: string;
  clock: string;
  rated?: boolean;
  side?: 0 | 1 | null;
  quick?: boolean;
  setups?: "ask" | null;
  name?: string;
  to?: string;
}
interface Answer {
  ok: boolean;
  seek?: string;
  here?: boolean;
}
const KEY = "mbegu-online"; // whether this browser plays with people
const STALE = 600_000; // ms without a line after which an old wish is not repeated

class Online {
  open = $state(false);
  people = $state(0);
  seeks = $state.raw<Seek[]>([]);
  problem = $state("");
  told = $state(""); // what has become of my offer
  turns = $state.raw<string[]>([]); // games in which I am to move
  watched: string | null = null; // the game on the screen
  #socket: WebSocket | null = null;
  #listening = false;
  #heard = 0; // when something came last
  #asked = 0; // when it was asked whether anybody is there
  #timer: ReturnType<typeof setTimeout> | undefined;
  #tries = 0;
  #lostAt = 0;
  #standing = new Map<string, Wish>(); // what this tab looks for, by the name that the server gave it
  #waiting = new Map<string, { message: { t: string }; done: (answer: Answer) => void }>();

  /** Somebody wants to play with me and nobody else. */
  get challenges(): Seek[] {
    return this.seeks.filter((seek) => seek.to !== null && !seek.yours);
  }
  /** Games in which I am to move, except the one that I am looking at, and challenges. */
  get calls(): number {
    return (
      this.turns.filter((room) => room !== this.watched || document.hidden).length + this.challenges.length
    );
  }

  /** This browser plays with people: from now on it listens on every screen. */
  enter(): void {
    remember(KEY, true);
    this.listen();
  }
  /** Listens for news if this browser has ever played with people. */
  listen(): void {
    if (home === "tab" || this.#listening || !recall(KEY, false)) return;
    this.#listening = true;
    this.#connect();
    setInterval(() => this.#check(), 5000);
    addEventListener("online", () => {
      if (!this.open) this.#connect();
    });
    addEventListener("offline", () => this.#cut());
  }

  async seek(wish: Wish): Promise<boolean> {
    this.told = "";
    const answer = await this.#send({ t: "seek", ...wish });
    if (answer.ok && answer.seek && !this.#paired.has(answer.seek)) this.#standing.set(answer.seek, wish);
    return answer.ok;
  }
  take = (seek: string, name: string) => this.#send({ t: "take", seek, name });
  decline = (seek: string) => this.#send({ t: "cancel", seek });
  /** Whether a member is here, so that one can challenge him. */
  async find(name: string): Promise<boolean> {
    return (await this.#send({ t: "find", name })).here === true;
  }
  cancel(): void {
    this.told = "";
    this.#standing.clear();
    for (const seek of this.seeks) if (seek.yours) void this.#send({ t: "cancel", seek: seek.id });
  }

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

  #paired = new Set<string>(); // may come before the answer to the wish

  #send(command: { t: string } & Record<string, unknown>): Promise<Answer> {
    if (command.t === "seek" || command.t === "take") this.problem = "";
    const id = crypto.getRandomValues(new Uint32Array(4)).join("-");
    const message = { ...command, id };
    return new Promise((done) => {
      this.#waiting.set(id, { message, done });
      if (this.open) this.#socket?.send(JSON.stringify(message)); // else with the next hello
    });
  }

  #connect(): void {
    clearTimeout(this.#timer);
    const socket = new WebSocket(
      `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/lobby`,
    );
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ t: "hello", v: 1 }));
    socket.onmessage = ({ data }) => {
      this.#heard = performance.now();
      this.#asked = 0;
      this.#hear(JSON.parse(data as string) as Record<string, unknown>);
    };
    socket.onclose = () => {
      if (this.#socket === socket) this.#lost();
    };
  }

  #lost(): void {
    if (this.open) this.#lostAt = performance.now();
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
    if (this.#asked) {
      if (now - this.#asked > 8000) this.#cut();
    } else if (now - this.#heard > 25000) {
      this.#asked = now;
      void this.#send({ t: "ping" });
    }
  }

  #hear(message: Record<string, unknown>): void {
    switch (message.t) {
      case "lobby":
        this.people = message.people as number;
        this.#list(message.seeks as Seek[]);
        if (!this.open) {
          this.open = true;
          this.#tries = 0;
          for (const { message: again } of this.#waiting.values()) this.#socket?.send(JSON.stringify(again));
          this.#repeat();
        } else
          for (const id of this.#standing.keys())
            if (!this.seeks.some((seek) => seek.id === id)) this.#standing.delete(id);
        break;
      case "paired":
        this.#pair(message.room as string, message.seek as string);
        break;
      case "declined":
        this.#standing.delete(message.seek as string);
        this.told = t("{name} does not want to play now.", { name: message.name as string });
        break;
      case "game":
        this.#news(message as unknown as News);
        break;
      case "ack":
        this.#answer(message.id as string, {
          ok: true,
          seek: message.seek as string,
          here: message.here === true,
        });
        break;
      case "refused":
        this.problem = message.error as string;
        this.#answer(message.id as string, { ok: false });
        break;
    }
  }

  #answer(id: string, answer: Answer): void {
    this.#waiting.get(id)?.done(answer);
    this.#waiting.delete(id);
  }

  #list(seeks: Seek[]): void {
    const known = new Set(this.seeks.map((seek) => seek.id));
    this.seeks = seeks;
    const fresh = this.challenges.find((seek) => !known.has(seek.id));
    if (!fresh) return;
    sound("mill");
    this.#call(
      t("{name} wants to play {game} with you", { name: fresh.name || t("Somebody"), game: fresh.title }),
    );
  }

  /** The server forgets wishes when it restarts: whoever still looks says so again. */
  #repeat(): void {
    const gone = [...this.#standing].filter(([id]) => !this.seeks.some((seek) => seek.id === id));
    for (const [id, wish] of gone) {
      this.#standing.delete(id);
      if (performance.now() - this.#lostAt > STALE) {
        this.told = t("The line was lost for long: your offer is not in the list any more.");
        continue;
      }
      void this.seek(wish).then((ok) => {
        if (ok) this.told = t("The line was lost for a moment: your offer is in the list again.");
      });
    }
  }

  /** Two have found one another. Only the tab that looked goes there, or one that shows the lobby. */
  #pair(room: string, seek: string): void {
    const asked = [...this.#waiting.values()].some(
      ({ message }) => message.t === "seek" || message.t === "take",
    );
    const here = asked || this.#standing.has(seek) || place().route === "/lobby";
    this.#paired.add(seek);
    this.#standing.clear();
    this.told = "";
    sound("mill");
    this.#call(t("Your game begins"), room);
    if (here) go(`/play/${room}`);
  }

  #news(news: News): void {
    const called = news.your_turn && !this.turns.includes(news.room);
    this.note(news.room, news.your_turn);
    if (!called || (news.room === this.watched && !document.hidden)) return;
    sound("mill");
    this.#call(
      news.opponent ? t("{name} has moved: it is your turn", { name: news.opponent }) : t("It is your turn"),
      news.room,
    );
  }

  #call(text: string, room?: string): void {
    if (
      !settings.notify ||
      !document.hidden ||
      !("Notification" in window) ||
      Notification.permission !== "granted"
    )
      return;
    const notice = new Notification("Mbegu", { body: text, tag: room ?? "mbegu", icon: "/icon.svg" });
    notice.onclick = () => {
      focus();
      if (room) go(`/play/${room}`);
      notice.close();
    };
  }
}

export const online = new Online();
