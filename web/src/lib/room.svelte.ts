/** One game on the server, as this browser sees it. It reconnects by itself and never decides a rule. */

import { Film } from "../board/film.svelte";
import { film as filmOf, rest } from "../board/frames";
import { brought } from "./first";
import { lang, t } from "./i18n.svelte";
import { play as sound } from "./sound";
import type { Choice, Clock, Event, Move, Outcome, Player, RoomInfo, Snapshot, Told, View } from "./types";

type Link = "connecting" | "open" | "lost" | "gone";
interface Moved { ply: number; player: Player; move: Move; word: string; story: string; events: Event[]; view: View; clock: Clock | null }
interface Answer { ok: boolean; error?: string; move?: Move; story?: string; word?: string }

export class Room {
  link = $state<Link>("connecting");
  info = $state.raw<RoomInfo | null>(null);
  view = $state.raw<View | null>(null);
  moves = $state.raw<Told[]>([]);
  clock = $state.raw<Clock | null>(null);
  clockAt = $state(0);
  thinking = $state.raw<{ player: Player; compiling?: boolean } | null>(null);
  offeredBy = $state<Player | null>(null);
  outcome = $state.raw<Outcome | null>(null);
  said = $state(""); // for the live region
  problem = $state("");
  hint = $state.raw<Choice | null>(null);
  busy = $state(false); // a command is on its way
  film = new Film();
  #version: number | null = null;
  #socket: WebSocket | null = null;
  #tries = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #closed = false;
  #waiting = new Map<string, { message: object; done: (answer: Answer) => void }>();

  constructor(readonly id: string) {
    const shot = brought<Record<string, unknown>>(`/rooms/${encodeURIComponent(id)}`, lang());
    if (shot) this.#hear(shot); // the board is there before the line is
    this.#connect();
  }

  get mine(): boolean[] { return this.info?.seats.map((seat) => Boolean(seat.yours) && seat.kind === "human") ?? [false, false]; }
  get myTurn(): boolean {
    const turn = this.view?.turn;
    return this.info?.status === "playing" && turn !== null && turn !== undefined && this.mine[turn] === true && !this.outcome;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.film.skip();
    this.#socket?.close();
  }

  // ---- commands

  play(choice: Choice): Promise<Answer> {
    this.hint = null;
    return this.#send({ t: "move", ply: this.moves.length + 1, move: choice.move });
  }
  undo = () => this.#send({ t: "undo" });
  resign = (seat?: Player) => this.#send({ t: "resign", ...(seat === undefined ? {} : { seat }) });
  draw = (seat?: Player) => this.#send({ t: "offer_draw", ...(seat === undefined ? {} : { seat }) });
  decline = (seat?: Player) => this.#send({ t: "decline_draw", ...(seat === undefined ? {} : { seat }) });
  setup = (seat: Player, beads: number[]) => this.#send({ t: "setup", seat, beads });
  async ask(): Promise<Answer> {
    const at = this.view;
    const answer = await this.#send({ t: "hint" });
    if (answer.ok && this.view === at) {
      this.hint = at?.legal.find((choice) => choice.move === answer.move) ?? null;
      this.said = answer.story ?? "";
    }
    return answer;
  }

