/** Unary bits: one bit for each code, the true one's set more often, all drawn independently. */

import { draw } from "../bytes.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { bits, share, up } from "./law.js";

/** @param {number} size @param {bigint} own @param {bigint} other */
export const unary = (size, own, other) => ({
  ...bits("bits", size, own, (code, source) =>
    draw(size, size, (i) => source.coin(i === code ? own : other)),
  ),
  also: other,
});

/** Symmetric unary encoding. @param {number} size @param {number} level */
export function sue(size, level) {
  const keep = share(odds(level, 2000), ONE);
  return unary(size, keep, ONE - keep);
}

/** Optimised unary encoding. @param {number} size @param {number} level */
export const oue = (size, level) => unary(size, ONE / 2n, up(ONE * ONE, odds(level) + ONE));
