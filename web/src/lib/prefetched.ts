/** What the page brought along: the answers to its first questions. Each is taken once, then asked for again. */

interface First {
  lang: string;
  answers: Record<string, unknown>;
}

function read(): First {
  const text = typeof document === "undefined" ? null : document.getElementById("first")?.textContent;
  return text ? (JSON.parse(text) as First) : { lang: "", answers: {} };
}
const first = read();

export function brought<T>(question: string, lang: string): T | undefined {
  const answer = first.lang === lang ? (first.answers[question] as T | undefined) : undefined;
  delete first.answers[question];
  return answer;
}
