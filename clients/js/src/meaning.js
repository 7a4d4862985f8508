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
 * @typedef {Bound & {closed: Bound | null}} Revealed ``closed``: where some answers may be reported openly, of
 *   which somebody is then sure, what all other reports reveal
 * @typedef {{kept: number | null, also: number | null}} Shares ``kept``: how many of 100 people with the
 *   same answer send a report that speaks for it, where that can be said; ``also``: how many of 100
 *   with another answer send a yes to it, where each has its own; or, with one that may be reported openly,
 *   a sensitive one
 * @typedef {"attribute" | "record" | "variant"} Contract "variant": the level does not bound every
 *   pair of answers alike; the form says which bound holds
 * @typedef {Revealed & Shares & {form: import("./laws/law.js").Sends, count: number | null,
 *   sensitive: string[] | null, contract: Contract, cost: number}} Meaning
 *   ``form``: what a report is; ``count``: how many answers a set has, or how many groups there are;
 *   ``sensitive``: where some answers may be reported openly, those that are not; ``contract``: which
 *   promise holds for the answer, that of the plan or one of its own; ``cost``: what it is charged
 */

import { refuse } from "./errors.js";
import { sum, up } from "./laws/law.js";
import { odds } from "./odds.js";
import { ONE } from "./randomness.js";

const DIGITS = 4; // decimals of a belief, at most: what is above 99.9999 % is called certain
const SLACK = 50n; // a part in 2^50 is more than an integer loses on its way to a number

/**
 * What an answer at a level of the menu reveals, and how.
 * @param {import("./plan.js").Plan} plan
 * @param {string} name of an attribute, or of a bundle
 * @param {number} level
 * @param {number} rangeIndex of the range on its menu
 * @returns {Meaning}
 */
export function meaning(plan, name, level, rangeIndex = 0) {
  const { menu, ranges, law, variant, cost } = plan.question(name);
  if (!menu.includes(level)) refuse("level_off_menu", name, level, menu);
  if (rangeIndex && !ranges[rangeIndex]) refuse("range_off_menu", name, rangeIndex, ranges);
  const { kept, also, sends, open, nBuckets = null, form } = law(level, rangeIndex);
  return {
    ...revealed(plan, [[name, level]]),
    kept: ofHundred(kept),
    also: ofHundred(also),
    form: sends,
    count: form.ones ?? nBuckets,
    sensitive: open ? sensitiveOf(plan, name) : null,
    contract: variant ? "variant" : plan.document.contract,
    cost: cost(level),
  };
}

/** @param {import("./plan.js").Plan} plan @param {string} name @returns {string[]} */
const sensitiveOf = ({ document }, name) =>
  document.attributes.find((/** @type {any} */ stated) => stated.name === name).mechanism.uldp
    .sensitive;

/** @param {bigint | undefined} heads */
const ofHundred = (heads) => (heads === undefined ? null : Number((100n * heads + ONE / 2n) / ONE));

/**
 * What answers at levels of these names reveal together, at most.
 * @param {import("./plan.js").Plan} plan
 * @param {Iterable<[string, number]>} levels
 * @returns {Revealed}
 */
export function revealed(plan, levels) {
  const asked = [...levels].map(([name, level]) => ({ ...plan.question(name), level }));
  const [plain, varied] = [false, true].map((is) => asked.filter(({ variant }) => variant === is));
  const top = varied.reduce(
    (all, { law, level }) => up(all * (law(level).ratio?.() ?? ONE), ONE),
    odds(sum(plain.map(({ level }) => level))),
  );
  const bound = boundOf(top);
  return varied.some(({ law, level }) => law(level).open)
    ? { sure: 100, odds: Infinity, closed: bound }
    : { ...bound, closed: null };
}

/**
 * The same for answers that are protected alike, of which the levels say all.
 * @param {number[]} levels
 */
export const together = (levels) => boundOf(odds(sum(levels)));

/** @param {bigint} floor over ONE @returns {Bound} */
function boundOf(floor) {
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
