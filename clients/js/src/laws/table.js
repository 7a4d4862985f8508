/** Table: a row of weights for each of a few knots; the number is first rounded to a knot. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { fits, whole } from "../fits.js";
import { integers, sum } from "./law.js";

const TOTAL = 2 ** 48; // the sum of a row
const MOST = 256; // knots and outputs

/** @param {number} size @param {number[][]} weights */
export const table = (size, weights) =>
  integers("number", weights[0].length, 255, (code, source) => {
    const over = code * (weights.length - 1);
    const rest = over % (size - 1);
    let knot = (over - rest) / (size - 1);
    if (rest && source.below(size - 1) < rest) knot++;
    const drawn = source.below(TOTAL);
    let [y, sum] = [-1, 0];
    while (sum <= drawn) sum += weights[knot][++y];
    return y;
  });

/**
 * Whether a table keeps the promise of a level, whoever wrote it: rows are laws, and no two weights
 * of a column are further apart than e to the epsilon. (That it can be estimated from is the
 * author's concern, and Python's.)
 * @param {number} level @param {number[][]} weights
 */
export const keeps = (level, weights) =>
  fits([[whole(1, TOTAL)]], weights) &&
  weights.length > 1 &&
  weights.length <= MOST &&
  weights[0].length <= MOST &&
  weights.every((row) => row.length === weights[0].length && sum(row) === TOTAL) &&
  weights[0].every((_, y) => {
    const column = weights.map((row) => row[y]);
    return BigInt(Math.max(...column)) * ONE <= BigInt(Math.min(...column)) * odds(level);
  });
