/** One game on the server, as this browser sees it. It reconnects by itself and never decides a rule. */

import { Film } from "../board/film.svelte";
import { capturedIn, film as filmOf, rest } from "../board/frames";
import { aloud } from "./aloud";
import * as away from "./away";
import { sums, sweptAtEnd, sweptIn, title } from "./ending";
import { brought } from "./prefetched";
import { lang, t } from "./i18n.svelte";
import { home, type Connection, openConnection, openTabConnection } from "./link";
import { comings, isHint, mayAfterEnd, mayNow, newId, type Answer, type Moved } from "./room-terms";
import { play as sound } from "./sound";
import type {
  Captured,
  Choice,
  Clock,
  Event,
  Move,
  Outcome,
  Player,
  Presence,
  RoomInfo,
  Snapshot,
  Told,
  View,
} from "./types";
import { ReconnectingConnection } from "./reconnecting";

type Link = "connecting" | "open" | "lost" | "gone";
export interface Saying {
  key: number | string;
  text: string;
}
const HEARD = 4; // sayings that stay for the ear: a screen reader reads what is added
export class Room {
  link = $state<Link>("connecting");
  info = $state.raw<RoomInfo | null>(null);
  view = $state.raw<View | null>(null);
  moves = $state.raw<Told[]>([]);
  clock = $state.raw<Clock | null>(null);
  clockAt = $state(0);
  thinking = $state.raw<{ player: Player; compiling?: boolean; seconds?: number } | null>(null);
  hurried = $state<number | null>(null); // seconds of the computer's last thought, if many waited
  offeredBy = $state<Player | null>(null);
  undoBy = $state<Player | null>(null);
  rematchBy = $state<Player | null>(null);
  nextRoom = $state<string | null>(null);
  presence = $state.raw<Presence | null>(null);
  presenceAt = $state(0);
  phrases = $state.raw<{ player: Player; phrase: string; key: number }[]>([]); // said a moment ago
  outcome = $state.raw<Outcome | null>(null);
  shown = $state(0); // moves that have been seen: the list does not run ahead of the board
  sayings = $state.raw<Saying[]>([]); // for the live region
  captured = $state.raw<Captured | null>(null); // by colours, where there are two
  swept = $state.raw<[number, number]>([0, 0]); // what each was given at the end
  problem = $state("");
  hint = $state.raw<Choice | null>(null);
  why = $state(""); // of the hint
  preparing = $state(false); // the engine is being compiled for a hint
  busy = $state(false); // a move or the like is on its way
  away = $state(false); // the server is: the game goes on in this tab
  elsewhere = $state(false); // one plays in another window, and watches in this one
  film = new Film();
  #version: number | null = null;
  #wire: ReconnectingConnection;
  #going = false; // to the tab, or back to the server
  #able: Promise<boolean> | null = null; // whether this tab can think
  #phrase = 0;
  #saying = 0;
  #watch: ReturnType<typeof setInterval> | undefined;
  #waiting = new Map<string, { message: object; done: (answer: Answer) => void }>();

