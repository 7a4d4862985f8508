/** Two points: one bit, heads the more often the larger the number. */

import { whole } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class TwoPoint {
  width = 1;

  /** @param {number} size @param {bigint} base of ONE, at the lower end @param {bigint} slope */
  constructor(size, base, slope) {
    this.size = size;
    this.base = base;
    this.slope = slope;
  }

  /** @param {number} code @param {import("./law.js").Words} source */
  perturb(code, source) {
    return Number(source.coin(this.base + this.slope * BigInt(code)));
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return whole(y) < 2;
  }
}

/** Duchi's mechanism. @param {number} size @param {number} level */
export function duchi(size, level) {
  const [top, steps] = [odds(level), BigInt(size - 1)];
  let slope = (ONE * (top - ONE)) / ((top + ONE) * steps);
  slope -= slope % 2n; // so that the two ends are alike
  return new TwoPoint(size, (ONE - slope * steps) / 2n, slope);
}
