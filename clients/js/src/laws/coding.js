/**
 * Words: a few bits among many for each code, public and the same in every language.
 *
 * With one hash and a bit for every code, code v has bit v alone. Otherwise its bits are hashed;
 * a word that an earlier code of the cohort has is thrown away, unless there are too few for all.
 * The bits of a text's word are the cells into which one function of the cohort after the other puts it.
 *
 * @typedef {{
 *   hashes: number,
 *   bits: number,
 *   cohorts: number,
 *   instant: number[] | null,
 *   word: (cohort: number, code: any) => Set<number>,
 * }} Coding ``hashes``: the bits of a word, of so many ``bits``; ``instant``: how often a kept one,
 *   and a kept zero, is sent as a one, in thousandths; null where what is kept is sent
 */

import { encoded, whole } from "../encoding.js";
import { sha256 } from "../sha256.js";
import { choose } from "./law.js";
import { bucket } from "./sketch.js";

const MOST_HASHED = 1 << 20; // bits of all words

/**
 * What a plan states about the bits of an attribute; a sketch's cells are words of one bit.
 * @param {number} size of texts, endless
 * @param {any} stated
 * @returns {Coding | undefined} none where a rule is broken
 */
export function codingOf(size, { hashes = 1, cells, bits = cells, cohorts = 1, ones, zeros }) {
  const open = size === Infinity;
  if (hashes >= bits || ones <= zeros || (!open && size * hashes * cohorts > MOST_HASHED)) return;
  /** @type {Set<number>[][]} */
  const known = [];
  return {
    hashes,
    bits,
    cohorts,
    instant: ones && [ones, zeros],
    word: (cohort, code) =>
      open
        ? sketched(hashes, bits, cohort, code)
        : (known[cohort] ??= wordsOf(size, hashes, bits, cohort))[code],
  };
}

/** @param {number} hashes @param {number} bits @param {number} cohort @param {bigint} code */
function sketched(hashes, bits, cohort, code) {
  const word = new Set();
  for (let place = 0; word.size < hashes; place++)
    word.add(Number(bucket(cohort, code, BigInt(bits), place)));
  return word;
}

/** @param {number} size @param {number} hashes @param {number} bits @param {number} cohort */
function wordsOf(size, hashes, bits, cohort) {
  const [bare, crowded, taken] = [
    hashes === 1 && bits >= size,
    choose(bits, hashes) < size,
    new Set(),
  ];
  return Array.from({ length: size }, (_, code) => {
    if (bare) return new Set([code]);
    let word = new Set();
    for (let counter = 0; word.size < hashes; counter++) {
      word.add(place(`${size} ${cohort} ${code} ${counter}`, bits));
      if (word.size === hashes && !crowded && taken.has(spelled(word))) word = new Set();
    }
    taken.add(spelled(word));
    return word;
  });
}

/** The same for the same bits. @param {Set<number>} word */
const spelled = (word) => `${[...word].sort()}`;

/**
 * The first six bytes of a digest, modulo the number of bits.
 * @param {string} text
 * @param {number} bits
 */
const place = (text, bits) => whole(sha256(encoded(text)).subarray(0, 6).reverse()) % bits;
