/** What no collector takes, no device chooses, nor repeats from its memo. */

import { describe, expect, test } from "vitest";
import { check } from "../src/budget.js";
import { admits } from "../src/laws/form.js";
import { golden, plansOf } from "./golden.js";

const { plans, valid, malformed } = golden("malformed");
const PLANS = await plansOf(plans);
const OF_BUDGETS = [
  "unknown_attribute",
  "repeated_attribute",
  "too_few_attributes",
  "too_many_answers",
  "level_off_menu",
  "over_budget",
];
const OF_OUTPUTS = ["wrong_length", "impossible_output"];

/** @param {any} vector */
const answersOf = ({ plan, report }) => ({
  plan: PLANS[plan],
  answers: /** @type {[string, any][]} */ (Object.entries(JSON.parse(report).answers)),
});

/** @param {string[]} reasons @returns {[string, string, any][]} */
const refusedFor = (reasons) =>
  malformed
    .filter((/** @type {any} */ { reason }) => reasons.includes(reason))
    .map((/** @type {any} */ vector) => [vector.reason, vector.why, vector]);

/**
 * Whether a device that finds these bytes in its memo sends them; where levels are secret, whether
 * it would at the only one.
 * @param {import("../src/plan.js").Plan} plan
 * @param {string} name
 * @param {any} answer
 */
function repeats(plan, name, { level, range = 0, y }) {
  const { law, nBytes, menu } = plan.question(name);
  const [lowest] = menu;
  const bytes = Uint8Array.from(Buffer.from(y, "base64url"));
  return bytes.length === nBytes() && admits(law(level ?? lowest, range).form, bytes);
}

describe.each(/** @type {[string, any][]} */ (valid.map((/** @type {any} */ v) => [v.plan, v])))(
  "a valid report of the plan %s",
  (_, vector) => {
    const { plan, answers } = answersOf(vector);

    test("is of that plan, and a device may choose and repeat it", () => {
      expect(plan.id).toBe(JSON.parse(vector.report).plan);
      if (!plan.secret)
        check(
          plan,
          answers.map(([name, { level }]) => [name, level]),
        );
      for (const [name, answer] of answers) expect(repeats(plan, name, answer)).toBe(true);
    });
  },
);

test.each(refusedFor(OF_BUDGETS))("%s: %s", (reason, _, vector) => {
  const { plan, answers } = answersOf(vector);
  expect(() =>
    check(
      plan,
      answers.map(([name, { level }]) => [name, level]),
    ),
  ).toThrow(reason);
});

test.each(refusedFor(OF_OUTPUTS))("%s: %s", (_reason, _why, vector) => {
  const { plan, answers } = answersOf(vector);
  expect(answers.every(([name, answer]) => repeats(plan, name, answer))).toBe(false);
});
