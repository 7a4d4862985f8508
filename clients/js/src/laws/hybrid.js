/** Hybrid: a window or two points, as a coin decides that does not look at the number. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { integers } from "./law.js";
import { duchi } from "./twopoint.js";
import { lineOf, pm } from "./window.js";

const SMALL = 610; // level up to which the two points alone are better

/** The hybrid mechanism. @param {number} size @param {number} level */
export function hm(size, level) {
  const mix = level > SMALL ? ONE - (ONE * ONE) / odds(level, 2000) : 0n;
  const [points, window] = [duchi(size, level), pm(size, level)];
  const nOutputs = mix ? 2 + Number(window.form.nOutputs) : 2;
  return integers("number", nOutputs, 2 * lineOf(size) + 1, (code, source) =>
    source.coin(mix) ? 2 + Number(window.respond(code, source, 0)) : points.respond(code, source, 0),
  );
}
