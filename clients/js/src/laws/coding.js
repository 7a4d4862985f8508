/**
 * Words: a few bits among many for each code, public and the same in every language.
 *
 * With one hash and a bit for every code, code v has bit v alone. Otherwise its bits are hashed;
 * a word that an earlier code of the cohort has is thrown away, unless there are too few for all.
 */

import { encoded } from "../encoding.js";
import { sha256 } from "../sha256.js";
import { choose } from "./law.js";

/** What a plan states about the bits of an attribute: the same at every level. */
export class Coding {
  /** @type {Map<number, number[][]>} */
  #words = new Map();

  /**
   * @param {number} size @param {number} hashes bits of a word @param {number} bits of which they are
   * @param {number} cohorts each with words of its own
   * @param {readonly [number, number] | null} instant how often a kept one, and a kept zero, is sent
   *   as a one: thousandths; null where what is kept is sent
   */
  constructor(size, hashes, bits, cohorts = 1, instant = null) {
    this.size = size;
    this.hashes = hashes;
    this.bits = bits;
    this.cohorts = cohorts;
    this.instant = instant;
    this.crowded = choose(bits, hashes) < size;
  }

  /** Whether two codes have the same word in every cohort. */
  get ambiguous() {
    if (!this.crowded) return false;
    const all = Array.from({ length: this.cohorts }, (_, cohort) => this.words(cohort));
    const codes = Array.from({ length: this.size }, (_, v) => all.map((own) => own[v]).join(";"));
    return new Set(codes).size < this.size;
  }

  /** The bits of each code's word in a cohort, rising. @param {number} cohort */
  words(cohort) {
    let found = this.#words.get(cohort);
    if (!found) this.#words.set(cohort, (found = this.#hashed(cohort)));
    return found;
  }

  /** @param {number} cohort @returns {number[][]} */
  #hashed(cohort) {
    const codes = Array.from({ length: this.size }, (_, code) => code);
    if (this.hashes === 1 && this.bits >= this.size) return codes.map((code) => [code]);
    const taken = new Set();
    return codes.map((code) => {
      let word = new Set();
      for (let counter = 0; word.size < this.hashes; counter++) {
        word.add(place(`${this.size} ${cohort} ${code} ${counter}`, this.bits));
        if (!this.crowded && taken.has(key(word))) word = new Set();
      }
      taken.add(key(word));
      return rising(word);
    });
  }
}

/** @param {Set<number>} word */
const rising = (word) => [...word].sort((a, b) => a - b);

/** @param {Set<number>} word */
const key = (word) => rising(word).join();

/** The first six bytes of a digest, modulo the number of bits. @param {string} text @param {number} bits */
const place = (text, bits) =>
  sha256(encoded(text)).subarray(0, 6).reduce((value, byte) => value * 256 + byte, 0) % bits;
