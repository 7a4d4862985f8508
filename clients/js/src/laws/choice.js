/** Coin and uniform: keep the code if a coin says so, else report a uniform other one. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { integers, share } from "./law.js";

/** @param {number} size @param {bigint} keep */
export const choice = (size, keep) =>
  integers(
    "one",
    size,
    size - 1,
    (code, source) => {
      if (source.coin(keep)) return code;
      const other = source.below(size - 1);
      return other + Number(other >= code);
    },
    keep,
  );

/** Generalised randomised response. @param {number} size @param {number} level */
export const grr = (size, level) => choice(size, share(odds(level), BigInt(size - 1) * ONE));
