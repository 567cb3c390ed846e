/** What the page and its worker say to each other. */

export type ToWorker =
  | { t: "start"; files: string } // where its files lie
  | { t: "ask"; n: number; method: string; path: string; body: string; lang: string }
  | { t: "open"; line: number; path: string; lang: string }
  | { t: "say"; line: number; text: string }
  | { t: "close"; line: number };

export type FromWorker =
  | { t: "answer"; n: number; status: number; type: string; body: string }
  | { t: "opened"; line: number }
  | { t: "said"; line: number; text: string }
  | { t: "closed"; line: number; code: number }
  | { t: "coming"; have: number; of: number } // bytes of Python's files
  | { t: "ready"; milliseconds: number; lasting: boolean } // whether games outlive the tab
  | { t: "broken"; why: string };

/** The same between the worker and the one that thinks for it. */
export type ToMind =
  | { t: "start"; files: string; stop: SharedArrayBuffer | null } // in `stop` stands which job may end
  | { t: "prepare"; question: string } // somebody will soon want a thought about this game
  | { t: "think"; n: number; kind: string; question: string };
export type FromMind = { t: "more"; n: number; answer: string } | { t: "done"; n: number; problem: string };
