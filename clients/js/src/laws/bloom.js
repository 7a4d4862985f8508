/** Bloom: the code's word of bits, every bit told by a coin of its own; perhaps told again. */

import { bit, draw } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { share } from "./law.js";

/**
 * A word's every bit, set or not, has an equal part of the level. The cohort stands in the bits
 * above.
 * @param {import("./coding.js").Coding} coding @param {number} level
 * @returns {import("./law.js").Law}
 */
export function bloom({ hashes, bits, cohorts, instant, word }, level) {
  const keep = share(odds(level, 2000 * hashes), ONE);
  const width = (bits + 39 - Math.clz32(cohorts - 1)) >> 3;
  return {
    width,
    perturb: (code, source, cohortOf = (words) => words.below(cohorts)) => {
      const cohort = cohorts > 1 ? cohortOf(source) : 0;
      const own = word(cohort, code);
      return draw(8 * width, bits, (i) => source.coin(own.has(i) ? keep : ONE - keep), cohort);
    },
    possible: (y) => cohortIn(y, bits) < cohorts,
    send: (kept, source) => {
      if (!instant) return kept;
      const [one, zero] = instant.map((thousandths) => (BigInt(thousandths) * ONE) / 1000n);
      const told = (/** @type {number} */ i) => source.coin(bit(kept, i) ? one : zero);
      return draw(8 * width, bits, told, cohortIn(kept, bits));
    },
  };
}

/** What stands above the bits. @param {Uint8Array} y @param {number} bits */
function cohortIn(y, bits) {
  let cohort = 0;
  for (let j = 8 * y.length; j-- > bits;) cohort = 2 * cohort + bit(y, j);
  return cohort;
}