  constructor(readonly id: string) {
    const shot = brought<Record<string, unknown>>(`/rooms/${encodeURIComponent(id)}`, lang());
    this.#wire = new ReconnectingConnection({
      find: () => this.#find(),
      opened: () => this.#hello(this.elsewhere),
      heard: (message) => this.#hear(message),
      lost: (tries) => this.#lost(tries),
      gone: (why) => {
        this.link = "gone"; // it is not here, or cannot run here
        this.problem = why;
      },
      waits: () => this.#waiting.size > 0,
    });
    if (shot) this.#hear(shot); // the board is there before the line is
    this.#watch = setInterval(() => void this.#comeHome(), 3000);
    if (home === "server") addEventListener("offline", this.#wire.cut);
    addEventListener("online", this.#online);
  }

  get mine(): boolean[] {
    return this.info?.seats.map((seat) => Boolean(seat.yours) && seat.kind === "human") ?? [false, false];
  }
  /** The moves as far as the board has shown them. */
  get listed(): Told[] {
    return this.moves.slice(0, this.shown);
  }
  get endTitle(): string {
    return this.outcome && this.info ? title(this.outcome, this.info, this.mine) : "";
  }
  get endSums(): string {
    return this.outcome && this.info ? sums(this.outcome, this.swept, this.info, this.mine) : "";
  }
  set said(text: string) {
    if (text) this.sayings = [...this.sayings.slice(1 - HEARD), { key: ++this.#saying, text }];
  }
  get myTurn(): boolean {
    const turn = this.view?.turn;
    return (
      this.info?.status === "playing" &&
      turn !== null &&
      turn !== undefined &&
      this.mine[turn] === true &&
      !this.outcome
    );
  }

  close(): void {
    clearInterval(this.#watch);
    removeEventListener("offline", this.#wire.cut);
    removeEventListener("online", this.#online);
    this.film.skip();
    this.#wire.close();
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
  acceptUndo = () => this.#send({ t: "accept_undo" });
  declineUndo = () => this.#send({ t: "decline_undo" });
  rematch = () => this.#send({ t: "offer_rematch" });
  declineRematch = () => this.#send({ t: "decline_rematch" });
  abort = () => this.#send({ t: "abort" });
  claim = (result: "win" | "draw") => this.#send({ t: "claim", result });
  say = (phrase: string) => this.#send({ t: "say", phrase });
  sit = (token: string, name: string) => this.#send({ t: "sit", token, name });
  async ask(): Promise<Answer> {
    const at = this.view;
    const answer = await this.#send({ t: "hint" });
    this.preparing = false;
    if (this.view !== at) return answer; // it comes too late
    if (answer.ok) {
      this.hint = at?.legal.find((choice) => choice.move === answer.move) ?? null;
      this.why = answer.why ? `${answer.why.charAt(0).toUpperCase()}${answer.why.slice(1)}.` : "";
      this.said = `${at ? aloud(at, answer.story ?? "", at.turn ?? 0) : ""} ${this.why}`;
    } else this.problem = answer.error ?? "";
    return answer;
  }

  #send(command: object): Promise<Answer> {
    const id = newId();
    const message = { ...command, id };
    this.busy ||= !isHint(message);
    if (this.elsewhere) this.#hello(false); // whoever does something here plays here
    return new Promise((done) => {
      this.#waiting.set(id, { message, done });
      // Otherwise it goes out with the next hello: same id, done once.
      this.#wire.send(message);
    });
  }

  #answer(id: string, answer: Answer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.busy = [...this.#waiting.values()].some(({ message }) => !isHint(message));
    if (!waiting || !isHint(waiting.message)) this.problem = answer.ok ? "" : (answer.error ?? "");
    waiting?.done(answer);
  }

  // ---- the line

  #hello(watch: boolean, after = this.#version): void {
    if (!this.#wire.isOpen) return;
    this.elsewhere = watch;
    this.#wire.send({ t: "hello", v: 1, after, ...(watch ? { watch } : {}) });
  }

  /** A line to whoever has the game now: the server, or this tab while the server is away. */
  #find(): Connection {
    const path = `/ws/rooms/${encodeURIComponent(this.id)}`;
    if (this.away !== away.isAway(this.id)) {
      this.away = !this.away;
      this.#version = null; // the other one counts otherwise
    }
    return this.away ? openTabConnection(path) : openConnection(path);
  }

  #lost(tries: number): void {
    this.link = this.info ? "lost" : "connecting";
    if (tries >= 2 && !this.away && away.mayGoOn(this.info)) void this.#goOn();
  }

  /** The server is away: the game goes on here. */
  async #goOn(): Promise<void> {
    if (this.#going || !this.info) return;
    this.#going = true;
    const clock = away.clockNow(this.clock, performance.now() - this.clockAt);
    const shot = { version: this.#version, room: this.info, moves: this.moves, clock };
    if (await away.goOn(shot, [...this.#waiting.keys()])) this.#wire.again();
    this.#going = false;
  }

  /** The server is back: it gets the game. */
  async #comeHome(): Promise<void> {
    if (this.#going || !this.away || this.busy || !(await away.isBack()) || this.busy) return;
    this.#going = true;
    this.#wire.hold();
    const { problem } = await away.handIn(this.id);
    this.#going = false;
    this.#wire.again();
    if (problem) this.problem = `${problem} ${t("Your moves are kept as a record of their own.")}`;
  }

  #online = (): void => {
    if (this.away) void this.#comeHome();
    else if (this.link !== "open" && this.link !== "gone") this.#wire.again();
  };

  /** Tells the server that this tab can think, once it has tried. */
  async #offer(): Promise<void> {
    const info = this.info;
    if (!info || this.away || !away.mayGoOn(info)) return;
    this.#able ??= away.canThink(info.game, info.start);
    if ((await this.#able) && info.tab === "thinks" && !this.away) this.#wire.send(away.thinks(true));
  }

  #ready(): void {
    this.link = "open";
    this.#wire.good();
    for (const { message } of this.#waiting.values()) this.#wire.send(message);
    setTimeout(() => void this.#offer(), 1500);
  }

  #hear(message: Record<string, unknown>): void {
    switch (message.t) {
      case "snapshot": {
        const shot = message as unknown as Snapshot;
        this.#version = shot.version;
        this.info = shot.room;
        this.moves = shot.moves;
        this.shown = shot.moves.length;
        this.captured = shot.captured;
        this.offeredBy = shot.draw_offered_by;
        this.undoBy = shot.undo_offered?.player ?? null;
        this.rematchBy = shot.rematch.by;
        this.nextRoom = shot.rematch.room;
        this.#present(shot.presence);
        this.thinking = shot.thinking;
        this.preparing = "early" in shot; // Python is still on its way to this tab
        this.hurried = shot.thinking?.seconds ?? null;
        this.#time(shot.clock);
        this.outcome = shot.view?.outcome ?? null;
        if (shot.view) {
          this.view = shot.view;
          this.swept = sweptAtEnd(shot.view);
          this.film.show([rest(shot.view, this.captured)]);
        }
        this.#ready();
        break;
      }
      case "resumed":
        this.preparing = false;
        this.#version = message.version as number;
        this.#present(message.presence as Presence);
        this.#ready();
        break;
      case "event": {
        const version = message.version as number;
        if (!message.transient) {
          if (this.#version !== null && version <= this.#version) return;
          if (this.#version !== null && version > this.#version + 1) {
            this.#hello(this.elsewhere);
            return;
          }
          this.#version = version;
        }
        this.#happen(message.kind as string, message.data as Record<string, unknown>);
        break;
      }
      case "ping":
        this.#wire.send({ t: "pong", n: message.n });
        break; // how slow is the line?
      case "ack":
        if (this.#waiting.has(message.id as string)) this.#answer(message.id as string, { ok: true });
        break;
      case "hint":
        this.#answer(message.id as string, {
          ok: true,
          move: message.move as Move,
          story: message.story as string,
          why: message.why as string,
        });
        break;
      case "compiling":
        this.preparing = true;
        break;
      case "refused":
        if (String(message.id).startsWith(away.THOUGHT)) break; // it came too late
        this.#answer((message.id as string | null) ?? "", { ok: false, error: message.error as string });
        break;
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
        if (this.thinking?.player === moved.player) this.hurried = this.thinking.seconds ?? null;
        this.thinking = null;
        if (this.offeredBy !== moved.player) this.offeredBy = null; // whoever moves on declines
        this.undoBy = null;
        this.#time(moved.clock);
        this.swept = sweptIn(moved.events);
        if (moved.simple) this.#stoodIn(moved.player);
        // The board, the list and what is said go together: nothing tells of a move before it is shown.
        const begun = () => {
          this.shown = Math.max(this.shown, moved.ply);
          this.said = aloud(moved.view, moved.story, moved.player);
        };
        if (before) {
          const frames = filmOf(before, moved.events, moved.player, moved.view, this.captured);
          this.captured = capturedIn(moved.view.board, frames.at(-1));
          void this.film.play(frames, begun);
        } else {
          begun();
          this.film.show([rest(moved.view)]);
        }
        this.#may();
        break;
      }
      case "undone": {
        this.moves = this.moves.slice(0, data.ply as number);
        this.view = data.view as View;
        this.shown = data.ply as number;
        this.captured = (data.captured as Captured | null | undefined) ?? null;
        this.swept = [0, 0];
        this.outcome = this.view.outcome;
        this.hint = null;
        this.undoBy = null;
        this.offeredBy = null;
        this.#time(data.clock as Clock | null);
        this.film.show([rest(this.view, this.captured)]);
        this.said = t("The last move was taken back.");
        if (this.info) this.info = { ...this.info, status: this.outcome ? "over" : "playing" };
        this.#may();
        break;
      }
      case "setup":
        if (this.info) this.info = { ...this.info, ready: data.ready as [boolean, boolean] };
        break;
      case "started":
        this.view = data.view as View;
        this.film.show([rest(this.view)]);
        if (this.info) this.info = { ...this.info, status: "playing" };
        this.#time(data.clock as Clock | null);
        this.#may();
        break;
      case "draw_offered":
        this.offeredBy = data.player as Player;
        this.said = t("A draw is offered.");
        break;
      case "draw_declined":
        this.offeredBy = null;
        this.said = t("The draw is declined.");
        break;
      case "undo_offered":
        this.undoBy = data.player as Player;
        this.said = this.mine[data.player as number]
          ? t("You ask to take your move back.")
          : t("The other wishes to take a move back.");
        break;
      case "undo_declined":
        this.undoBy = null;
        this.said = t("The move stays.");
        break;
      case "rematch_offered":
        this.rematchBy = data.player as Player;
        this.said = t("Another game is offered.");
        break;
      case "rematch_declined":
        this.rematchBy = null;
        this.said = t("No other game for now.");
        break;
      case "rematch":
        this.rematchBy = null;
        this.nextRoom = data.room as string;
        break;
      case "joined":
        this.said = data.name
          ? t("{name} has taken a seat.", { name: data.name as string })
          : t("The other player has taken a seat.");
        sound("mill");
        this.#hello(this.elsewhere, null);
        break;
      case "presence":
        this.#present(data as unknown as Presence);
        break;
      case "said":
        this.#hearPhrase(data.player as Player, data.phrase as string);
        break;
      case "ended": {
        const outcome = data.outcome as Outcome;
        const view = (data.view as View | undefined) ?? this.view;
        this.thinking = null;
        this.offeredBy = null;
        this.undoBy = null;
        if (this.info) this.info = { ...this.info, status: "over", can: mayAfterEnd(this.info) };
        if (this.clock) this.#time({ ...this.clock, running: null });
        if (view) this.view = view;
        const tell = () => {
          this.outcome = outcome;
          this.said = `${this.endTitle}. ${this.endSums}`;
          sound(outcome.winner === null ? "draw" : "win");
        };
        // Seeds that go to their owners, though no move has ended the game.
        const events = data.events as Event[] | undefined;
        if (events && view) {
          this.swept = sweptIn(events);
          void this.film.play(filmOf(view, events, 0, view, this.captured));
        }
        if (this.film.running || events) void this.film.over.then(tell);
        else tell();
        break;
      }
      case "thinking":
        if (data.yours && this.info)
          // the server asks this tab for the computer's move
          void away
            .computed(this.info, this.moves, data.player as Player)
            .then((one) => this.#wire.send(one));
        this.thinking = data.on
          ? {
              player: data.player as Player,
              compiling: Boolean(data.compiling),
              seconds: data.seconds as number | undefined,
            }
          : null;
        this.hurried = (data.seconds as number | undefined) ?? this.hurried;
        break;
      case "clock":
        this.#time(data.clock as Clock | null);
        break;
      case "playing":
        this.elsewhere = !data.here;
        break;
      case "deleted":
        this.link = "gone";
        this.#wire.close();
        break;
    }
  }

  #may(): void {
    if (this.info) this.info = { ...this.info, can: mayNow(this.info, this.mine, this.moves, this.myTurn) };
  }

  #stoodIn(player: Player): void {
    if (!this.info || this.info.seats[player].simple) return;
    const [first, second] = this.info.seats.map((seat, k) =>
      k === player ? { ...seat, simple: true } : seat,
    ) as RoomInfo["seats"];
    this.info = { ...this.info, seats: [first, second] };
  }

  #present(presence: Presence | undefined): void {
    if (!presence) return;
    const before = this.presence;
    this.presence = presence;
    this.presenceAt = performance.now();
    if (!before || !this.info?.between_people) return;
    for (const told of comings(before, presence, this.info, this.mine)) this.said = told;
  }

  #hearPhrase(player: Player, phrase: string): void {
    const said = { player, phrase, key: ++this.#phrase };
    this.phrases = [...this.phrases.filter((one) => one.player !== player), said];
    setTimeout(() => {
      this.phrases = this.phrases.filter((one) => one !== said);
    }, 6000);
  }

  #time(clock: Clock | null): void {
    this.clock = clock;
    this.clockAt = performance.now();
  }
}
