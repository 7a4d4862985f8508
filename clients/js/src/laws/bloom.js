/** Bloom: the code's codeword, each bit flipped by its own coin, perhaps once more in every round. */

import { bit, draw } from "../bytes.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { share } from "./law.js";

/**
 * Every bit of a codeword, set or not, has an equal part of the level. The cohort is in the bits
 * above.
 * @param {import("./encoding.js").Encoding} encoding @param {number} level
 * @returns {import("./law.js").Law}
 */
export function bloom({ hashes, bits, cohorts, instant, codeword }, level) {
  const keep = share(odds(level, 2000 * hashes), ONE);
  const nBytes = (bits + 39 - Math.clz32(cohorts - 1)) >> 3;
  return {
    sends: "words",
    nBytes,
    form: { nOutputs: cohorts, nBits: bits },
    cohorts,
    respond: (code, source, cohort) => {
      const own = codeword(cohort, code);
      return draw(8 * nBytes, bits, (i) => source.coin(own.has(i) ? keep : ONE - keep), cohort);
    },
    send: (response, source) => {
      if (!instant) return response;
      const [one, zero] = instant.map((thousandths) => (BigInt(thousandths) * ONE) / 1000n);
      const sent = (/** @type {number} */ i) => source.coin(bit(response, i) ? one : zero);
      return draw(8 * nBytes, bits, sent, cohortIn(response, bits));
    },
  };
}

/** What stands above the bits. @param {Uint8Array} y @param {number} bits */
function cohortIn(y, bits) {
  let cohort = 0;
  for (let j = 8 * y.length; j-- > bits;) cohort = 2 * cohort + bit(y, j);
  return cohort;
}
