/** Hashed: a function of a public family, and the bucket of the code, or another one. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { functionOf } from "./assigned.js";
import { parities, polynomials, rowsAtMost } from "./hashing.js";
import { oneStage, share } from "./law.js";
import { buckets, signs } from "./sketch.js";

const MOST_BUCKETS = 1n << 10n;

/**
 * @param {import("./hashing.js").Hashing} hashing
 * @param {number} level
 * @returns {import("./law.js").Law}
 */
export function hashed({ cohorts = 1n, nBuckets, functions, room, bucket }, level) {
  const keep = share(odds(level), (nBuckets - 1n) * ONE);
  const own = functions / cohorts;
  const nBytes = ((room - 1n).toString(2).length + 7) >> 3;
  /** @param {bigint} by @param {number} code @param {import("../randomness.js").Source} source */
  const say = (by, code, source) => {
    let reported = bucket(by, BigInt(code));
    if (!source.coin(keep)) {
      const other = source.below(nBuckets - 1n);
      reported = other + BigInt(other >= reported);
    }
    const y = by * nBuckets + reported;
    return spelled(y, nBytes);
  };
  /** @param {import("./form.js").Form} form @param {import("./law.js").Respond} respond */
  const law = (form, respond) => ({ ...oneStage("group", nBytes, form, respond, keep), nBuckets: Number(nBuckets) });
  return {
    ...law({ nOutputs: functions * nBuckets }, () => 0),
    cohorts: Number(cohorts),
    respond: (code, source, cohort) => say(BigInt(cohort) * own + source.below(own), code, source),
    forCredential: (...credential) => {
      const by = functionOf(functions, ...credential);
      return law({ nOutputs: nBuckets, first: by * nBuckets }, (code, source) => say(by, code, source));
    },
  };
}

/** The bytes of an integer, the least first. @param {bigint} y @param {number} nBytes */
export const spelled = (y, nBytes) => Uint8Array.from({ length: nBytes }, (_, i) => Number((y >> BigInt(8 * i)) & 255n));

/** The integer that such bytes are. @param {Uint8Array} y */
export const integer = (y) => y.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n);

/** @typedef {(size: number, level: number) => import("./law.js").Law} Hashes */

/** @type {Hashes} binary local hashing: two buckets */
export const blh = (size, level) =>
  hashed(polynomials(size, 2n, 2n), level);

/** @type {Hashes} optimal local hashing */
export function olh(size, level) {
  const floor = odds(level) / ONE;
  const below = floor < MOST_BUCKETS - 2n ? floor : MOST_BUCKETS - 2n;
  const nBuckets = bestOthers(level, [below, below + 1n]) + 1n;
  return hashed(polynomials(size, nBuckets, MOST_BUCKETS), level);
}

/** @type {Hashes} Hadamard randomised response, and S-Hist */
export const hrr = (size, level) =>
  hashed(parities(bitsOf(size), 1n, 1n), level);

/** @type {Hashes} Hadamard response for every budget */
export function hadamard(size, level) {
  const bits = bitsOf(size);
  return parityRows(bits, level, rowsAtMost(bits));
}

/**
 * As many parities of so many bits as are best for the level.
 * @param {bigint} bits @param {number} level @param {bigint} most
 */
export function parityRows(bits, level, most) {
  const others = Array.from({ length: Number(most) }, (_, row) => (2n << BigInt(row)) - 1n);
  const rows = BigInt(bestOthers(level, others).toString(2).length);
  return hashed(parities(bits, rows, most), level);
}

/**
 * O-RR: a bucket of the cohort's, by randomised response.
 * @param {import("./encoding.js").Encoding} encoding
 * @param {number} level
 */
export const orr = ({ cohorts, bits }, level) =>
  hashed(buckets(BigInt(cohorts), BigInt(bits)), level);

/**
 * The Hadamard form of the count-mean sketch: a parity of the number of the bucket.
 * @param {import("./encoding.js").Encoding} encoding
 * @param {number} level
 */
export const hcms = ({ cohorts, bits }, level) =>
  hashed(signs(BigInt(cohorts), BigInt(bits)), level);

/** How many bits distinguish so many codes. @param {number} size */
const bitsOf = (size) => BigInt((size - 1).toString(2).length);

/**
 * How many buckets beside the own one: minimise (e + others)^2 / others, the variance of a rare code.
 * @param {number} level
 * @param {bigint[]} choices
 */
function bestOthers(level, choices) {
  const square = (/** @type {bigint} */ others) => (odds(level) + others * ONE) ** 2n;
  return choices.reduce((best, next) => (square(next) * best < square(best) * next ? next : best));
}
