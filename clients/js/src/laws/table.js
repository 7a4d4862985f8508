/** Table: a row of weights for each of a few knots; the number is first rounded to a knot. */

import { whole } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";

export const TOTAL = 2 ** 48; // the sum of a row
const MOST = 256; // knots and outputs

/** @typedef {readonly (readonly number[])[]} Weights */

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class Table {
  width = 1;

  /** @param {number} size @param {Weights} weights */
  constructor(size, weights) {
    this.size = size;
    this.weights = weights;
  }

  /** @param {number} code @param {import("./law.js").Words} source */
  perturb(code, source) {
    const [over, steps] = [code * (this.weights.length - 1), this.size - 1];
    const rest = over % steps;
    let knot = (over - rest) / steps;
    if (rest && source.below(steps) < rest) knot++;
    const drawn = source.below(TOTAL);
    let [y, sum] = [-1, 0];
    while (sum <= drawn) sum += this.weights[knot][++y];
    return y;
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return whole(y) < this.weights[0].length;
  }
}

/** The rule that a table breaks as the law of a level, if any. @param {number} level @param {Weights} weights */
export function checkWeights(level, weights) {
  const columns = weights[0].length;
  const shaped = [weights.length, columns].every((n) => 2 <= n && n <= MOST);
  if (!shaped || weights.some((row) => row.length !== columns)) {
    return `a table must have 2 to ${MOST} rows of the same 2 to ${MOST} columns`;
  }
  if (weights.some((row) => row.some((weight) => weight <= 0))) {
    return "weights must be whole numbers above zero";
  }
  if (weights.some((row) => row.reduce((sum, weight) => sum + weight) !== TOTAL)) {
    return `every row of weights must sum to ${TOTAL}`;
  }
  const turned = [...weights].reverse();
  if (weights.some((row, i) => row.some((weight, y) => weight !== turned[i][columns - 1 - y]))) {
    return "weights must be the same read from either end";
  }
  const means = weights.map((row) => row.reduce((sum, weight, y) => sum + BigInt(weight) * BigInt(y), 0n));
  const rise = means[1] - means[0];
  if (rise <= 0 || means.some((mean, i) => i && mean - means[i - 1] !== rise)) {
    return "the mean output must rise by the same amount from row to row";
  }
  for (let y = 0; y < columns; y++) {
    const column = weights.map((row) => row[y]);
    const [most, least] = [Math.max(...column), Math.min(...column)];
    if (BigInt(most) * ONE > BigInt(least) * odds(level)) {
      return "no two weights of a column may be further apart than e to the epsilon";
    }
  }
  return null;
}
