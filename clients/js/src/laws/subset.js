/** Subset: a set of ``count`` codes that holds the true one if a coin says so, else lacks it. */

import { setBit } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { fits, ones, sample } from "./law.js";

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class Subset {
  /** @param {number} size @param {number} count @param {bigint} keep of ONE */
  constructor(size, count, keep) {
    this.size = size;
    this.count = count;
    this.keep = keep;
    this.width = (size + 7) >> 3;
  }

  /** @param {number} code @param {import("./law.js").Words} source */
  perturb(code, source) {
    const y = new Uint8Array(this.width);
    const held = source.coin(this.keep);
    const others = sample(this.size - 1, this.count - Number(held), source);
    setBit(y, code, held);
    for (const i of others) setBit(y, i + Number(i >= code), true);
    return y;
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return fits(y, this.size) && ones(y) === this.count;
  }
}

/** Subset selection with the best number of codes. @param {number} size @param {number} level */
export function subset(size, level) {
  const top = odds(level);
  const count = bestCount(BigInt(size), top);
  const held = count * top;
  return new Subset(size, Number(count), (ONE * held) / (held + (BigInt(size) - count) * ONE));
}

/**
 * Minimise (c e + size - c)^2 / (c (size - c)), which falls and then rises.
 * @param {bigint} size @param {bigint} top
 */
function bestCount(size, top) {
  const [floor, last] = [(size * ONE) / (top + ONE), size - 1n];
  const below = floor < 1n ? 1n : floor > last ? last : floor;
  const above = below < last ? below + 1n : last;
  const cost = (/** @type {bigint} */ c) => (c * top + (size - c) * ONE) ** 2n;
  const better = cost(above) * below * (size - below) < cost(below) * above * (size - above);
  return better ? above : below;
}
