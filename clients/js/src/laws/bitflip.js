/** Bit flip: the bits of a few codes, which a device draws once, each flipped by its own coin. */

import { draw } from "../bytes.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { choose, oneStage, share } from "./law.js";

const LEAST_SAMPLED = 4; // values of which not all are sampled

/**
 * How many sets of so many of the codes there are; none where a rule is broken.
 * @param {number} size @param {{bits: number}} stated
 */
export function setsOf(size, { bits }) {
  const sets = choose(size, bits);
  const few = bits < size && size < LEAST_SAMPLED;
  return bits <= size && !few && sets <= Number.MAX_SAFE_INTEGER ? sets : undefined;
}

/**
 * @param {number} size @param {{bits: number}} stated @param {number} level
 * @returns {import("./law.js").Law}
 */
export function dbitflip(size, { bits }, level) {
  const keep = share(odds(level, bits === 1 ? 1000 : 2000), ONE);
  const nBytes = (size + bits + 7) >> 3;
  return {
    ...oneStage("words", nBytes, { nOutputs: 2 ** bits, nBits: size, ones: bits }, (code, source, cohort) => {
      const codes = unranked(cohort, size, bits);
      const coins = codes.map((own) => source.coin(own === code ? keep : ONE - keep));
      return draw(8 * nBytes, size + bits, (i) => (i < size ? codes.includes(i) : coins[i - size]));
    }),
    cohorts: choose(size, bits),
    alike: (code, cohort) => (unranked(cohort, size, bits).indexOf(code) + bits + 1) % (bits + 1),
  };
}

/** The set of that number, rising. @param {number} rank @param {number} size @param {number} count */
function unranked(rank, size, count) {
  /** @type {number[]} */
  const found = [];
  for (let code = size - 1, left = rank; count > 0; code--) {
    if (choose(code, count) > left) continue;
    left -= choose(code, count--);
    found.unshift(code);
  }
  return found;
}
