/**
 * Codewords: a few bits among many for each code, public and the same in every language.
 *
 * With one hash and a bit for every code, code v has bit v alone. Otherwise its bits are hashed;
 * a codeword that an earlier code of the cohort has is discarded, unless there are too few for all.
 * Each bit of a text's codeword is the bucket into which one of the cohort's hash functions maps it.
 *
 * @typedef {{
 *   hashes: number,
 *   bits: number,
 *   cohorts: number,
 *   instant: number[] | null,
 *   codeword: (cohort: number, code: any) => Set<number>,
 * }} Encoding ``hashes``: the bits of a codeword, of so many ``bits``; ``instant``: how often a kept one,
 *   and a kept zero, is sent as a one, in thousandths; null where what is kept is sent
 */

import { encoded, whole } from "../bytes.js";
import { sha256 } from "../sha256.js";
import { choose } from "./law.js";
import { bucket } from "./sketch.js";

const MOST_HASHED = 1 << 20; // bits of all codewords

/**
 * What a plan states about the bits of an attribute; a sketch's buckets are codewords of one bit.
 * @param {number} size of texts, endless
 * @param {any} stated
 * @returns {Encoding | undefined} none where a rule is broken
 */
export function encodingOf(size, { hashes = 1, cells, bits = cells, cohorts = 1, ones, zeros }) {
  const open = size === Infinity;
  if (hashes >= bits || ones <= zeros || (!open && size * hashes * cohorts > MOST_HASHED)) return;
  /** @type {Set<number>[][]} */
  const known = [];
  return {
    hashes,
    bits,
    cohorts,
    instant: ones && [ones, zeros],
    codeword: (cohort, code) =>
      open
        ? sketched(hashes, bits, cohort, code)
        : (known[cohort] ??= codewordsOf(size, hashes, bits, cohort))[code],
  };
}

/** @param {number} hashes @param {number} bits @param {number} cohort @param {bigint} code */
function sketched(hashes, bits, cohort, code) {
  const codeword = new Set();
  for (let index = 0; codeword.size < hashes; index++)
    codeword.add(Number(bucket(cohort, code, BigInt(bits), index)));
  return codeword;
}

/** @param {number} size @param {number} hashes @param {number} bits @param {number} cohort */
function codewordsOf(size, hashes, bits, cohort) {
  const [bare, crowded, taken] = [
    hashes === 1 && bits >= size,
    choose(bits, hashes) < size,
    new Set(),
  ];
  return Array.from({ length: size }, (_, code) => {
    if (bare) return new Set([code]);
    let codeword = new Set();
    for (let counter = 0; codeword.size < hashes; counter++) {
      codeword.add(hashedBit(`${size} ${cohort} ${code} ${counter}`, bits));
      if (codeword.size === hashes && !crowded && taken.has(spelled(codeword))) codeword = new Set();
    }
    taken.add(spelled(codeword));
    return codeword;
  });
}

/** The same for the same bits. @param {Set<number>} codeword */
const spelled = (codeword) => `${[...codeword].sort()}`;

/**
 * The first six bytes of a digest, modulo the number of bits.
 * @param {string} text
 * @param {number} bits
 */
const hashedBit = (text, bits) => whole(sha256(encoded(text)).subarray(0, 6).reverse()) % bits;
