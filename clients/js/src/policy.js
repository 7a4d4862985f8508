/**
 * Policies: which levels may be chosen, and how much m shared attributes may spend together.
 *
 * Levels are integer thousandths of epsilon.
 */

import { BudgetError } from "./errors.js";

export const MOST = 20_000; // an epsilon of 20 lets a report say nearly everything

/**
 * @typedef {{average: number, least: number, most: number, step: number}
 *   | {total: number, spread: number, step: number}
 *   | {levels: number[]}} Stated
 */

/** The public rule that every owner's budget keeps. */
export class Policy {
  /** @param {Stated} stated as it stands in the plan */
  constructor(stated) {
    this.stated = stated;
    this.menu = menuOf(stated);
  }

  /** The most that so many shared attributes may spend together; null: no rule. @param {number} shared */
  allowance(shared) {
    const { stated } = this;
    if ("average" in stated) return shared * stated.average;
    return "total" in stated ? stated.total : null;
  }

  /** The least level one of so many may have. @param {number} shared */
  least(shared) {
    const { stated } = this;
    if ("average" in stated) return stated.least;
    return "total" in stated ? share(stated.total, stated.spread, shared) : this.menu[0];
  }

  /** The levels that each of so many attributes may have when they are one answer. @param {number} together */
  menuOf(together) {
    return this.menu.filter((level) => level * together <= MOST);
  }

  /** The largest level all of so many can have; without an allowance, at most the middle one. @param {number} shared */
  even(shared, together = 1) {
    const allowance = this.allowance(shared);
    const middle = this.menu[(this.menu.length - 1) >> 1];
    const top = allowance === null ? middle : Math.floor(allowance / shared);
    const least = this.least(shared);
    const fitting = this.menuOf(together).filter((level) => least <= level && level <= top);
    if (!fitting.length) {
      const rule = "the policy has no level that all shared attributes can have";
      throw new BudgetError(rule, shared);
    }
    return fitting[fitting.length - 1];
  }

  /** Refuse an allocation that breaks the policy. @param {ReadonlyMap<string, number>} levels */
  check(levels) {
    const shared = levels.size;
    const [least, allowance] = [this.least(shared), this.allowance(shared)];
    let total = 0;
    for (const [name, level] of levels) {
      if (!this.menu.includes(level)) offMenu(name, this.menu, level);
      if (level < least) {
        const rule = `each of ${shared} attributes must get ${epsilon(least)} or more`;
        throw new BudgetError(rule, epsilon(level), name);
      }
      total += level;
    }
    if (allowance !== null && total > allowance) {
      const rule = `${shared} shared attributes may spend at most ${epsilon(allowance)} together`;
      throw new BudgetError(rule, epsilon(total));
    }
  }
}

/** A level the way people write epsilon: 3500 is "3.5". @param {number} level */
export const epsilon = (level) => `${level / 1000}`;

/** @param {string} name @param {readonly number[]} menu @param {number} level @returns {never} */
export function offMenu(name, menu, level) {
  const shown = menu.map(epsilon);
  if (shown.length > 6) shown.splice(2, shown.length - 3, "...");
  throw new BudgetError(`level must be on the plan's menu (${shown.join(", ")})`, epsilon(level), name);
}

/** total / (spread * shared), rounded up. @param {number} total @param {number} spread @param {number} shared */
function share(total, spread, shared) {
  const under = BigInt(spread) * BigInt(shared);
  return Number((BigInt(total) * 1000n + under - 1n) / under);
}

/** @param {Stated} stated */
function menuOf(stated) {
  if ("levels" in stated) return stated.levels;
  const low = "average" in stated ? stated.least : stated.step;
  const top = "average" in stated ? stated.most : Math.min(stated.total, MOST);
  const menu = low <= top ? [low] : [];
  for (let v = low - (low % stated.step) + stated.step; v < top; v += stated.step) menu.push(v);
  if (menu[menu.length - 1] !== top) menu.push(top);
  return menu;
}
