/**
 * Policies: which levels may be chosen, and how much m shared attributes may spend together.
 *
 * Levels are integer thousandths of epsilon.
 *
 * @typedef {{
 *   average?: number, least?: number, most?: number,
 *   total?: number, spread?: number,
 *   step?: number, levels?: number[],
 * }} Stated as it stands in the plan: average, total or levels
 * @typedef {{
 *   menu: number[],
 *   allowance: (shared: number) => number,
 *   least: (shared: number) => number,
 * }} Policy ``allowance``: the most that so many may spend together, Infinity for no rule;
 *   ``least``: the least level one of so many may have
 */

import { refuse } from "./errors.js";

export const MOST = 20_000; // an epsilon of 20 lets a report say nearly everything

/** @param {Stated} stated @returns {Policy} */
export function policyOf({
  average,
  least,
  most = MOST,
  total = Infinity,
  spread,
  step = 1,
  levels,
}) {
  const top = Math.min(total, most);
  const menu = levels ?? [Math.min(least ?? step, top)];
  for (let last = menu[0]; !levels && last < top; menu.push(last))
    last = Math.min(last - (last % step) + step, top);
  return {
    menu,
    allowance: (shared) => (average ? shared * average : total),
    least: (shared) => (spread ? Math.ceil((total * 1000) / (spread * shared)) : menu[0]),
  };
}

/**
 * The levels that each of so many attributes may have when they are one answer.
 * @param {Policy} policy
 * @param {number} together
 */
export const menuOf = ({ menu }, together) => menu.filter((level) => level * together <= MOST);

/**
 * The largest level all of so many can have; without an allowance, at most the middle one.
 * @param {Policy} policy
 * @param {number} shared
 * @param {number} together how many of them, at most, are one answer
 */
export function even(policy, shared, together) {
  const { menu, allowance, least } = policy;
  const most = allowance(shared);
  const top = most < Infinity ? most / shared : menu[(menu.length - 1) >> 1];
  return (
    menuOf(policy, together)
      .filter((level) => least(shared) <= level && level <= top)
      .pop() ?? refuse("no_even_level", null, shared)
  );
}

/**
 * Refuse an allocation that breaks the policy.
 * @param {Policy} policy
 * @param {Map<string, number>} levels by attribute
 */
export function checkPolicy({ least, allowance }, levels) {
  const [bound, most] = [least(levels.size), allowance(levels.size)];
  let total = 0;
  for (const [name, level] of levels) {
    if (level < bound) refuse("below_least", name, level, bound);
    total += level;
  }
  if (total > most) refuse("over_budget", null, total, most);
}
