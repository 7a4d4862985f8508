/**
 * What a plan asks: attributes, and bundles of them that may be reported as one value.
 *
 * @typedef {import("./laws/law.js").Law} Law
 * @typedef {import("./laws/registry.js").Further} Further
 * @typedef {import("./policy.js").Policy} Policy
 * @typedef {{
 *   name: string,
 *   parts: string[],
 *   counted: string[],
 *   mechanism: string,
 *   menu: number[],
 *   ranges: string[],
 *   cohorts: number,
 *   apart?: boolean,
 *   gridded: boolean,
 *   variant: boolean,
 *   assigned?: boolean,
 *   intervals?: boolean,
 *   conditions: import("./applies.js").Condition[],
 *   nBytes: () => number,
 *   within: (rangeIndex: number) => import("./schema.js").Attribute,
 *   law: (level: number, rangeIndex?: number) => Law,
 *   cost: (level: number) => number,
 * }} Question ``parts``: the attributes it stands for; ``counted``: what the policy
 *   counts, each with an equal part of the level; ``menu``: the levels it may have; ``ranges``: those
 *   an owner may choose from, the whole one first, or lengths; ``gridded``: a number without bins; ``apart``: its cohort is
 *   drawn for it alone; ``variant``: not all values are protected alike; ``assigned``: the hash function comes with the credential; ``intervals``: reports are about
 *   intervals of values; ``conditions``: to whom it
 *   applies; ``nBytes``: of a
 *   report, at every level; ``within``: how it is answered in a range; ``cost``: what an answer at a level
 *   is charged, in thousandths: the level, or of a variant what its law's largest ratio amounts to
 */

import { applicable, conditional } from "./applies.js";
import { need } from "./errors.js";
import { differ, isMapping } from "./fits.js";
import { KINDS, MOST_CODES } from "./kinds.js";
import { signs } from "./laws/halfspace.js";
import { LABELS, NUMBERS } from "./laws/registry.js";
import { table } from "./laws/table.js";
import { menuOf } from "./policy.js";
import { scaled, written } from "./rational.js";
import { bundle, coarse } from "./schema.js";

const MOST_CELLS = 1 << 20; // of bundled numbers
const MOST_SIGNS = 2 ** 40; // of bundles with duchi

/**
 * @param {any} stated
 * @param {any[]} above what is stated of the attributes above
 * @param {boolean} secret
 * @param {Policy} policy
 * @param {any} tables of optimal mechanisms, by level
 * @param {Partial<Further>} further laws, where the plan needs them
 * @returns {Question}
 */
export function question(stated, above, secret, policy, tables, further) {
  const { kind, name, mechanism, ranges, applies, length = [] } = stated;
  const { MORE = {}, SETS = {}, statedBy } = /** @type {Further} */ (further);
  const plain = KINDS[kind].within(stated, further);
  const alone = conditional(plain(0));
  const within = applies ? () => alone : plain;
  const { size, gridded } = within(0);
  const [coded] = isMapping(mechanism) ? Object.keys(mechanism) : [];
  const more = coded ? statedBy(coded, stated, size) : undefined;
  const made = more
    ? (/** @type {number} */ _, /** @type {number} */ level, length = 1) => more.law(level, length)
    : (LABELS[mechanism] ?? MORE[mechanism] ?? SETS[mechanism]);
  need(
    (!coded || more) &&
      (made ? !ranges : gridded) &&
      !(more?.intervals && (applies || stated.bins)) &&
      (!secret || (!gridded && mechanism === "oue")),
    "attributes",
    name,
  );
  need(!applies || (!gridded && !more?.variant && size <= MOST_CODES && applicable(stated, above)), "attributes", name);
  return asked(
    policy,
    [name],
    coded ?? mechanism,
    within,
    made ?? NUMBERS[mechanism] ?? ((points, level) => table(points, tables[level])),
    gridded,
    length.length > 1 ? length.map(String) : ranges && [stated.range, ...ranges].map(pairOf),
    { ...more, conditions: applies ?? [] },
  );

  /** @param {number[]} pair */
  function pairOf(pair) {
    return `${pair.map((end) => written(scaled(BigInt(end), stated.exponent ?? 0)))}`;
  }
}

