/** Staged: an answer is kept by one law, and sent through another one in every round. */

import { bit, draw, little, whole } from "../bytes.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { choice, grr } from "./choice.js";
import { oue } from "./unary.js";

/**
 * @typedef {import("./law.js").Law} Law
 * @typedef {(size: number, level: number, stated: {first: number}) => Law} Staged ``first``: what the first
 *   report alone may spend, in thousandths of the level
 */

/** @type {Staged} direct answers about direct answers that are kept */
export function lgrr(size, level, stated) {
  const kept = grr(size, level);
  const keep = /** @type {bigint} */ (kept.kept);
  const others = BigInt(size - 1);
  const again = secondKeep(others, keep, firstOf(level, stated));
  const { respond } = choice(size, again);
  return {
    ...kept,
    kept: (keep * again + ((ONE - keep) * (ONE - again)) / others) / ONE,
    send: (response, source) => little(/** @type {number} */ (respond(whole(response), source, 0)), response.length),
  };
}

/** @type {Staged} bits of optimised unary encoding, kept and sent by symmetric coins */
export function losue(size, level, stated) {
  const kept = oue(size, level);
  const first = firstOf(level, stated);
  const again = (ONE * (first * ONE - kept.also * (first + ONE))) / ((first + ONE) * (ONE - 2n * kept.also));
  return {
    ...kept,
    also: (kept.also * again + (ONE - kept.also) * (ONE - again)) / ONE,
    send: (response, source) =>
      draw(8 * response.length, size, (i) => source.coin(again) === !!bit(response, i)),
  };
}

/** e to the level of the first report, over ONE. @param {number} level @param {{first: number}} stated */
const firstOf = (level, { first }) => odds(level * first, 1_000_000);

/**
 * How often a kept code is sent as it is, so that one report has the first level.
 * @param {bigint} others codes
 * @param {bigint} keep
 * @param {bigint} first
 */
function secondKeep(others, keep, first) {
  const whole = first + others * ONE;
  const lost = ONE - keep;
  return (ONE * (first * ONE * others - lost * whole)) / (whole * (keep * others - lost));
}
