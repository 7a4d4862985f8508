/**
 * One owner's budget: a level for each attribute she shares, or for a bundle of them.
 *
 * A budget is made from a plan and preferences, never from a record: levels and the choice of
 * shared attributes must not depend on the values, or they would tell them. The policy sees
 * attributes only: a bundle is its attributes, each with an equal part of its level.
 *
 * @typedef {import("./plan.js").Plan} Plan
 */

import { BudgetError } from "./errors.js";
import { checkPolicy, even, menuOf } from "./policy.js";
import { exact, written } from "./rational.js";

/** @template T @typedef {Map<string, T> | Record<string, T>} ByName an object, or a Map where the order matters */

const RANGE = 1 << 15; // between two ranges in a grade; larger than any level

/** The level of a grade, which is a level and the place of a range as one integer. @param {number} grade */
export const levelOf = (grade) => grade % RANGE;

/** @param {number} grade */
export const placeOf = (grade) => Math.floor(grade / RANGE);

export class Budget {
  /**
   * @param {string} plan the id of the plan it was checked against
   * @param {Map<string, number>} levels thousandths of epsilon by name, in the plan's order
   * @param {Map<string, number>} ranges places on the menu, if not 0
   */
  constructor(plan, levels, ranges = new Map()) {
    this.plan = plan;
    this.levels = levels;
    this.ranges = ranges;
  }

  /**
   * The budget with these epsilons, if the policy allows it. Numbers outside a range are moved to
   * its nearer end; like the epsilons, ranges are chosen without regard to the values.
   * @param {Plan} plan @param {ByName<number>} epsilons
   * @param {ByName<[number, number]>} ranges pairs (low, high) from the plan's menu
   */
  static of(plan, epsilons, ranges = {}) {
    const given = entries(epsilons);
    checkNames(plan, given.map(([name]) => name));
    const levels = checked(plan, given.map(([name, value]) => [name, thousandths(value, name)]));
    const places = new Map();
    for (const [name, ends] of entries(ranges)) {
      if (!levels.has(name)) throw new BudgetError("range_not_shared", name);
      const menu = plan.question(name).ranges.map((pair) => `${pair.map(written)}`);
      const place = menu.indexOf(`${[...ends].map((end) => written(exact(end) ?? [0n, 0n]))}`);
      if (place < 0) throw new BudgetError("range_off_menu", name, ends, menu);
      if (place) places.set(name, place);
    }
    return new Budget(plan.id, levels, places);
  }

  /** The same level for every shared attribute, a bundle getting their sum. @param {Plan} plan @param {Iterable<string>} names default: all, in bundles that do not overlap */
  static even(plan, names = plan.all()) {
    const shared = [...new Set(names)];
    const counts = checkNames(plan, shared);
    const level = even(plan.policy, sum(counts), Math.max(...counts));
    return new Budget(plan.id, checked(plan, shared.map((name, j) => [name, level * counts[j]])));
  }

  /** What is more sensitive gets less: shares in proportion to one over the sensitivity. @param {Plan} plan @param {ByName<number>} sensitivities of a bundle: of each of its attributes */
  static bySensitivity(plan, sensitivities) {
    const given = entries(sensitivities);
    const counts = checkNames(plan, given.map(([name]) => name));
    const levels = apportion(
      plan.policy,
      given.map(([name, value]) => {
        const found = exact(value);
        if (!found || found[0] <= 0n) throw new BudgetError("not_above_zero", name, value);
        return found;
      }),
      counts,
    );
    return new Budget(plan.id, checked(plan, given.map(([name], j) => [name, levels[j] * counts[j]])));
  }

  /** What all attributes together may reveal: the record's privacy loss at most. */
  get total() {
    return sum([...this.levels.values()]);
  }

  /** The level and the range of each name, as one integer. @returns {[string, number][]} */
  get grades() {
    return [...this.levels].map(([name, level]) => [name, level + RANGE * (this.ranges.get(name) ?? 0)]);
  }
}

