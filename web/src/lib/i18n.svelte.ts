/** Every sentence that a person reads goes through `t`; English is the source. */

import { keyOf } from "../../scripts/key.mjs";

export const LANGUAGES: Record<string, string> = {
  en: "English",
  fr: "Français",
  rn: "Ikirundi",
  sw: "Kiswahili",
};
export const UNDER_REVIEW = ["rn", "sw"];
const COOKIE = "lang";

const catalogues = import.meta.glob<Record<string, string>>("../locale/*.json", { import: "default" });

let language = $state("en");
let messages = $state.raw<Record<string, string>>({});

export function lang(): string {
  return language;
}

/** The message in the language of the moment, with its blanks filled in. */
export function t(message: string, blanks?: Record<string, string | number>): string {
  const text = messages[keyOf(message)] || message;
  return blanks ? text.replace(/\{(\w+)\}/g, (whole, name: string) => String(blanks[name] ?? whole)) : text;
}

function wanted(): string {
  const asked = new URLSearchParams(location.search).get("lang");
  if (asked && asked in LANGUAGES) return asked;
  const kept = document.cookie.match(/(?:^|; )lang=(\w+)/)?.[1];
  if (kept && kept in LANGUAGES) return kept;
  for (const choice of navigator.languages) {
    const code = choice.split("-")[0] as string;
    if (code in LANGUAGES) return code;
  }
  return "en";
}

export async function speak(code: string): Promise<void> {
  if (!(code in LANGUAGES)) code = "en";
  const load = catalogues[`../locale/${code}.json`];
  let found: Record<string, string> = {};
  if (load)
    try {
      found = await load();
    } catch {
      /* offline: English */
    }
  messages = found;
  language = code;
  document.documentElement.lang = code;
  document.cookie = `${COOKIE}=${code}; path=/; max-age=31536000; samesite=lax`;
}

export function begin(): Promise<void> {
  return speak(wanted());
}
