/** Hybrid: a window or two points, as a coin decides that does not look at the number. */

import { whole, widthOf } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { duchi } from "./twopoint.js";
import { pm } from "./window.js";

const SMALL = 610; // level up to which the two points alone are better

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class Hybrid {
  /**
   * @param {import("./twopoint.js").TwoPoint} points
   * @param {import("./window.js").Window} window
   * @param {bigint} mix of ONE: the window
   */
  constructor(points, window, mix) {
    this.points = points;
    this.window = window;
    this.mix = mix;
    this.width = widthOf(2 * window.line + 1);
  }

  /** @param {number} code @param {import("./law.js").Words} source */
  perturb(code, source) {
    if (source.coin(this.mix)) return 2 + this.window.perturb(code, source);
    return this.points.perturb(code, source);
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return whole(y) < (this.mix ? 2 + this.window.reach : 2);
  }
}

/** The hybrid mechanism. @param {number} size @param {number} level */
export function hm(size, level) {
  const mix = level > SMALL ? ONE - (ONE * ONE) / odds(level, 2000) : 0n;
  return new Hybrid(duchi(size, level), pm(size, level), mix);
}
