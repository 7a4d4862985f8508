/**
 * Geometric: the code moved by a two-sided geometric number of steps, the ends carrying the tails.
 */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { integers, up } from "./law.js";

/**
 * The Laplace mechanism on the grid: a sign and a distance, again if it is minus zero. There are as
 * many coins for every distance, so the time that it takes does not reveal it.
 * @param {number} size @param {number} level
 */
export function laplace(size, level) {
  const step = up(ONE * ONE, odds(level, 1000 * (size - 1)));
  return integers("number", size, size - 1, (code, source) => {
    for (;;) {
      const sign = source.coin(ONE / 2n);
      let [distance, going] = [0, 1];
      for (let i = 0; i < size; i++) distance += going &= Number(source.coin(step));
      if (sign) return Math.min(code + distance, size - 1);
      if (distance) return Math.max(code - distance, 0);
    }
  });
}
