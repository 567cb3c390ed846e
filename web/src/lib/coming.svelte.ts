/** How much of Python has come to this tab: whoever waits sees that something comes, and how much there is. */

import { lang, t } from "./i18n.svelte";
import { home } from "./link";

export const coming = $state({ have: 0, of: 0 }); // bytes

/** Whether files are still on their way for which somebody waits: a server's screens do not wait for them. */
export function isComing(): boolean {
  return home === "tab" && coming.have < coming.of;
}

/** What somebody waits for: files, or a few seconds. */
export function awaited(): string {
  if (!isComing()) return t("Getting ready, a few seconds the first time");
  const told = (bytes: number) =>
    (bytes / 1e6).toLocaleString(lang(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return t("The rules are on their way, once: {have} of {of} MB", {
    have: told(coming.have),
    of: told(coming.of),
  });
}
