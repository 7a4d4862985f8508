/**
 * Levels for all questions at once, chosen by one press; before any answer, as all levels are.
 *
 * @typedef {import("./session.js").Plan} Plan
 * @typedef {Map<string, number>} Levels by name, in thousandths
 */

import { DiscretionError, evenBudget } from "../device/index.js";
import { BALANCED, strengthOf } from "./words.js";

export const MIDDLE = 1000; // thousandths: what a balanced level is near to

/**
 * A balanced level for each, where the survey takes that of all of them.
 * @param {Plan} plan
 * @param {string[]} names
 * @returns {Levels | null}
 */
export function balanced(plan, names) {
  const shared = apart(plan, names);
  const asked = shared.map((name) => plan.question(name));
  const count = asked.reduce((all, { parts }) => all + parts.length, 0);
  const levels = asked.map(({ parts, menu, cost }) =>
    menu
      .filter((level) => level >= parts.length * plan.policy.least(count))
      .filter((level) => strengthOf(cost(level)) === BALANCED)
      .reduce((best, level) => (farther(best, level) ? level : best), Infinity),
  );
  const sum = levels.reduce((all, level) => all + level, 0);
  const fits = sum < Infinity && sum <= plan.policy.allowance(count) && count >= plan.least;
  return fits ? new Map(shared.map((name, i) => [name, levels[i]])) : null;
}

/** Whether a level is farther from the middle than another. @param {number} level @param {number} other */
const farther = (level, other) =>
  Math.abs(Math.log(level / MIDDLE)) > Math.abs(Math.log(other / MIDDLE));

/**
 * The same level for each attribute, as high as the survey allows or else in the middle.
 * @param {Plan} plan
 * @param {string[]} names
 * @returns {Levels | null}
 */
export function even(plan, names) {
  try {
    return evenBudget(plan, apart(plan, names)).levels;
  } catch (error) {
    if (error instanceof DiscretionError) return null;
    throw error;
  }
}

/**
 * Levels lowered in proportion until their sum is at most this.
 * @param {Plan} plan
 * @param {Levels} levels
 * @param {number} most
 * @returns {Levels | null}
 */
export function lowered(plan, levels, most) {
  const asked = [...levels].map(([name, level]) => ({ ...plan.question(name), level }));
  const [sum, count] = asked.reduce(
    ([sum, count], { level, parts }) => [sum + level, count + parts.length],
    [0, 0],
  );
  const found = asked.map(({ name, parts, menu, level }) => {
    const enough = menu.filter((each) => each >= parts.length * plan.policy.least(count));
    const below = enough.filter((each) => each <= (level * most) / sum);
    return /** @type {[string, number]} */ ([name, below.at(-1) ?? enough[0]]);
  });
  return found.reduce((all, [, level]) => all + level, 0) <= most ? new Map(found) : null;
}

/** The names that report no attribute twice: of two that would, the first. @param {Plan} plan @param {string[]} names */
function apart(plan, names) {
  const seen = new Set();
  return names.filter((name) => {
    const { parts } = plan.question(name);
    if (parts.some((part) => seen.has(part))) return false;
    parts.forEach((part) => seen.add(part));
    return true;
  });
}
