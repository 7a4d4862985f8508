/**
 * One owner's budget: a level for each attribute she shares, or for a bundle of them.
 *
 * A budget is made from a plan and preferences, never from a record: levels and the choice of
 * shared attributes must not depend on the values, or they would reveal them. The policy sees
 * attributes only: a bundle is its attributes, each with an equal part of its level. A view, of which
 * a device draws one, is one answer.
 *
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {{
 *   plan: string,
 *   levels: Map<string, number>,
 *   ranges: Map<string, number>,
 *   total: number,
 *   shared?: string[],
 * }} Budget ``plan``: the id of the one it was checked against; ``levels``: thousandths of epsilon by
 *   name, in the plan's order; ``ranges``: places on the menu, if not 0; ``shared``: the attributes among
 *   which a view is, all of them by default; ``total``: the sum of the
 *   levels, which bounds what all of it may reveal unless a question is a variant
 */

import { refuse } from "./errors.js";
import { sum } from "./laws/law.js";
import { checkPolicy, even, menuOf } from "./policy.js";
import { exact, written } from "./rational.js";

/**
 * @template T
 * @typedef {Map<string, T> | Record<string, T>} ByName an object, or a Map where the order matters
 */

/**
 * The budget with these epsilons, if the policy allows it. Numbers outside a range are moved to its
 * nearer end; like the epsilons, ranges are chosen without regard to the values.
 * @param {Plan} plan @param {ByName<number>} epsilons
 * @param {ByName<[number, number] | number>} ranges pairs (low, high) from the plan's menu; of a set or a map, its length
 */
export function budgetOf(plan, epsilons, ranges = {}) {
  const given = entries(epsilons);
  countsOf(plan, given);
  const budget = checked(
    plan,
    given.map(([name, value]) => [name, thousandths(value, name)]),
  );
  for (const [name, ends] of entries(ranges)) {
    if (!budget.levels.has(name)) refuse("range_not_shared", name);
    const { ranges: menu, within } = plan.question(name);
    const point = (/** @type {any} */ end) => exact(end) ?? within(0).read?.(`${end}`) ?? [0n, 0n];
    const rangeIndex = menu.indexOf(`${[ends].flat().map((end) => written(point(end)))}`);
    if (rangeIndex < 0) refuse("range_off_menu", name, ends, menu);
    if (rangeIndex) budget.ranges.set(name, rangeIndex);
  }
  return budget;
}

/**
 * The same level for every shared attribute, a bundle getting their sum.
 * @param {Plan} plan
 * @param {Iterable<string>} [names] default: all, in bundles as far as they do not overlap
 */
export function evenBudget(plan, names) {
  const left = new Set(names ?? plan.questions.keys());
  for (const { name, parts } of names ? [] : plan.questions.values()) {
    if (parts.length < 2) continue;
    if (parts.every((part) => left.has(part))) parts.forEach((part) => left.delete(part));
    else left.delete(name);
  }
  const shared = [...left];
  const counts = countsOf(
    plan,
    shared.map((name) => [name]),
  );
  const level = even(plan.policy, sum(counts), Math.max(...counts));
  return checked(
    plan,
    shared.map((name, j) => [name, level * counts[j]]),
  );
}

/**
 * What is more sensitive gets less: shares in proportion to one over the sensitivity.
 * @param {Plan} plan
 * @param {ByName<number>} sensitivities of a bundle: of each of its attributes
 */
export function sensitiveBudget(plan, sensitivities) {
  const given = entries(sensitivities);
  const counts = countsOf(plan, given);
  const levels = apportion(
    plan.policy,
    given.map(([name, value]) => positive(value, "not_above_zero", name)),
    counts,
  );
  return checked(
    plan,
    given.map(([name], j) => [name, levels[j] * counts[j]]),
  );
}

/**
 * Refuse an allocation that no owner of the plan may choose.
 * @param {Plan} plan
 * @param {[string, number][]} levels
 */
