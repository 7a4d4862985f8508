/** Coin and uniform: keep the code if a coin says so, else report a uniform other one. */

import { whole } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { width } from "./law.js";

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class Choice {
  /** @param {number} size @param {bigint} keep of ONE */
  constructor(size, keep) {
    this.size = size;
    this.keep = keep;
    this.width = width(size);
  }

  /** @param {number} code @param {import("./law.js").Words} source */
  perturb(code, source) {
    if (source.coin(this.keep)) return code;
    const other = source.below(this.size - 1);
    return other + Number(other >= code);
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return whole(y) < this.size;
  }
}

/** Generalised randomised response. @param {number} size @param {number} level */
export function grr(size, level) {
  const top = odds(level);
  return new Choice(size, (ONE * top) / (top + BigInt(size - 1) * ONE));
}
