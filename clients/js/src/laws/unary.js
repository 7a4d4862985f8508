/** Unary bits: one bit for each code, the true one's set more often, all drawn independently. */

import { setBit } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { fits, up } from "./law.js";

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class Unary {
  /** @param {number} size @param {bigint} own of ONE: the bit of the code @param {bigint} other */
  constructor(size, own, other) {
    this.size = size;
    this.true = own;
    this.false = other;
    this.width = (size + 7) >> 3;
  }

  /** @param {number} code @param {import("./law.js").Words} source */
  perturb(code, source) {
    const y = new Uint8Array(this.width);
    for (let i = 0; i < this.size; i++) {
      setBit(y, i, source.coin(i === code ? this.true : this.false));
    }
    return y;
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return fits(y, this.size);
  }
}

/** Symmetric unary encoding. @param {number} size @param {number} level */
export function sue(size, level) {
  const half = odds(level, 2000);
  const keep = (ONE * half) / (half + ONE);
  return new Unary(size, keep, ONE - keep);
}

/** Optimised unary encoding. @param {number} size @param {number} level */
export function oue(size, level) {
  return new Unary(size, ONE / 2n, up(ONE * ONE, odds(level) + ONE));
}
