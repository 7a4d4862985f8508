/** Bloom: the code's word of bits, every bit told by a coin of its own; perhaps told again. */

import { bit, setBit } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";

/** @typedef {import("./law.js").Words} Words */

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class Bloom {
  /**
   * @param {import("./coding.js").Coding} coding
   * @param {bigint} own of ONE: a bit of the word @param {bigint} other
   */
  constructor(coding, own, other) {
    this.coding = coding;
    this.true = own;
    this.false = other;
    this.size = coding.size;
    this.width = (coding.bits + 32 - Math.clz32(coding.cohorts - 1) + 7) >> 3;
    /** The coins of the second stage; null where there is none. */
    this.instant = coding.instant && coding.instant.map((share) => (BigInt(share) * ONE) / 1000n);
  }

  /** @param {number} code @param {Words} source */
  perturb(code, source) {
    const cohort = source.below(this.coding.cohorts);
    return this.send(this.keep(code, cohort, source), source);
  }

  /** The permanent answer of a device in a cohort. @param {number} code @param {number} cohort @param {Words} source */
  keep(code, cohort, source) {
    const word = new Set(this.coding.words(cohort)[code]);
    const kept = this.#bits(source, (i) => (word.has(i) ? this.true : this.false));
    for (let j = this.coding.bits; cohort; j++, cohort >>= 1) setBit(kept, j, !!(cohort & 1));
    return kept;
  }

  /** What a round tells of it. @param {Uint8Array} kept @param {Words} source */
  send(kept, source) {
    if (!this.instant) return kept;
    const [one, zero] = this.instant;
    const y = this.#bits(source, (i) => (bit(kept, i) ? one : zero));
    for (let j = this.coding.bits; j < 8 * this.width; j++) setBit(y, j, !!bit(kept, j));
    return y;
  }

  /** @param {Uint8Array} y */
  possible(y) {
    let cohort = 0;
    for (let j = 8 * this.width - 1; j >= this.coding.bits; j--) cohort = 2 * cohort + bit(y, j);
    return cohort < this.coding.cohorts;
  }

  /** @param {Words} source @param {(i: number) => bigint} heads */
  #bits(source, heads) {
    const y = new Uint8Array(this.width);
    for (let i = 0; i < this.coding.bits; i++) setBit(y, i, source.coin(heads(i)));
    return y;
  }
}

/** A word's every bit, set or not, has an equal part of the level. @param {import("./coding.js").Coding} coding @param {number} level */
export function bloom(coding, level) {
  const part = odds(level, 2000 * coding.hashes);
  const keep = (ONE * part) / (part + ONE);
  return new Bloom(coding, keep, ONE - keep);
}
