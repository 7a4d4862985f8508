/**
 * Families of hash functions: public maps from codes to buckets, of which a report names one.
 *
 * @typedef {{
 *   cohorts?: bigint,
 *   nBuckets: bigint,
 *   functions: bigint,
 *   room: bigint,
 *   bucket: (drawn: bigint, code: bigint) => bigint,
 * }} Hashing ``functions``: how many there are, equally many for each cohort; ``room``: how many outputs a report has to distinguish,
 *   at whatever level; ``bucket``: where a function puts a code
 */

const LEAST_PRIME = 32_749; // many more points than buckets, so that these are nearly alike
const MOST_ROWS = 4n;
const WORD = 62n; // bits that a function and a bucket have at most

/**
 * a x^2 + b x + c modulo a prime, of which each bucket has an interval.
 * @param {number} size
 * @param {bigint} nBuckets
 * @param {bigint} most buckets at any level
 * @returns {Hashing}
 */
export function polynomials(size, nBuckets, most) {
  const prime = primeFrom(Math.max(size, LEAST_PRIME));
  const functions = prime ** 3n;
  return {
    nBuckets,
    functions,
    room: functions * most,
    bucket: (drawn, code) => {
      const [a, b] = [drawn / prime ** 2n, (drawn / prime) % prime];
      return ((((a * code + b) * code + drawn) % prime) * nBuckets) / prime;
    },
  };
}

/**
 * Bits, each the parity of some bits of the code: the function's number has these, row after row.
 * @param {bigint} bits of a code
 * @param {bigint} rows
 * @param {bigint} most rows at any level
 * @returns {Hashing}
 */
export const parities = (bits, rows, most) => ({
  nBuckets: 1n << rows,
  functions: 1n << (bits * rows),
  room: 1n << ((bits + 1n) * most),
  bucket: (drawn, code) => {
    let found = 0n;
    for (let row = 0n; row < rows; row++) found |= parity((drawn >> (row * bits)) & code) << row;
    return found;
  },
});

/** Whether an odd number of bits is set. @param {bigint} bits */
export function parity(bits) {
  let found = 0n;
  for (let left = bits; left; left &= left - 1n) found ^= 1n;
  return found;
}

/** How many parities of so many bits fit in a word, with what they come to. @param {bigint} bits */
export function rowsAtMost(bits) {
  const fit = WORD / (bits + 1n);
  return fit < MOST_ROWS ? fit : MOST_ROWS;
}

/** The first prime that is not below. @param {number} least */
function primeFrom(least) {
  for (let n = least, d = 2; ; d++) {
    if (d * d > n) return BigInt(n);
    if (n % d === 0) [n, d] = [n + 1, 1];
  }
}
