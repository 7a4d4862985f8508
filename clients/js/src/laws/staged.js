/** Staged: an answer is kept by one law, and sent through another one in every round. */

import { bit, draw, little, whole } from "../bytes.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { choice, grr } from "./choice.js";
import { hashed, integer, spelled } from "./hashed.js";
import { polynomials } from "./hashing.js";
import { oue } from "./unary.js";

/**
 * @typedef {import("./law.js").Law} Law
 * @typedef {(size: number, level: number, stated: {first: number, buckets?: number}) => Law} Staged ``first``:
 *   what the first report alone may spend, in thousandths of the level; ``buckets``: of hashed answers
 */

/** @type {Staged} direct answers about direct answers that are kept */
export function lgrr(size, level, stated) {
  const kept = grr(size, level);
  const keep = /** @type {bigint} */ (kept.kept);
  const others = BigInt(size - 1);
  const again = secondKeep(others, keep, firstOf(level, stated));
  const { respond } = choice(size, again);
  return {
    ...kept,
    kept: sentAgain(others, keep, again),
    send: (response, source) => little(/** @type {number} */ (respond(whole(response), source, 0)), response.length),
  };
}

/** @type {Staged} the same about the bucket of a function that a device keeps */
export function loloha(size, level, stated) {
  const nBuckets = BigInt(/** @type {number} */ (stated.buckets));
  const hashing = lasting(size, nBuckets);
  const kept = hashed(hashing, level);
  const keep = /** @type {bigint} */ (kept.kept);
  const again = secondKeep(nBuckets - 1n, keep, firstOf(level, stated));
  const { respond } = choice(Number(nBuckets), again);
  return {
    ...kept,
    kept: sentAgain(nBuckets - 1n, keep, again),
    alike: (code, cohort) => hashing.bucket(BigInt(cohort), BigInt(code)),
    send: (response, source) => {
      const held = integer(response);
      const sent = /** @type {number} */ (respond(Number(held % nBuckets), source, 0));
      return spelled(held - (held % nBuckets) + BigInt(sent), response.length);
    },
  };
}

/** The functions of which a device keeps one. @param {number} size @param {bigint} nBuckets */
const lasting = (size, nBuckets) => {
  const hashing = polynomials(size, nBuckets, nBuckets);
  return { ...hashing, cohorts: hashing.functions };
};

/** How many functions there are. @param {{buckets?: number}} stated */
export const cohortsOf = ({ buckets }) => (buckets ? Number(lasting(1, BigInt(buckets)).functions) : 1);

/** @type {Staged} bits of optimised unary encoding, kept and sent by symmetric coins */
export function losue(size, level, stated) {
  const kept = oue(size, level);
  const first = firstOf(level, stated);
  const again = (ONE * (first * ONE - kept.also * (first + ONE))) / ((first + ONE) * (ONE - 2n * kept.also));
  return {
    ...kept,
    also: (kept.also * again + (ONE - kept.also) * (ONE - again)) / ONE,
    send: (response, source) =>
      draw(8 * response.length, size, (i) => source.coin(again) === !!bit(response, i)),
  };
}

/** How often what is kept is sent, over ONE. @param {bigint} others @param {bigint} keep @param {bigint} again */
const sentAgain = (others, keep, again) => (keep * again + ((ONE - keep) * (ONE - again)) / others) / ONE;

/** e to the level of the first report, over ONE. @param {number} level @param {{first: number}} stated */
const firstOf = (level, { first }) => odds(level * first, 1_000_000);

/**
 * How often a kept code is sent as it is, so that one report has the first level.
 * @param {bigint} others codes
 * @param {bigint} keep
 * @param {bigint} first
 */
function secondKeep(others, keep, first) {
  const whole = first + others * ONE;
  const lost = ONE - keep;
  return (ONE * (first * ONE * others - lost * whole)) / (whole * (keep * others - lost));
}