/** Whether a bundle is about where two numbers lie. @param {any} stated */
export const isPlane = ({ bins, mechanism }) => bins || isMapping(mechanism);

/**
 * Where views are drawn (``weights``) one is a single answer, at the levels of its size.
 * @param {any} stated @param {Question[]} questions @param {Policy} policy
 * @param {{weights?: object, sizes?: Record<string, number>}} share
 * @param {Partial<Further>} further laws, where the plan needs them
 * @returns {Question}
 */
export function bundled(stated, questions, policy, { weights, sizes = {} }, further) {
  const cells = Array.isArray(stated);
  const { attributes, levels, mechanism } = cells
    ? { attributes: stated, levels: 2, mechanism: "subset" }
    : stated;
  const parts = attributes.map((/** @type {string} */ name) =>
    questions.find((q) => q.name === name),
  );
  need(
    parts.length > 1 &&
      differ(parts) &&
      parts.every((/** @type {Question | undefined} */ q) => q?.within(0)[cells ? "listed" : "gridded"]),
    "bundles",
    attributes,
  );
  const plane = isPlane(stated);
  const alone = (/** @type {Question} */ q) =>
    q.variant || (!cells && ((!plane && q.intervals) || q.within(0).settled));
  need(!parts.some(alone), "attributes", attributes);
  const own = parts.map((/** @type {Question} */ q) => q.within(0));
  const found = plane ? /** @type {Further} */ (further).planeOf(stated, own) : block();
  need(found, "bundles", attributes);
  const { attribute, name, make } = /** @type {Exclude<typeof found, false | undefined>} */ (found);
  const whole = asked(policy, attributes, name, () => attribute, make);
  if (!weights) return whole;
  const least = sizes[parts.length] ?? 0;
  const end = Object.values(sizes).find((level) => least && level > least) ?? Infinity;
  const menu = policy.menu.filter((level) => least <= level && level < end);
  return { ...whole, counted: [whole.name], menu, nBytes: () => whole.law(menu[0]).nBytes };

  function block() {
    const attribute = bundle(cells ? own : own.map((/** @type {any} */ number) => coarse(number, levels)));
    const make = /** @type {typeof signs} */ (mechanism === "duchi" ? signs : LABELS[mechanism]);
    const most = cells ? MOST_CODES : make === signs ? MOST_SIGNS : MOST_CELLS;
    return attribute.size <= most && (make !== signs || levels < 3) && { attribute, name: mechanism, make };
  }
}

/**
 * Laws are worked out once.
 * @param {Policy} policy
 * @param {string[]} parts @param {string} mechanism @param {Question["within"]} within
 * @param {(size: number, level: number, length?: number) => Law} make
 * @param {boolean} gridded @param {string[]} ranges
 * @param {Partial<import("./laws/stated.js").Stated & {conditions: import("./applies.js").Condition[]}>} more
 * @returns {Question}
 */
function asked(policy, parts, mechanism, within, make, gridded = false, ranges = [], more = {}) {
  /** @type {Record<string, Law>} */
  const known = {};
  const law = (/** @type {number} */ level, rangeIndex = 0) => {
    const { size, length } = within(rangeIndex);
    return (known[`${[level, rangeIndex]}`] ??= make(size, level, length));
  };
  const menu = menuOf(policy, parts.length).map((level) => level * parts.length);
  return {
    cohorts: 1,
    variant: false,
    conditions: [],
    ...more,
    name: parts.join("+"),
    parts,
    counted: parts,
    mechanism,
    menu,
    ranges,
    gridded,
    nBytes: () => Math.max(law(menu[0]).nBytes, ...ranges.map((_, i) => law(menu[0], i).nBytes)),
    within,
    law,
    cost: (level) => (more.variant && law(level).cost?.()) || level,
  };
}
