/** Who one is, and what the server knows of people. */

import { ask, post } from "./api";

import type {
  Account,
  Me,
  Place,
  Profile,
  RatedGame,
  Rating,
  RoomRatings,
  Token,
  TokenMade,
} from "./api_people";

export type { Account, Place, Profile, RatedGame, Rating, Token, TokenMade } from "./api_people";
export type Counted = RoomRatings;

class Myself {
  account = $state.raw<Account | null>(null);
  ratings = $state.raw<Record<string, Rating>>({});
  known = $state(false);

  async look(): Promise<void> {
    const { account, ratings } = await ask<Me>("/account");
    this.account = account;
    this.ratings = ratings;
    this.known = true;
  }
}

export const me = new Myself();

export const people = {
  signUp: (name: string, password: string, bot: boolean, bring: boolean) =>
    post<{ account: Account; recovery: string }>("/account", { name, password, bot, bring }),
  signIn: (name: string, password: string, bring: boolean) =>
    post<{ account: Account }>("/account/sign-in", { name, password, bring }),
  recover: (name: string, code: string, password: string) =>
    post<{ account: Account; recovery: string }>("/account/recover", { name, code, password }),
  signOut: (everywhere: boolean) => post<void>("/account/sign-out", { everywhere }),
  changePassword: (password: string, fresh: string) =>
    post<void>("/account/password", { password, new: fresh }),
  newRecovery: (password: string) => post<{ recovery: string }>("/account/recovery", { password }),
  remove: (password: string) => post<void>("/account/delete", { password }),
  tokens: async () => (await ask<{ tokens: Token[] }>("/account/tokens")).tokens,
  makeToken: (name: string, scopes: string[], days: number) =>
    post<TokenMade>("/account/tokens", { name, scopes, days }),
  endToken: (id: string) => ask<void>(`/account/tokens/${encodeURIComponent(id)}`, { method: "DELETE" }),
  profile: (name: string) => ask<Profile>(`/people/${encodeURIComponent(name)}`),
  history: async (name: string, game: string) =>
    (await ask<{ history: RatedGame[] }>(`/people/${encodeURIComponent(name)}/history?game=${game}`)).history,
  leaderboard: async (game: string) => (await ask<{ places: Place[] }>(`/leaderboards/${game}`)).places,
  /** What a rated game has made of both ratings. */
  counted: (room: string) => ask<Counted>(`/rooms/${encodeURIComponent(room)}/ratings`),
  exportUrl: "/api/v1/account/export",
};
