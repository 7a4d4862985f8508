/**
 * What a level means, in numbers that a page can put into words.
 *
 * What protects is rounded up: ``sure`` and ``odds`` never promise more than holds.
 *
 * @typedef {{
 *   sure: number,
 *   odds: number,
 * }} Bound ``sure``: how sure, in per cent, somebody can be after a report who thought two answers
 *   equally likely before; ``odds``: the largest factor by which the odds between two answers change
 * @typedef {"one" | "set" | "bits" | "group" | "near" | "words" | "signs" | "number"} Form
 *   what a report is: one answer; a set of ``count`` answers; yes or no to each answer by itself; one of
 *   ``count`` groups of answers; a number near the true one; a word of bits; high or low for each number
 *   of a bundle; a number
 * @typedef {{kept: number | null, also: number | null}} Shares ``kept``: how many of 100 people with the
 *   same answer send a report that speaks for it, where that can be said; ``also``: how many of 100
 *   with another answer send a yes to it, where each has its own
 * @typedef {Bound & Shares & {form: Form, count: number | null}} Meaning
 */

import { refuse } from "./errors.js";
import { sum, up } from "./laws/law.js";
import { bestCount } from "./laws/subset.js";
import { odds } from "./odds.js";
import { ONE } from "./randomness.js";

const DIGITS = 4; // decimals of a belief, at most: what is above 99.9999 % is called certain
const SLACK = 50n; // a part in 2^50 is more than an integer loses on its way to a number

/** @type {Record<string, Form>} by mechanism; the others report a number */
const FORMS = {
  grr: "one",
  subset: "set",
  sue: "bits",
  oue: "bits",
  the: "bits",
  blh: "group",
  olh: "group",
  shist: "group",
  hrr: "group",
  hadamard: "group",
  pm: "near",
  sw: "near",
  window: "near",
  orr: "group",
  hcms: "group",
  bloom: "words",
  rappor: "words",
  cms: "words",
  orappor: "words",
};

/**
 * What an answer at a level of the menu reveals, and how.
 * @param {import("./plan.js").Plan} plan
 * @param {string} name of an attribute, or of a bundle
 * @param {number} level
 * @param {number} place of the range on its menu
 * @returns {Meaning}
 */
export function meaning(plan, name, level, place = 0) {
  const [{ parts, mechanism, ranges, at, law }, menu] = [plan.question(name), plan.menu(name)];
  if (!menu.includes(level)) refuse("level_off_menu", name, level, menu);
  if (place && !ranges[place]) refuse("range_off_menu", name, place, ranges);
  const { kept, also, cells = null } = law(level, place);
  const form = FORMS[mechanism] ?? (parts.length > 1 ? "signs" : "number");
  return {
    ...together([level]),
    kept: ofHundred(kept),
    also: ofHundred(also),
    form,
    count: form === "set" ? Number(bestCount(BigInt(at(place).size), odds(level))) : cells,
  };
}

/** @param {bigint | undefined} heads */
const ofHundred = (heads) => (heads === undefined ? null : Number((100n * heads + ONE / 2n) / ONE));

/**
 * What answers at these levels reveal together, at most.
 * @param {number[]} levels
 * @returns {Bound}
 */
export function together(levels) {
  const floor = odds(sum(levels));
  const top = floor === ONE ? ONE : floor + (floor >> SLACK) + 1n;
  return { sure: sureOf(top), odds: Number(up(100n * top, ONE)) / 100 };
}

/** With one decimal, or as many as it takes to differ from certainty. @param {bigint} top */
function sureOf(top) {
  for (let unit = 10n; unit <= 10n ** BigInt(DIGITS); unit *= 10n) {
    const belief = up(100n * unit * top, top + ONE);
    if (belief < 100n * unit) return Number(belief) / Number(unit);
  }
  return 100;
}