/** Refuse an allocation that no owner of the plan may choose. @param {Plan} plan @param {Iterable<[string, number]>} levels */
export function check(plan, levels) {
  const given = [...levels];
  checkNames(plan, given.map(([name]) => name));
  const single = new Map();
  for (const [name, level] of given) {
    const { parts } = plan.question(name);
    if (!plan.menu(name).includes(level)) throw new BudgetError("level_off_menu", name, level, plan.menu(name));
    for (const part of parts) single.set(part, level / parts.length);
  }
  checkPolicy(plan.policy, single);
}

/** Epsilon as a positive whole number of thousandths. @param {unknown} value @param {string | null} field */
export function thousandths(value, field = null) {
  const [over, under] = exact(value) ?? [0n, 1n];
  if (over <= 0n || (over * 1000n) % under) throw new BudgetError("not_thousandths", field, value);
  return Number((over * 1000n) / under);
}

/** Refuse names that the plan lacks, one attribute under two names, and too few; else how many attributes each has. @param {Plan} plan @param {string[]} names */
function checkNames(plan, names) {
  const parts = names.flatMap((name) => plan.question(name).parts);
  const twice = parts.find((part, i) => parts.indexOf(part) < i);
  if (twice !== undefined) throw new BudgetError("repeated_attribute", twice);
  const { least, sample } = plan;
  if (parts.length < least) throw new BudgetError("too_few_attributes", null, parts.length, least);
  if (sample && names.length > sample) throw new BudgetError("too_many_answers", null, names.length, sample);
  return names.map((name) => plan.question(name).parts.length);
}

/** @param {Plan} plan @param {[string, number][]} levels */
function checked(plan, levels) {
  check(plan, levels);
  const given = new Map(levels);
  return new Map([...plan.questions.keys()].flatMap((name) => {
    const level = given.get(name);
    return level ? [[name, level]] : [];
  }));
}

/**
 * Everyone gets the least level and a share of the rest, on the menu by largest remainder.
 *
 * Targets are integers over ``whole``. A share of several attributes that are one answer is their
 * common level: a step up is paid for all of them.
 * @param {import("./policy.js").Policy} policy
 * @param {import("./rational.js").Rational[]} sensitivities @param {number[]} counts
 */
function apportion(policy, sensitivities, counts) {
  const [shared, menus] = [sum(counts), counts.map((n) => menuOf(policy, n))];
  const product = sensitivities.reduce((all, [over]) => all * over, 1n);
  const each = sensitivities.map(([over, under]) => (product / over) * under);
  const allowance = policy.allowance(shared);
  const free = allowance === null; // then the least sensitive gets the largest level
  const floor = free ? 0 : Number(policy.menu.find((level) => level >= policy.least(shared)));
  const rest = BigInt(free ? Number(policy.menu.at(-1)) : allowance - shared * floor);
  const whole = each.reduce((all, w, j) => (free ? (w > all ? w : all) : all + w * BigInt(counts[j])), 0n);
  const targets = each.map((w) => BigInt(floor) * whole + rest * w);
  const places = menus.map((menu, j) =>
    Math.max(menu.filter((level) => BigInt(level) * whole <= targets[j]).length - 1, 0),
  );
  if (!free) {
    const remainders = menus.map((menu, j) =>
      places[j] < menu.length - 1 ? targets[j] - BigInt(menu[places[j]]) * whole : 0n,
    );
    let left = allowance - sum(menus.map((menu, j) => counts[j] * menu[places[j]]));
    const order = [...counts.keys()].sort((a, b) => Number(remainders[b] > remainders[a]) - Number(remainders[b] < remainders[a]));
    for (const j of order) {
      const step = counts[j] * (menus[j][places[j] + 1] - menus[j][places[j]]);
      if (remainders[j] && step <= left) [places[j], left] = [places[j] + 1, left - step];
    }
  }
  return menus.map((menu, j) => menu[places[j]]);
}

/** @param {number[]} items */
const sum = (items) => items.reduce((all, item) => all + item, 0);

/** @template T @param {ByName<T>} given @returns {[string, T][]} */
export const entries = (given) => (given instanceof Map ? [...given] : Object.entries(given));
