/** Histogram: a quantised bit per code, a zero or a one with two-sided noise, clipped at both ends. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { oneStage } from "./law.js";
import { chosen, WHOLE } from "./matrix.js";

const TOP = 15; // the largest quantised bit: two are a byte

/**
 * Summation with histogram encoding: half of the level for each of two quantised bits.
 * @param {number} size
 * @param {number} level
 * @returns {import("./law.js").Law}
 */
export function she(size, level) {
  const [step, half] = [odds(level, 2000 * TOP), odds(level, 2000)];
  const between = Array.from({ length: TOP - 1 }, (_, i) => {
    const value = BigInt(i + 1);
    return (WHOLE * (step - ONE) * ONE ** value) / ((step + ONE) * step ** value);
  });
  const rest = between.reduce((left, weight) => left - weight, WHOLE);
  const first = (rest * half) / (half + ONE);
  const others = [first, ...between, rest - first];
  const own = [...others].reverse();
  const nBytes = (size + 1) >> 1;
  return oneStage("digits", nBytes, { nBits: 4 * size }, (code, source) => {
    const y = new Uint8Array(nBytes);
    for (let i = 0; i < size; i++)
      y[i >> 1] |= chosen(i === code ? own : others, source) << (4 * (i & 1));
    return y;
  });
}
