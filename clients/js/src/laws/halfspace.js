/** Half space: signs of several numbers, more often those that mostly agree with the true ones. */

import { whole } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { choose, sample } from "./law.js";

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class HalfSpace {
  /** @param {number} numbers at most 40 @param {bigint} keep of ONE: more than half of them agree */
  constructor(numbers, keep) {
    this.numbers = numbers;
    this.keep = keep;
    this.size = 2 ** numbers;
    this.width = (numbers + 7) >> 3;
  }

  /** @param {number} code @param {import("./law.js").Words} source */
  perturb(code, source) {
    const side = sides(this.numbers)[Number(source.coin(this.keep))];
    const patterns = side.map((agree) => choose(this.numbers, agree));
    let place = source.below(total(patterns));
    let i = 0;
    while (place >= patterns[i]) place -= patterns[i++];
    let y = code;
    for (const j of sample(this.numbers, this.numbers - side[i], source)) {
      y += Math.floor(y / 2 ** j) % 2 ? -(2 ** j) : 2 ** j;
    }
    return y;
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return whole(y) < this.size;
  }
}

/** Duchi's mechanism for several numbers. @param {number} size of all patterns: a power of two @param {number} level */
export function signs(size, level) {
  const numbers = Math.log2(size);
  const patterns = sides(numbers)[1].map((agree) => choose(numbers, agree));
  const [near, top] = [BigInt(total(patterns)), odds(level)];
  const held = near * top;
  return new HalfSpace(numbers, (ONE * held) / (held + (BigInt(size) - near) * ONE));
}

/** @param {number[]} items */
const total = (items) => items.reduce((sum, item) => sum + item, 0);

/** In how many places a pattern agrees on the far side, and on the near one. @param {number} numbers */
function sides(numbers) {
  const all = Array.from({ length: numbers + 1 }, (_, agree) => agree);
  const half = Math.floor(numbers / 2) + 1;
  return [all.slice(0, half), all.slice(half)];
}
