/**
 * What a law is: the exact distribution of one answer's ``y`` at one level.
 *
 * ``y`` is an integer below 2^53, or a bit set as bytes in which code i is bit i % 8 of byte i // 8.
 * The order of draws is that of Python, which states the laws and proves them: docs/proofs.
 *
 * @typedef {import("../randomness.js").Source} Source
 * @typedef {(code: number, source: Source, cohort: number) => number | Uint8Array} Respond
 * @typedef {"one" | "set" | "bits" | "group" | "digits" | "near" | "words" | "signs" | "number" | "parts" |
 *   "open" | "places" | "interval" | "cover" | "cells" | "prefix"} Sends
 *   what a report is: one answer; a set of answers; yes or no to each answer by itself; one of some groups of
 *   answers; a number for each answer by itself, with noise; a number near the true one; a word of bits; high
 *   or low for each number of a bundle; a number; one answer, where two are told apart by the smaller of their
 *   parts of the level; one that is sensitive, or else perhaps the true one; one answer, the more likely the
 *   nearer; an interval of answers, or some that may hold it, of a width drawn before; some of the entries that may be
 *   held, and of the blanks that stand for none; the same of the groups that entries are hashed to; parities of the
 *   first bits of an answer
 * @typedef {{
 *   nBytes: number,
 *   form: import("./form.js").Form,
 *   cohorts: number,
 *   sends: Sends,
 *   kept?: bigint,
 *   also?: bigint,
 *   nBuckets?: number,
 *   ratio?: () => bigint,
 *   cost?: () => number,
 *   open?: boolean,
 *   respond: Respond,
 *   alike?: (code: number, cohort: number) => bigint | number,
 *   send: (response: Uint8Array, source: Source) => Uint8Array,
 *   forCredential?: (credential: string, plan: string, name: string) => Law,
 * }} Law ``nBytes``: of y; ``form``: what y can be; ``cohorts``: how many there are; ``sends``: what it
 *   is, for people; ``kept``: how often, over ONE, what is sent speaks for the true answer, where that can be said; ``also``: how often a bit
 *   speaks for another one, or an answer that may be reported openly is not; ``nBuckets``: to how many a hashed one maps
 *   the codes; ``ratio``: by how much, over ONE, an output that every code gives changes odds at most,
 *   where that is not e to the level; ``cost``: the least level, in thousandths, that allows that ratio;
 *   ``open``: whether some outputs are given by some codes only, and so identify them; ``respond``: draw
 *   the permanent response of a device in a cohort; ``alike``: what codes have in common that share one; ``send``: what a round sends of it;
 *   ``forCredential``: the law with the hash function of a credential
 */

import { ONE } from "../randomness.js";

/**
 * A law that is the same for all devices, and sends its permanent response in every round.
 * @param {Sends} sends
 * @param {number} nBytes
 * @param {import("./form.js").Form} form
 * @param {Respond} respond
 * @param {bigint} [kept]
 * @returns {Law}
 */
export const oneStage = (sends, nBytes, form, respond, kept) => ({
  sends,
  nBytes,
  form,
  kept,
  cohorts: 1,
  respond,
  send: (response) => response,
});

/**
 * A law whose ``y`` is an integer.
 * @param {Sends} sends
 * @param {number} nOutputs how many there are
 * @param {number} most at any level
 * @param {Respond} respond
 * @param {bigint} [kept]
 */
export const integers = (sends, nOutputs, most, respond, kept) =>
  oneStage(sends, Math.ceil(most.toString(2).length / 8), { nOutputs }, respond, kept);

/**
 * A law whose ``y`` is a set of bits.
 * @param {Sends} sends
 * @param {number} nBits
 * @param {bigint} kept
 * @param {Respond} respond
 * @param {number} [ones] of those set
 */
export const bits = (sends, nBits, kept, respond, ones) =>
  oneStage(sends, (nBits + 7) >> 3, { nBits, ones }, respond, kept);

/**
 * The heads of a coin that lands a times for b that it does not, rounded down.
 * @param {bigint} a
 * @param {bigint} b
 */
export const share = (a, b) => (ONE * a) / (a + b);

/** @param {number[]} items */
export const sum = (items) => items.reduce((all, item) => all + item, 0);

/** A quotient, rounded up. @param {bigint} over @param {bigint} under */
export const up = (over, under) => (over + under - 1n) / under;

/**
 * A uniform ``count``-subset of 0 to n - 1, by Floyd's algorithm.
 * @param {number} n
 * @param {number} count
 * @param {Source} source
 * @returns {Set<number>}
 */
export function sample(n, count, source) {
  const chosen = new Set();
  for (let top = n - count; top < n; top++) {
    const drawn = source.below(top + 1);
    chosen.add(chosen.has(drawn) ? top : drawn);
  }
  return chosen;
}

/** n over k, exact below 2^53. @param {number} n @param {number} k */
export function choose(n, k) {
  let found = 1n;
  for (let i = 1; i <= k; i++) found = (found * BigInt(n - k + i)) / BigInt(i);
  return Number(found);
}
