/** Subset: a set of ``count`` codes that holds the true one if a coin says so, else lacks it. */

import { draw } from "../bytes.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { bits, sample, share } from "./law.js";

/** Subset selection with the best number of codes. @param {number} size @param {number} level */
export function subset(size, level) {
  const [n, top] = [BigInt(size), odds(level)];
  const count = bestCount(n, top);
  const keep = share(count * top, (n - count) * ONE);
  return bits(
    "set",
    size,
    keep,
    (code, source) => {
      const held = source.coin(keep);
      const others = sample(size - 1, Number(count) - Number(held), source);
      return draw(size, size, (i) => (i === code ? held : others.has(i - Number(i > code))));
    },
    Number(count),
  );
}

/**
 * How many codes a set holds: minimise (c e + size - c)^2 / (c (size - c)), which falls and then rises.
 * @param {bigint} size
 * @param {bigint} top
 */
function bestCount(size, top) {
  const [floor, last] = [(size * ONE) / (top + ONE), size - 1n];
  const below = floor < 1n ? 1n : floor > last ? last : floor;
  const above = below < last ? below + 1n : last;
  const [one, other] = [below, above].map((c) => (c * top + (size - c) * ONE) ** 2n);
  return other * below * (size - below) < one * above * (size - above) ? above : below;
}
