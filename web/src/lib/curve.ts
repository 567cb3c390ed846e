/** A rating over time, as a line in a picture. */

/** The points of a rating's history in a picture of this size, and its least and greatest number. */
export function curve(
  history: { rating: number; before: number }[],
  width: number,
  height: number,
): { points: [number, number][]; low: number; high: number } {
  const first = history[0];
  if (!first) return { points: [], low: 1500, high: 1500 };
  const numbers = [first.before, ...history.map((line) => line.rating)];
  const low = Math.min(...numbers),
    high = Math.max(...numbers);
  const span = Math.max(high - low, 1),
    step = width / (numbers.length - 1);
  return {
    points: numbers.map((rating, k) => [k * step, height - ((rating - low) / span) * height]),
    low,
    high,
  };
}
