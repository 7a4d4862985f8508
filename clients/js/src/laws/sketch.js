/**
 * Sketches: texts of which there is no list, put by each cohort into a few buckets of its own.
 *
 * Cohort j puts the fingerprint u, w of a text into the bucket of ``(a u + b w + c) mod P``, of which each
 * bucket has an interval; a, b and c come from the SHA-256 of j. Further functions of the cohort give
 * further buckets.
 *
 * @typedef {import("./hashing.js").Hashing} Hashing
 */

import { hashedIntegers, PRIME } from "../text.js";
import { parity } from "./hashing.js";

/**
 * The bucket into which a function of a cohort, as a rule its first, puts a text.
 * @param {number | bigint} cohort
 * @param {bigint} code
 * @param {bigint} nBuckets
 * @param {number} index
 */
export function bucket(cohort, code, nBuckets, index = 0) {
  const [a, b, c] = hashedIntegers(`cohort ${cohort} ${index}`, 3);
  return (((a * (code / PRIME) + b * (code % PRIME) + c) % PRIME) * nBuckets) / PRIME;
}

/** The buckets of each cohort. @param {bigint} cohorts @param {bigint} nBuckets @returns {Hashing} */
export const buckets = (cohorts, nBuckets) => ({
  cohorts,
  nBuckets,
  functions: cohorts,
  room: cohorts * nBuckets,
  bucket: (drawn, code) => bucket(drawn, code, nBuckets),
});

/**
 * Parities of the number of a text's bucket, by a cohort and a row of parities.
 * @param {bigint} cohorts
 * @param {bigint} nBuckets a power of two
 * @returns {Hashing}
 */
export const signs = (cohorts, nBuckets) => ({
  cohorts,
  nBuckets: 2n,
  functions: cohorts * nBuckets,
  room: 2n * cohorts * nBuckets,
  bucket: (drawn, code) => parity((drawn % nBuckets) & bucket(drawn / nBuckets, code, nBuckets)),
});
