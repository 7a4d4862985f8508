/** Threshold: unary bits, each whether it, with Laplace noise, is above a threshold. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { up } from "./law.js";
import { unary } from "./unary.js";

/**
 * Thresholded histogram encoding, with the best threshold in hundredths.
 * @param {number} size
 * @param {number} level
 */
export function the(size, level) {
  const pairs = Array.from({ length: 49 }, (_, i) => above(level, 51 + i));
  const [own, other] = pairs.reduce((best, next) => {
    const [[one, under], [two, below]] = [spread(next), spread(best)];
    return one * below < two * under ? next : best;
  });
  return unary(size, own, other);
}

/**
 * How often 1 and 0, with noise of scale 2 / epsilon, exceed so many hundredths.
 * @param {number} level
 * @param {number} threshold
 */
function above(level, threshold) {
  const half = (/** @type {number} */ part) => up(ONE * ONE, 2n * odds(level * part, 200_000));
  return [ONE - half(100 - threshold), half(threshold)];
}

/** The variance of a rare code, as a fraction. @param {bigint[]} pair */
const spread = ([own, other]) => [other * (ONE - other), (own - other) ** 2n];