  #send(command: object): Promise<Answer> {
    const id = newId();
    const message = { ...command, id };
    this.busy = true;
    return new Promise((done) => {
      this.#waiting.set(id, { message, done });
      if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message)); // else it goes out with the next hello: same id, done once
    });
  }

  #answer(id: string, answer: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.busy = this.#waiting.size > 0;
    this.problem = answer.ok ? "" : (answer.error ?? "");
    waiting?.done(answer);
  }

  // ---- the line

  #connect(): void {
    if (this.#closed) return;
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/rooms/${encodeURIComponent(this.id)}`);
    this.#socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ t: "hello", v: 1, after: this.#version }));
    socket.onmessage = ({ data }) => { this.#hear(JSON.parse(data as string) as Record<string, unknown>); };
    socket.onclose = ({ code }) => {
      if (this.#closed || this.#socket !== socket) return;
      if (code === 4004) { this.link = "gone"; return; }
      if (this.link !== "gone") this.link = this.info ? "lost" : "connecting";
      this.#timer = setTimeout(() => this.#connect(), Math.min(400 * 2 ** this.#tries++, 8000));
    };
  }

  #ready(): void {
    this.link = "open";
    this.#tries = 0;
    for (const { message } of this.#waiting.values()) this.#socket?.send(JSON.stringify(message));
  }

  #hear(message: Record<string, unknown>): void {
    switch (message.t) {
      case "snapshot": {
        const shot = message as unknown as Snapshot;
        this.#version = shot.version;
        this.info = shot.room;
        this.moves = shot.moves;
        this.offeredBy = shot.draw_offered_by;
        this.thinking = shot.thinking;
        this.#time(shot.clock);
        this.outcome = shot.view?.outcome ?? null;
        if (shot.view) {
          this.view = shot.view;
          this.film.show([rest(shot.view)]);
        }
        this.#ready();
        break;
      }
      case "resumed":
        this.#version = message.version as number;
        this.#ready();
        break;
      case "event": {
        const version = message.version as number;
        if (!message.transient) {
          if (this.#version !== null && version <= this.#version) return;
          if (this.#version !== null && version > this.#version + 1) { this.#socket?.send(JSON.stringify({ t: "hello", v: 1, after: this.#version })); return; }
          this.#version = version;
        }
        this.#happen(message.kind as string, message.data as Record<string, unknown>);
        break;
      }
      case "ack": this.#answer(message.id as string, { ok: true }); break;
      case "hint": this.#answer(message.id as string, { ok: true, move: message.move as Move, word: message.word as string, story: message.story as string }); break;
      case "refused": this.#answer((message.id as string | null) ?? "", { ok: false, error: message.error as string }); break;
    }
  }

  #happen(kind: string, data: Record<string, unknown>): void {
    switch (kind) {
      case "moved": {
        const moved = data as unknown as Moved;
        const before = this.view;
        this.moves = [...this.moves.slice(0, moved.ply - 1), moved];
        this.view = moved.view;
        this.hint = null;
        this.problem = "";
        this.thinking = null;
        this.offeredBy = null;
        this.#time(moved.clock);
        this.said = moved.story;
        if (before) void this.film.play(filmOf(moved.view.game, before.state, moved.events, moved.player, moved.view.state));
        else this.film.show([rest(moved.view)]);
        this.#may();
        break;
      }
      case "undone": {
        this.moves = this.moves.slice(0, data.ply as number);
        this.view = data.view as View;
        this.outcome = this.view.outcome;
        this.hint = null;
        this.#time(data.clock as Clock | null);
        this.film.show([rest(this.view)]);
        this.said = t("The last move was taken back.");
        if (this.info) this.info = { ...this.info, status: this.outcome ? "over" : "playing" };
        this.#may();
        break;
      }
      case "setup": if (this.info) this.info = { ...this.info, ready: data.ready as [boolean, boolean] }; break;
      case "started":
        this.view = data.view as View;
        this.film.show([rest(this.view)]);
        if (this.info) this.info = { ...this.info, status: "playing" };
        this.#time(data.clock as Clock | null);
        this.#may();
        break;
      case "draw_offered": this.offeredBy = data.player as Player; this.said = t("A draw is offered."); break;
      case "draw_declined": this.offeredBy = null; this.said = t("The draw is declined."); break;
      case "ended": {
        const outcome = data.outcome as Outcome;
        const view = (data.view as View | undefined) ?? this.view;
        this.thinking = null;
        this.offeredBy = null;
        if (this.info) this.info = { ...this.info, status: "over", can: { ...this.info.can, move: false, hint: false, resign: false, draw: false } };
        if (this.clock) this.#time({ ...this.clock, running: null });
        if (view) this.view = view;
        const tell = () => {
          this.outcome = outcome;
          this.said = outcome.sentence ?? "";
          sound(outcome.winner === null ? "draw" : "win");
        };
        if (this.film.running) void this.film.play(view ? [rest(view)] : this.film.frames).then(tell);
        else tell();
        break;
      }
      case "thinking": this.thinking = data.on ? { player: data.player as Player, compiling: Boolean(data.compiling) } : null; break;
      case "clock": this.#time(data.clock as Clock | null); break;
      case "deleted": this.link = "gone"; this.#closed = true; break;
    }
  }

  /** What may be done follows from whose turn it is; the server has the last word. */
  #may(): void {
    if (!this.info) return;
    const some = this.mine.some(Boolean), on = this.info.status === "playing";
    this.info = { ...this.info, can: { move: this.myTurn, undo: some && this.moves.length > 0, resign: some && on, draw: some && on, hint: this.myTurn } };
  }

  #time(clock: Clock | null): void {
    this.clock = clock;
    this.clockAt = performance.now();
  }
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
