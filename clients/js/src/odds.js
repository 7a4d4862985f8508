/** e to the epsilon as an integer, rounded down, the same in every language. */

import { ONE } from "./randomness.js";

const GUARD = 128n; // extra bits; the series loses fewer than 64 of them for levels up to 20,000

/** @type {Record<string, bigint>} */
const known = {};

/**
 * floor(ONE * e^(level / per)), by an integer Taylor series.
 * @param {number | bigint} level
 * @param {number | bigint} per
 * @returns {bigint}
 */
export function odds(level, per = 1000) {
  return (known[`${level}/${per}`] ??= series(BigInt(level), BigInt(per), GUARD));
}

/**
 * Every term is rounded down: the floor is right unless it would change within the sum of what is
 * lost, and then the sum is taken again with more guard bits.
 * @param {bigint} level @param {bigint} per @param {bigint} guard @returns {bigint}
 */
function series(level, per, guard) {
  let total = 0n;
  for (let term = ONE << guard, k = 1n; term; k++) {
    total += term;
    term = (term * level) / (per * k);
  }
  const floor = total >> guard;
  return (total + (1n << (guard / 2n))) >> guard === floor ? floor : series(level, per, 2n * guard);
}
