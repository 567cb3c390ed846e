/**
 * What is sent and answered over HTTP. Written by tools/api_types.py from the server's own
 * declarations (src/mbegu/server/api/schemas.py): change those, and run `python tools/api_types.py`.
 */

import type { Status } from "./api_types";

/** Somebody with a name. */
export interface Account {
  bot: boolean;
  created: string;
  name: string;
}

/** How strong the other is in a rated game. */
export interface AtStake {
  provisional: boolean;
  rating: number;
}

/** A rating before and after. */
export interface Change {
  before: number;
  rating: number;
}

/** Something that needs the password. */
export interface Confirmed {
  password: string;
}

/** Everything that is kept of somebody. */
export interface Export {
  account: Account;
  games: Record<string, unknown>[];
  ratings: Record<string, Rating>;
}

/** The rated games of somebody, the oldest first. */
export interface History {
  game: string;
  history: RatedGame[];
  name: string;
}

/** The game to which a link invites. */
export interface Invitation {
  clock: string;
  from: string;
  game: string;
  position: string | null;
  rated: boolean;
  rating: AtStake | null;
  room: string;
  seat: 0 | 1;
  setups: boolean;
  sides: [string, string];
  state: "expired" | "open" | "own" | "taken" | "yours";
  status: Status;
  title: string;
}

/** The bots of a game, the best first. */
export interface Ladder {
  bots: LadderBot[];
  game: string;
  title: string;
}

/** A bot that stands on the ladder. */
export interface LadderBot {
  drawn: number;
  faults: number;
  mu: number;
  name: string;
  place: number;
  playable: boolean;
  played: number;
  rank: number;
  sigma: number;
  won: number;
}

/** The best of a game. */
export interface Leaderboard {
  game: string;
  places: Place[];
  title: string;
}

/** The first ten of every game. */
export interface Leaderboards {
  leaderboards: Record<string, Place[]>;
}

/** Who I am; a guest has no account. */
export interface Me {
  account: Account | null;
  ratings: Record<string, Rating>;
}

/** Another password. */
export interface NewPassword {
  new: string;
  password: string;
}

/** A token that somebody wants. */
export interface NewToken {
  days?: number;
  name: string;
  scopes: ("play" | "read")[];
}

/** A place on a leaderboard. */
export interface Place {
  bot: boolean;
  deviation: number;
  drawn: number;
  games: number;
  lost: number;
  name: string;
  opponents: number;
  place: number;
  provisional: boolean;
  rating: number;
  won: number;
}

/** Somebody, as all may see him. */
export interface Profile {
  bot: boolean;
  created: string;
  games: RatedGame[];
  name: string;
  ratings: Record<string, Rating>;
}

/** What a game has made of a rating. */
export interface RatedGame {
  at: string;
  before: number;
  game: string;
  opponent: string | null;
  opponent_bot: boolean;
  opponent_rating: number;
  points: number;
  rating: number;
  room: string;
}

/** How strong somebody is in a game. */
export interface Rating {
  deviation: number;
  drawn: number;
  games: number;
  lost: number;
  opponents: number;
  provisional: boolean;
  rating: number;
  won: number;
}

/** A new password by the recovery code. */
export interface Recover {
  code: string;
  name: string;
  password: string;
}

/** A recovery code: it is shown this once. */
export interface Recovery {
  recovery: string;
}

/** What a rated game has made of both ratings, by seat. */
export interface RoomRatings {
  counted: boolean;
  players: Change[];
}

/** Who signs in. */
export interface SignIn {
  bring?: boolean;
  name: string;
  password: string;
}

/** Where to sign out. */
export interface SignOut {
  everywhere?: boolean | null;
}

/** A new account. */
export interface SignUp {
  bot?: boolean;
  bring?: boolean;
  name: string;
  password: string;
}

/** The account of the one who has signed in. */
export interface SignedIn {
  account: Account;
}

/** A new account, or a new password, with its recovery code. */
export interface SignedUp {
  account: Account;
  recovery: string;
}

/** A personal access token, without its secret. */
export interface Token {
  created: string;
  expires: string;
  id: string;
  name: string;
  scopes: ("play" | "read")[];
  used: string | null;
}

/** A new token: its text is shown this once. */
export interface TokenMade {
  created: string;
  expires: string;
  id: string;
  name: string;
  scopes: ("play" | "read")[];
  token: string;
  used: string | null;
}

/** All tokens of somebody. */
export interface Tokens {
  tokens: Token[];
}
