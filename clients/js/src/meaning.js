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
 * @typedef {"one" | "set" | "bits" | "group" | "digits" | "near" | "words" | "signs" | "number" | "parts" |
 *   "open" | "places"} Form
 *   what a report is: one answer; a set of ``count`` answers; yes or no to each answer by itself; one of
 *   ``count`` groups of answers; a number for each answer by itself, with noise; a number near the true one; a word of bits; high or low for each number
 *   of a bundle; a number; one answer, where two are told apart by the smaller of their parts of the
 *   level; one that is sensitive, or else perhaps the true one; one answer, the more likely the nearer
 * @typedef {{kept: number | null, also: number | null}} Shares ``kept``: how many of 100 people with the
 *   same answer send a report that speaks for it, where that can be said; ``also``: how many of 100
 *   with another answer send a yes to it, where each has its own; or, with one that may be reported openly,
 *   a sensitive one
 * @typedef {"attribute" | "record" | "variant"} Contract "variant": the level does not bound every
 *   pair of answers alike; the form says which bound holds
 * @typedef {Revealed & Shares & {form: Form, count: number | null, sensitive: string[] | null,
 *   contract: Contract, cost: number}} Meaning
 *   ``sensitive``: where some answers may be reported openly, those that are not; ``contract``: which
 *   promise holds for the answer, that of the plan or one of its own; ``cost``: what it is charged
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
  she: "digits",
  pm: "near",
  sw: "near",
  window: "near",
  orr: "group",
  hcms: "group",
  bloom: "words",
  rappor: "words",
  cms: "words",
  orappor: "words",
  idldp: "parts",
  uldp: "open",
  metric: "places",
};

/**
 * What an answer at a level of the menu reveals, and how.
 * @param {import("./plan.js").Plan} plan
 * @param {string} name of an attribute, or of a bundle
 * @param {number} level
 * @param {number} rangeIndex of the range on its menu
 * @returns {Meaning}
 */
export function meaning(plan, name, level, rangeIndex = 0) {
  const { parts, mechanism, menu, ranges, within, law, variant, cost } = plan.question(name);
  if (!menu.includes(level)) refuse("level_off_menu", name, level, menu);
  if (rangeIndex && !ranges[rangeIndex]) refuse("range_off_menu", name, rangeIndex, ranges);
  const { kept, also, nBuckets = null } = law(level, rangeIndex);
  const form = FORMS[mechanism] ?? (parts.length > 1 ? "signs" : "number");
  return {
    ...revealed(plan, [[name, level]]),
    kept: ofHundred(kept),
    also: ofHundred(also),
    form,
    count: form === "set" ? Number(bestCount(BigInt(within(rangeIndex).size), odds(level))) : nBuckets,
    sensitive: form === "open" ? sensitiveOf(plan, name) : null,
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
  return varied.some(({ mechanism }) => FORMS[mechanism] === "open")
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
