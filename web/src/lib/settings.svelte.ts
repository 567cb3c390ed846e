/** What a person chose, kept in this browser. */

export const SKINS = ["wood", "imigongo", "litema", "contrast"] as const;
export type Skin = (typeof SKINS)[number];
export type Mode = "light" | "dark" | "system";
export type Speed = "slow" | "normal" | "fast" | "instant";
export const SPEEDS: Record<Speed, number> = { slow: 1.9, normal: 1, fast: 0.45, instant: 0 };

interface Saved {
  skin: Skin;
  mode: Mode;
  speed: Speed;
  sound: boolean;
  volume: number;
  labels: boolean;
  name: string;
  notify: boolean;
}
const KEY = "mbegu-settings";
const PLAIN: Saved = {
  skin: "wood",
  mode: "system",
  speed: "normal",
  sound: true,
  volume: 0.6,
  labels: false,
  name: "",
  notify: false,
};

export function remember(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    /* private browsing: nothing is kept */
  }
}

export function recall<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

function load(): Saved {
  const saved = { ...PLAIN, ...recall<Partial<Saved>>(KEY, {}) };
  if (!SKINS.includes(saved.skin)) saved.skin = "wood";
  if (!(saved.speed in SPEEDS)) saved.speed = "normal";
  if (!["light", "dark", "system"].includes(saved.mode)) saved.mode = "system";
  return saved;
}

const dusk = matchMedia("(prefers-color-scheme: dark)");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

class Settings {
  #saved = $state(load());
  #dusk = $state(dusk.matches);
  #calm = $state(calm.matches);

  constructor() {
    dusk.addEventListener("change", () => {
      this.#dusk = dusk.matches;
      this.#show();
    });
    calm.addEventListener("change", () => {
      this.#calm = calm.matches;
    });
    this.#show();
  }
  get skin() {
    return this.#saved.skin;
  }
  get mode() {
    return this.#saved.mode;
  }
  get speed() {
    return this.#saved.speed;
  }
  get sound() {
    return this.#saved.sound;
  }
  get volume() {
    return this.#saved.volume;
  }
  get labels() {
    return this.#saved.labels;
  }
  get name() {
    return this.#saved.name;
  }
  get notify() {
    return this.#saved.notify;
  }
  get dark() {
    return this.mode === "dark" || (this.mode === "system" && this.#dusk);
  }
  get still() {
    return this.#calm;
  }

  set<K extends keyof Saved>(key: K, value: Saved[K]): void {
    this.#saved[key] = value;
    remember(KEY, $state.snapshot(this.#saved));
    this.#show();
  }

  /** The next design: every skin in light, then every skin in dark. */
  nextDesign(): void {
    const k = SKINS.indexOf(this.skin) + (this.dark ? SKINS.length : 0) + 1;
    this.set("mode", k % (2 * SKINS.length) >= SKINS.length ? "dark" : "light");
    this.set("skin", SKINS[k % SKINS.length] as Skin);
  }

  nextSpeed(): void {
    const all = Object.keys(SPEEDS) as Speed[];
    this.set("speed", all[(all.indexOf(this.speed) + 1) % all.length] as Speed);
  }

  #show(): void {
    const root = document.documentElement;
    root.dataset.skin = this.skin;
    root.dataset.mode = this.dark ? "dark" : "light";
    requestAnimationFrame(() => {
      // when the colours are known anyway
      const page = getComputedStyle(root).getPropertyValue("--page").trim();
      document.querySelector('meta[name="theme-color"]')?.setAttribute("content", page);
    });
  }
}

export const settings = new Settings();
