/** Addresses. The list is also public/routes.json, which tells the server which addresses there are. */

import { download, home, isEmbed, isFolder } from "./link";

export const ROUTES = [
  "/",
  "/new/:game",
  "/play/:room",
  "/record/:room",
  "/learn",
  "/learn/:game",
  "/games",
  "/lobby",
  "/join/:token",
  "/p",
  "/r/:link",
  "/embed",
  "/settings",
  "/account",
  "/people/:name",
  "/leaderboard",
  "/leaderboard/:game",
  "/ladder",
  "/ladder/:game",
] as const;
export type Route = (typeof ROUTES)[number];
export interface Place {
  route: Route | null;
  params: Record<string, string>;
  query: URLSearchParams;
}

export function match(url: URL): Place {
  const parts = url.pathname.replace(/\/+$/, "").split("/");
  for (const route of ROUTES) {
    const wanted = route.replace(/\/+$/, "").split("/");
    if (wanted.length !== parts.length) continue;
    const params: Record<string, string> = {};
    const fits = wanted.every((part, k) => {
      const given = parts[k] as string;
      if (!part.startsWith(":")) return part === given;
      try {
        params[part.slice(1)] = decodeURIComponent(given);
      } catch {
        return false;
      }
      return given !== "";
    });
    if (fits) return { route, params, query: url.searchParams };
  }
  return { route: null, params: {}, query: url.searchParams };
}

/**
 * The address of this page. A folder of files has one page only: there the address stands behind the #, and
 * such links open everywhere.
 */
function address(): URL {
  const url = new URL(location.href);
  if (isEmbed) return new URL("/embed", url.origin);
  if (url.hash.startsWith("#/")) return new URL(url.hash.slice(1), url.origin);
  return isFolder ? new URL("/", url.origin) : url;
}

/** How an address is written in links of this site. */
export function href(path: string): string {
  return isFolder ? `#${path}` : path;
}

let here = $state.raw<Place>(match(address()));

export function place(): Place {
  return here;
}

export function go(path: string, replace = false): void {
  if (replace) history.replaceState(null, "", href(path));
  else history.pushState(null, "", href(path));
  here = match(address());
  scrollTo(0, 0);
}

export function listen(): void {
  addEventListener("hashchange", () => {
    here = match(address());
  });
  addEventListener("popstate", () => {
    here = match(address());
  });
  document.addEventListener("click", (event) => {
    if (
      event.defaultPrevented ||
      event.button ||
      event.metaKey ||
      event.ctrlKey ||
      event.shiftKey ||
      event.altKey
    )
      return;
    const link = (event.target as Element | null)?.closest?.("a[href]");
    if (!(link instanceof HTMLAnchorElement) || link.target) return;
    const url = new URL(link.href);
    if (home === "tab" && url.pathname.startsWith("/api/v1/")) {
      event.preventDefault();
      void download(url.pathname.slice("/api/v1".length) + url.search, link.download);
      return;
    }
    if (link.hasAttribute("download")) return;
    if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
    if (url.hash.startsWith("#/")) url.href = new URL(url.hash.slice(1), url.origin).href;
    else if (url.hash) return;
    event.preventDefault();
    go(url.pathname + url.search);
  });
}