export function check(plan, levels) {
  countsOf(plan, levels);
  const single = new Map();
  for (const [name, level] of levels) {
    const { counted, menu } = plan.question(name);
    if (!menu.includes(level)) refuse("level_off_menu", name, level, menu);
    for (const part of counted) single.set(part, level / counted.length);
  }
  checkPolicy(plan.policy, single);
}

/**
 * Epsilon as a positive whole number of thousandths.
 * @param {unknown} value
 * @param {string | null} [field]
 */
export function thousandths(value, field) {
  const reason = "not_thousandths";
  const [over, under] = positive(value, reason, field);
  return 1000n % under ? refuse(reason, field, value) : Number((1000n * over) / under);
}

/**
 * A number above zero, exactly.
 * @param {unknown} value
 * @param {string} reason
 * @param {string | null} [field]
 */
function positive(value, reason, field) {
  const found = exact(value);
  return found && found[0] > 0n ? found : refuse(reason, field, value);
}

/**
 * Refuse names that the plan lacks, one attribute under two names, and too few; else how many
 * attributes each has.
 * @param {Plan} plan
 * @param {[string, ...unknown[]][]} named
 */
function countsOf(plan, named) {
  const all = named.flatMap(([name]) => plan.question(name).parts);
  all.forEach((part, i) => all.indexOf(part) < i && refuse("repeated_attribute", part));
  const counts = named.map(([name]) => plan.question(name).counted.length);
  const { least, sample = Infinity } = plan;
  if (sum(counts) < least) refuse("too_few_attributes", null, sum(counts), least);
  if (counts.length > sample) refuse("too_many_answers", null, counts.length, sample);
  return counts;
}

/** @param {Plan} plan @param {[string, number][]} levels @returns {Budget} */
function checked(plan, levels) {
  check(plan, levels);
  const order = [...plan.questions.keys()];
  levels.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
  return {
    plan: plan.id,
    levels: new Map(levels),
    ranges: new Map(),
    total: sum(levels.map(([, level]) => level)),
  };
}

/**
 * Everyone gets the least level and a share of the rest, on the menu by largest remainder.
 *
 * Targets are integers over ``whole``. A share of several attributes that are one answer is their
 * common level: a step up is paid for all of them.
 * @param {import("./policy.js").Policy} policy @param {(readonly [bigint, bigint])[]} sensitivities @param {number[]} counts
 */
function apportion(policy, sensitivities, counts) {
  const shared = sum(counts);
  const product = sensitivities.reduce((all, [over]) => all * over, 1n);
  const each = sensitivities.map(([over, under]) => (product / over) * under);
  const allowance = policy.allowance(shared);
  const free = allowance === Infinity; // then the least sensitive gets the largest level
  const floor = free ? 0 : Number(policy.menu.find((level) => level >= policy.least(shared)));
  const rest = BigInt(free ? Number(policy.menu.at(-1)) : allowance - shared * floor);
  const whole = each.reduce(
    (all, w, j) => (free ? (w > all ? w : all) : all + w * BigInt(counts[j])),
    0n,
  );
  const places = counts.map((count, j) => {
    const menu = menuOf(policy, count);
    const target = BigInt(floor) * whole + rest * each[j];
    const level = menu.filter((level) => BigInt(level) * whole <= target).pop() ?? menu[0];
    const next = menu[menu.indexOf(level) + 1];
    const over = next ? target - BigInt(level) * whole : 0n;
    return { level, next, step: count * (next - level), over };
  });
  let left = free ? 0 : allowance - sum(places.map(({ level }, j) => counts[j] * level));
  for (const place of [...places].sort((a, b) => Number(b.over - a.over))) {
    if (place.over && place.step <= left) [place.level, left] = [place.next, left - place.step];
  }
  return places.map(({ level }) => level);
}

/** @template T @param {ByName<T>} given @returns {[string, T][]} */
export const entries = (given) => (given instanceof Map ? [...given] : Object.entries(given));
