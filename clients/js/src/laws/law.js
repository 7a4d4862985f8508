/**
 * What a law is: the exact distribution of one answer's ``y`` at one level.
 *
 * ``y`` is an integer below 2^53, or a bit set as bytes in which code i is bit i % 8 of byte i // 8.
 * The order of draws is that of Python, which states the laws and proves them: docs/proofs.
 *
 * @typedef {import("../randomness.js").Words} Words
 * @typedef {{
 *   readonly width: number,
 *   perturb(code: number, source: Words): number | Uint8Array,
 *   possible(y: Uint8Array): boolean,
 * }} Law
 */

import { bit, widthOf } from "../encoding.js";

/** A quotient, rounded up. @param {bigint} over @param {bigint} under */
export const up = (over, under) => (over + under - 1n) / under;

/** How many bits are set. @param {Uint8Array} y */
export const ones = (y) => y.reduce((count, _, i) => {
  for (let j = 8 * i; j < 8 * i + 8; j++) count += bit(y, j);
  return count;
}, 0);

/** Whether no bit is set from this one on. @param {Uint8Array} y @param {number} size */
export const fits = (y, size) => y.every((byte, i) => byte >> Math.max(0, size - 8 * i) === 0);

/** The bytes of integers 0 to size - 1. @param {number} size */
export const width = (size) => widthOf(size - 1);

/**
 * A uniform ``count``-subset of 0 to n - 1, by Floyd's algorithm.
 * @param {number} n @param {number} count @param {Words} source @returns {Set<number>}
 */
export function sample(n, count, source) {
  const chosen = new Set();
  for (let top = n - count; top < n; top++) {
    const drawn = source.below(top + 1);
    chosen.add(chosen.has(drawn) ? top : drawn);
  }
  return chosen;
}

/** n over k, below 2^53 or not told from what is larger. @param {number} n @param {number} k */
export function choose(n, k) {
  let found = 1n;
  for (let i = 1; i <= k; i++) found = (found * BigInt(n - k + i)) / BigInt(i);
  return Number(found);
}
