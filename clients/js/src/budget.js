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
import { offMenu } from "./policy.js";
import { exact } from "./rational.js";

/**
 * What is given by name: an object, or a Map where the order matters.
 * @template T
 * @typedef {ReadonlyMap<string, T> | Readonly<Record<string, T>>} ByName
 */

const RANGE = 1 << 15; // between two ranges in a grade; larger than any level

/** The level and the place of the range as one integer. @param {number} level @param {number} place */
export const gradeOf = (level, place) => place * RANGE + level;

/** @param {number} grade */
export const levelOf = (grade) => grade % RANGE;

/** @param {number} grade */
export const placeOf = (grade) => Math.floor(grade / RANGE);

export class Budget {
  /**
   * @param {string} plan the id of the plan it was checked against
   * @param {ReadonlyMap<string, number>} levels thousandths of epsilon by name, in the plan's order
   * @param {ReadonlyMap<string, number>} ranges places on the menu, if not 0
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
   * @param {ByName<readonly [number, number]>} ranges pairs (low, high) from the plan's menu
   */
  static of(plan, epsilons, ranges = {}) {
    const given = entries(epsilons);
    checkNames(plan, given.map(([name]) => name));
    const levels = checked(plan, new Map(given.map(([name, value]) => [name, thousandths(value, name)])));
    const places = new Map();
    for (const [name, ends] of entries(ranges)) {
      if (!levels.has(name)) throw new BudgetError("a range must be that of a shared attribute", name);
      places.set(name, plan.place(name, ends));
    }
    const chosen = [...levels.keys()].filter((name) => places.get(name));
    return new Budget(plan.id, levels, new Map(chosen.map((name) => [name, places.get(name)])));
  }

  /**
   * The same level for every shared attribute, a bundle getting their sum.
   * @param {Plan} plan @param {Iterable<string>} [names] default: all, in bundles that do not overlap
   */
  static even(plan, names) {
    const shared = [...new Set(names ?? plan.bundled())];
    checkNames(plan, shared);
    const counts = shared.map((name) => plan.parts(name).length);
    const level = plan.policy.even(count(plan, shared), Math.max(...counts));
    return new Budget(plan.id, checked(plan, new Map(shared.map((name, i) => [name, level * counts[i]]))));
  }

  /**
   * What is more sensitive gets less: shares in proportion to one over the sensitivity.
   * @param {Plan} plan @param {ByName<number>} sensitivities of a bundle: of each of its attributes
   */
  static bySensitivity(plan, sensitivities) {
    const given = entries(sensitivities);
    const names = given.map(([name]) => name);
    checkNames(plan, names);
    const counts = names.map((name) => plan.parts(name).length);
    const levels = apportion(plan.policy, given.map(([name, value]) => sensitivity(name, value)), counts);
    return new Budget(plan.id, checked(plan, new Map(names.map((name, i) => [name, levels[i] * counts[i]]))));
  }

  /** What all attributes together may reveal: the record's privacy loss at most. */
  get total() {
    return [...this.levels.values()].reduce((sum, level) => sum + level, 0);
  }

  /** The level and the range of each name, as one integer. @returns {[string, number][]} */
  get grades() {
    return [...this.levels].map(([name, level]) => [name, gradeOf(level, this.ranges.get(name) ?? 0)]);
  }
}

/** Refuse an allocation that no owner of the plan may choose. @param {Plan} plan @param {ReadonlyMap<string, number>} levels */
export function check(plan, levels) {
  checkNames(plan, [...levels.keys()]);
  const single = new Map();
  for (const [name, level] of levels) {
    if (!plan.menu(name).includes(level)) offMenu(name, plan.menu(name), level);
    const parts = plan.parts(name);
    for (const part of parts) single.set(part, level / parts.length);
  }
  plan.policy.check(single);
}

/** Epsilon as a positive whole number of thousandths. @param {unknown} value @param {string | null} [field] */
export function thousandths(value, field = null) {
  const found = exact(value);
  const fail = (/** @type {string} */ rule) => {
    throw Object.assign(new BudgetError(rule, value), { field });
  };
  if (!found) return fail("epsilon must be a number");
  const [over, under] = [found[0] * 1000n, found[1]];
  if (over <= 0n) return fail("epsilon must be above zero (leave the attribute out instead)");
  if (over % under) return fail("epsilon must be a whole number of thousandths");
  return Number(over / under);
}

