import { expect, it } from "vitest";
import { curve } from "./curve";

it("draws a history from its first number to its last", () => {
  const { points, low, high } = curve(
    [
      { before: 1500, rating: 1580 },
      { before: 1580, rating: 1540 },
    ],
    100,
    40,
  );
  expect([low, high]).toEqual([1500, 1580]);
  expect(points).toEqual([
    [0, 40],
    [50, 0],
    [100, 20],
  ]);
});

it("draws nothing of nothing", () => {
  expect(curve([], 100, 40).points).toEqual([]);
});

it("stays level where nothing changes", () => {
  expect(curve([{ before: 1500, rating: 1500 }], 10, 40).points).toEqual([
    [0, 40],
    [10, 40],
  ]);
});
