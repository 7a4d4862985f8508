/**
 * Attributes that apply to some people only, and the conditions that say to whom.
 *
 * Conditions are about other attributes of the same record, which stand above in the plan. The device
 * evaluates them, and reports one more value under the same law: so neither the length nor the level of
 * a report depends on whether a question applies.
 *
 * @typedef {import("./schema.js").Attribute} Attribute
 * @typedef {import("./questions.js").Question} Question
 * @typedef {{attribute: string, values?: string[], range?: [number, number]}} Condition ``values``: the
 *   labels that are allowed; ``range``: the least and the most number, in units of the grid
 */

import { refuse } from "./errors.js";
import { rise } from "./fits.js";
import { visible } from "./labels.js";
import { less } from "./rational.js";

export const NOT_APPLICABLE = "not applicable";

/**
 * Labels or bins, and one more code, the last one.
 * @param {Attribute} inner
 * @returns {Attribute}
 */
export const conditional = (inner) => ({
  ...inner,
  size: inner.size + 1,
  answer: (value) => (value === NOT_APPLICABLE ? value : inner.answer(value)),
  misfit: (value) => (value === NOT_APPLICABLE ? undefined : inner.misfit?.(value)),
  encode: (answer, source) =>
    answer === NOT_APPLICABLE ? inner.size : inner.encode(answer, source),
});

/**
 * Whether an attribute meets a condition.
 * @param {Condition} condition
 * @param {Attribute} attribute that it is about
 * @param {unknown} value
 */
function meets({ values, range }, attribute, value) {
  if (values) return values.includes(attribute.answer(value));
  if (value === NOT_APPLICABLE) return false;
  const { nearest, scaled } = /** @type {Required<Attribute>} */ (attribute);
  const [number, [low, high]] = [nearest(value), /** @type {[number, number]} */ (range).map(scaled)];
  return !less(number, low) && !less(high, number);
}

/**
 * The attributes that decide whether a question applies, directly or through others, in any order.
 * @param {import("./plan.js").Plan} plan
 * @param {string} name
 * @returns {Set<string>}
 */
export function deciding(plan, name) {
  const { parts } = plan.question(name);
  const own = parts.flatMap((part) => plan.question(part).conditions.map(({ attribute }) => attribute));
  return new Set(own.flatMap((each) => [each, ...deciding(plan, each)]));
}

/**
 * What a record says about an attribute, as far as it applies; what it lacks is refused.
 * @param {import("./plan.js").Plan} plan
 * @param {import("./device.js").Values} record
 * @param {string} part
 * @returns {unknown}
 */
export function valueIn(plan, record, part) {
  for (const condition of plan.question(part).conditions) {
    const { attribute } = condition;
    const value = valueIn(plan, record, attribute);
    if (!meets(condition, plan.question(attribute).within(0), value)) return NOT_APPLICABLE;
  }
  return given(record, part) ?? refuse("missing_value", part);
}

/**
 * What a record says about an attribute; nothing where it is missing.
 * @param {import("./device.js").Values} record @param {string} part
 */
function given(record, part) {
  const found = Object.hasOwn(record, part) ? record[part] : undefined;
  return found === found ? found : undefined;
}

/**
 * The attributes whose values an answer needs, one after the other: which come next may depend on
 * those before.
 * @param {import("./plan.js").Plan} plan @param {import("./device.js").Values} record @param {string} part
 * @returns {Generator<string>}
 */
function* needs(plan, record, part) {
  for (const condition of plan.question(part).conditions) {
    const { attribute } = condition;
    yield* needs(plan, record, attribute);
    if (!meets(condition, plan.question(attribute).within(0), valueIn(plan, record, attribute))) return;
  }
  yield part;
}

/**
 * What does not fit in a record, as far as its report depends on it, in the plan's order. Nothing is
 * drawn, charged or kept for it. What each value becomes is the rule of ``answer``; "no_number" has no
 * place, and is refused.
 * @param {import("./plan.js").Plan} plan
 * @param {import("./device.js").Values} record
 * @param {import("./budget.js").Budget} budget
 * @returns {{attribute: string, value: unknown, misfit: import("./schema.js").Misfit}[]}
 */
export function changesOf(plan, record, { levels, ranges }) {
  const shared = [...levels.keys()].flatMap((name) => plan.question(name).parts.map((part) => [part, ranges.get(name) ?? 0]));
  const places = /** @type {Map<string, number>} */ (new Map(/** @type {any} */ (shared)));
  const found = new Map();
  for (const part of places.keys())
    for (const attribute of needs(plan, record, part)) {
      const value = given(record, attribute) ?? undefined;
      if (value === undefined) break;
      const misfit = plan.question(attribute).within(places.get(attribute) ?? 0).misfit?.(value);
      if (misfit) found.set(attribute, { attribute, value, misfit });
      if (misfit === "no_number") break;
    }
  return [...plan.questions.keys()].flatMap((name) => found.get(name) ?? []);
}

/**
 * Whether an attribute can have the conditions that are stated of it.
 * @param {any} stated
 * @param {any[]} above the attributes that stand above it
 */
export function applicable({ values = [], applies }, above) {
  const names = above.map(({ name }) => name);
  const places = applies.map((/** @type {Condition} */ { attribute }) => names.indexOf(attribute));
  return (
    rise([-1, ...places]) &&
    !values.some((/** @type {string} */ label) => visible(label) === NOT_APPLICABLE) &&
    applies.every((/** @type {Condition} */ each, /** @type {number} */ i) => isAbout(each, above[places[i]]))
  );
}

/** @param {Condition} condition @param {any} stated what it is about */
function isAbout({ values, range }, { values: labels, range: whole, step, applies, keys }) {
  if (range) {
    const [[low, high], [least, most]] = [range, whole ?? [1, 0]];
    const onGrid = range.every((end) => !((BigInt(end) - BigInt(least)) % BigInt(step ?? 1)));
    return !keys && least <= low && low <= high && high <= most && onGrid && (least < low || high < most);
  }
  const all = labels ? [...labels, ...(applies ? [NOT_APPLICABLE] : [])] : [];
  const places = /** @type {string[]} */ (values).map((label) => all.indexOf(label));
  return rise([-1, ...places]) && places.length < all.length;
}
