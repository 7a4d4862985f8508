/** Matrix: a row of weights for each code, and an output drawn by them. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { integers, up } from "./law.js";

export const WHOLE = 1n << 62n; // the sum of a row
const LEAST = 1n << 36n; // a weight that every output of every code has beside its own
export const FINE = 192n; // bits of fixed-point numbers, until they become weights
export const MOST_CODES = 256;
const MOST_COST = 1 << 15; // thousandths; more than any two weights of a column allow

/** @param {bigint[][]} weights @returns {import("./law.js").Law} */
export function matrix(weights) {
  /** @type {bigint} */
  let known;
  const ratio = () =>
    (known ??= most(
      weights
        .map((_, y) => weights.map((row) => row[y]))
        .map((column) => (least(column) ? up(ONE * most(column), least(column)) : 0n)),
    ));
  return {
    ...integers("one", weights.length, MOST_CODES - 1, (code, source) => chosen(weights[code], source)),
    ratio,
    cost: () => levelFor(ratio()),
  };
}

/** The least level, in thousandths and at least 1, whose odds allow a ratio. @param {bigint} ratio */
function levelFor(ratio) {
  let [low, high] = [1, MOST_COST];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (odds(middle) < ratio) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A place by its weight.
 * @param {bigint[]} weights
 * @param {import("./law.js").Source} source
 */
export function chosen(weights, source) {
  const drawn = source.below(WHOLE);
  let [y, below] = [-1, 0n];
  while (below <= drawn) below += weights[++y];
  return y;
}

/** @param {bigint[]} items */
export const least = (items) => items.reduce((a, b) => (b < a ? b : a));

/** @param {bigint[]} items */
const most = (items) => items.reduce((a, b) => (a < b ? b : a));

/**
 * The law with these probabilities, in fixed point, mixed with a few uniform outputs. What a row has left
 * is its own code's.
 * @param {bigint[][]} probabilities
 */
export const rounded = (probabilities) =>
  matrix(
    probabilities.map((row, code) =>
      completed(
        row.map((probability) => LEAST + (((WHOLE - BigInt(row.length) * LEAST) * probability) >> FINE)),
        code,
      ),
    ),
  );

/** A row whose own code has what the others leave. @param {bigint[]} row @param {number} code */
export function completed(row, code) {
  const others = row.reduce((all, weight, y) => (y === code ? all : all + weight), 0n);
  return row.map((weight, y) => (y === code ? WHOLE - others : weight));
}
