/** Half space: signs of several numbers, more often those that mostly agree with the true ones. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { choose, integers, sample, share, sum } from "./law.js";

/**
 * Duchi's mechanism for several numbers.
 * @param {number} size of all patterns: a power of two
 * @param {number} level
 */
export function signs(size, level) {
  const numbers = Math.log2(size);
  const half = Math.floor(numbers / 2) + 1; // on the near side, at least so many agree
  const patterns = Array.from({ length: numbers + 1 }, (_, agree) => choose(numbers, agree));
  const near = sum(patterns.slice(half));
  const keep = share(BigInt(near) * odds(level), BigInt(size - near) * ONE);
  return integers("signs", size, size - 1, (code, source) => {
    const held = source.coin(keep);
    let [agree, place] = [held ? half : 0, source.below(held ? near : size - near)];
    while (place >= patterns[agree]) place -= patterns[agree++];
    let y = code;
    for (const i of sample(numbers, numbers - agree, source)) {
      y += Math.floor(y / 2 ** i) % 2 ? -(2 ** i) : 2 ** i;
    }
    return y;
  });
}
