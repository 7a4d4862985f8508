/** Input-discriminative privacy: each value has a share of the level, two values the smaller one's. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { classesOf } from "./classes.js";
import { completed, FINE, matrix, rounded } from "./matrix.js";
import { HAIR } from "./metric.js";
import { even } from "./uldp.js";

const CUTS = 16; // steps from the smallest level to its double at which larger ones may be cut off

/**
 * The cut whose frequencies vary least, if that is worth it beside randomised response.
 * @param {number[]} shares of the codes, in thousandths
 * @param {number} level
 */
export function idldp(shares, level) {
  const smallest = level * Math.min(...shares);
  const [over, under] = classesOf(shares.map(() => odds(smallest, 10 ** 6))).variance();
  let bound = [9_999n * over, 10_000n * under];
  let best = () => plain(shares.length, smallest);
  for (let cut = 1; cut <= CUTS; cut++) {
    const tops = topsOf(shares, level, cut);
    const { own, variance } = classesOf(tops);
    if ([...own.values()].some(([probability]) => probability <= 0n)) continue;
    const found = variance();
    if (found[0] * bound[1] < bound[0] * found[1]) [best, bound] = [() => tight(tops, own), found];
  }
  return best();
}

/**
 * e to the level of each code, a hair less, over ONE; larger levels are cut off.
 * @param {number[]} shares @param {number} level @param {number} cut
 */
function topsOf(shares, level, cut) {
  const levels = shares.map((share) => level * share * (HAIR / 10 ** 6) - 1);
  const most = Math.min(...levels) * (CUTS + cut);
  return levels.map((each) => odds(Math.min(each * CUTS, most), CUTS * HAIR));
}

/**
 * Generalised randomised response.
 * @param {number} size
 * @param {number} level in millionths
 */
function plain(size, level) {
  const row = Array(size).fill(even(size, level, 10 ** 6));
  return matrix(row.map((_, code) => completed(row, code)));
}

/**
 * The law with tight constraints.
 * @param {bigint[]} tops
 * @param {Map<bigint, import("./classes.js").Fraction>} own
 */
function tight(tops, own) {
  const probabilities = tops.map((top) => {
    const [over, under] = own.get(top) ?? [0n, 1n];
    return (over << FINE) / under;
  });
  return rounded(tops.map((x) => tops.map((y, i) => (probabilities[i] * ONE) / (x < y ? x : y))));
}
