/** Two points: one bit, heads the more often the larger the number. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { integers } from "./law.js";

/** Duchi's mechanism. @param {number} size @param {number} level */
export function duchi(size, level) {
  const [top, steps] = [odds(level), BigInt(size - 1)];
  let slope = (ONE * (top - ONE)) / ((top + ONE) * steps);
  slope -= slope % 2n; // so that the two ends are alike
  const base = (ONE - slope * steps) / 2n;
  return integers("number", 2, 1, (code, source) => Number(source.coin(base + slope * BigInt(code))));
}
