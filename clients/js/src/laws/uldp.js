/** Utility-optimised local privacy: some values are sensitive, the others may be reported openly. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { up } from "./law.js";
import { completed, matrix, WHOLE } from "./matrix.js";

/**
 * @param {number} size
 * @param {number[]} codes that are sensitive
 * @param {number} level
 * @returns {import("./law.js").Law}
 */
export function uldp(size, codes, level) {
  const other = even(codes.length, level);
  const row = Array.from({ length: size }, (_, y) => (codes.includes(y) ? other : 0n));
  return {
    ...matrix(row.map((_, code) => completed(row, code))),
    sends: "open",
    open: true,
    also: (BigInt(codes.length) * other * ONE) / WHOLE,
  };
}

/**
 * The least weight of another one of so many outputs: its own has e^epsilon times it.
 * @param {number} size
 * @param {number} level
 */
export const even = (size, level, per = 1000) =>
  up(WHOLE * ONE, odds(level, per) + BigInt(size - 1) * ONE);
