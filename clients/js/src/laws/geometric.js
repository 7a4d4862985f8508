/** Geometric: the code moved by a two-sided geometric number of steps, the ends carrying the tails. */

import { whole } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { up, width } from "./law.js";

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class Geometric {
  /** @param {number} size @param {bigint} step of ONE: how much less likely a step further is */
  constructor(size, step) {
    this.size = size;
    this.step = step;
    this.width = width(size);
  }

  /**
   * A sign and a distance, again if it is minus zero. There are as many coins for every distance,
   * so the time that it takes does not tell it.
   * @param {number} code @param {import("./law.js").Words} source
   */
  perturb(code, source) {
    for (;;) {
      const sign = source.coin(ONE / 2n);
      let [distance, going] = [0, 1];
      for (let i = 0; i < this.size; i++) {
        going &= Number(source.coin(this.step));
        distance += going;
      }
      if (sign || distance) {
        return Math.min(Math.max(code + (sign ? distance : -distance), 0), this.size - 1);
      }
    }
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return whole(y) < this.size;
  }
}

/** The Laplace mechanism on the grid. @param {number} size @param {number} level */
export function laplace(size, level) {
  return new Geometric(size, up(ONE * ONE, odds(level, 1000 * (size - 1))));
}