/** Refuse names that the plan lacks, one attribute under two names, and too few. @param {Plan} plan @param {string[]} names */
function checkNames(plan, names) {
  const seen = new Set();
  for (const part of names.flatMap((name) => plan.parts(name))) {
    if (seen.has(part)) {
      const both = names.filter((name) => plan.parts(name).includes(part)).join(" and ");
      throw new BudgetError("must be reported alone or in one bundle", both, part);
    }
    seen.add(part);
  }
  if (seen.size < plan.shareLeast) {
    throw new BudgetError(`at least ${plan.shareLeast} attributes must be shared`, seen.size);
  }
  if (plan.sample !== null && names.length > plan.sample) {
    throw new BudgetError(`at most ${plan.sample} are reported under this plan`, names.length);
  }
}

/** How many attributes the names stand for. @param {Plan} plan @param {string[]} names */
const count = (plan, names) => names.reduce((sum, name) => sum + plan.parts(name).length, 0);

/** @param {Plan} plan @param {ReadonlyMap<string, number>} levels @returns {ReadonlyMap<string, number>} */
function checked(plan, levels) {
  check(plan, levels);
  return new Map([...levels].sort(([a], [b]) => plan.names.indexOf(a) - plan.names.indexOf(b)));
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
  const shared = counts.reduce((sum, n) => sum + n, 0);
  const menus = counts.map((n) => policy.menuOf(n));
  const product = sensitivities.reduce((all, [over]) => all * over, 1n);
  const each = sensitivities.map(([over, under]) => (product / over) * under);
  const allowance = policy.allowance(shared);
  if (allowance === null) {
    const whole = each.reduce((most, w) => (w > most ? w : most));
    const last = BigInt(policy.menu[policy.menu.length - 1]);
    return menus.map((menu, j) => menu[Math.max(reached(menu, last * each[j], whole), 0)]);
  }
  const floor = policy.menu.find((level) => level >= policy.least(shared)) ?? 0;
  const rest = BigInt(allowance - shared * floor);
  const whole = each.reduce((sum, w, j) => sum + w * BigInt(counts[j]), 0n);
  const targets = menus.map((menu, j) => {
    const target = BigInt(floor) * whole + rest * each[j];
    const last = BigInt(menu[menu.length - 1]) * whole;
    return target < last ? target : last;
  });
  const places = menus.map((menu, j) => reached(menu, targets[j], whole));
  const remainders = targets.map((target, j) => target - BigInt(menus[j][places[j]]) * whole);
  let left = allowance - menus.reduce((sum, menu, j) => sum + counts[j] * menu[places[j]], 0);
  const order = remainders.map((_, j) => j);
  order.sort((a, b) => (remainders[a] > remainders[b] ? -1 : remainders[a] < remainders[b] ? 1 : 0));
  for (const j of order) {
    const [menu, i] = [menus[j], places[j]];
    const step = counts[j] * (menu[Math.min(i + 1, menu.length - 1)] - menu[i]);
    if (remainders[j] > 0n && step <= left) [places[j], left] = [i + 1, left - step];
  }
  return menus.map((menu, j) => menu[places[j]]);
}

/** The place of the last level at or below a target over ``whole``. @param {number[]} menu @param {bigint} target @param {bigint} whole */
const reached = (menu, target, whole) => menu.filter((level) => BigInt(level) * whole <= target).length - 1;

/** @param {string} name @param {unknown} value */
function sensitivity(name, value) {
  const found = exact(value);
  if (!found) throw new BudgetError("sensitivity must be a number", value, name);
  if (found[0] <= 0n) throw new BudgetError("sensitivity must be above zero", value, name);
  return found;
}

/** @template T @param {ByName<T>} given @returns {[string, T][]} */
function entries(given) {
  return given instanceof Map ? [...given] : Object.entries(given);
}

