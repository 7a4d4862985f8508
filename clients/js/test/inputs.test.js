/** Plans, budgets and values are taken and refused as Python does. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesOf } from "../src/applies.js";
import { budgetOf, evenBudget, sensitiveBudget } from "../src/budget.js";
import { answersOf } from "../src/device.js";
import { DiscretionError } from "../src/errors.js";
import { MOMENTS } from "../src/moments.js";
import { readPlan } from "../src/plan.js";
import { written } from "../src/rational.js";
import { numeric } from "../src/schema.js";
import { bytesOf, each, golden, planOf, plansOf } from "./golden.js";

const INPUTS = golden("inputs");
const PLANS = await plansOf(INPUTS.plans);
const ODD = await planOf(golden("misfits").plan);

/** @param {() => unknown} act @returns {DiscretionError} */
function refusal(act) {
  try {
    act();
  } catch (error) {
    if (error instanceof DiscretionError) return error;
    throw error;
  }
  throw new Error("it was not refused");
}

test("plans have these ids", () => {
  for (const [name, id] of Object.entries(INPUTS.ids)) expect(PLANS[name].id).toBe(id);
  for (const [name, { lawId, id }] of Object.entries(PLANS))
    expect(lawId).toBe(INPUTS.laws[name] ?? id);
});

test.each(
  /** @type {[string, any][]} */ (INPUTS.refused_plans.map((/** @type {any} */ v) => [v.why, v])),
)("a plan with %s is refused", async (_, { hex, field }) => {
  const error = await readPlan(bytesOf(hex)).catch((refused) => refused);
  expect(error).toBeInstanceOf(DiscretionError);
  expect(error.reason).toMatch(/^not_(canonical|allowed)$/);
  expect(
    error.reason === "not_canonical" || related(error.field ?? "", field),
    `${error.field}, ${field}`,
  ).toBe(true);
});

/**
 * Whether two places of a plan are one, or one holds the other. (Python names wording where authors
 * write it.)
 * @param {string} ours
 * @param {string} theirs
 */
const related = (ours, theirs) =>
  [theirs, ours].some((field) => ["plan", "wording"].includes(field)) || ours.startsWith(theirs) || theirs.startsWith(ours);

describe("budgets", () => {
  test.each(each(INPUTS.budgets))("%o is allowed", (vector) => {
    const plan = PLANS[vector.plan];
    const budget = vector.epsilons
      ? budgetOf(plan, new Map(vector.epsilons), vector.ranges)
      : vector.sensitivities
        ? sensitiveBudget(plan, new Map(vector.sensitivities))
        : evenBudget(plan, vector.even ?? undefined);
    expect([[...budget.levels], [...budget.ranges]]).toEqual([vector.levels, vector.places]);
    expect(budget.plan).toBe(plan.id);
  });

  test.each(each(INPUTS.refused_budgets))("%o is refused", (vector) => {
    const error = refusal(() =>
      budgetOf(PLANS[vector.plan], new Map(vector.epsilons), vector.ranges),
    );
    expect(error).toMatchObject({ reason: vector.reason, field: vector.field });
  });

  test("sensitivities must be above zero", () => {
    for (const mode of [0, -1, NaN, "1", null]) {
      const error = refusal(() =>
        sensitiveBudget(PLANS.commuters, { mode: /** @type {any} */ (mode) }),
      );
      expect(error).toMatchObject({ reason: "not_above_zero", field: "mode" });
    }
  });

  test("a bundle that is too much for every level gets none", async () => {
    const names = ["a", "b", "c"];
    const attributes = names.map((name) => ({
      fallback: "no",
      kind: "categorical",
      mechanism: "grr",
      name,
      values: ["no", "yes"],
    }));
    const plan = await planOf(
      JSON.stringify({
        allocation: "disclosed",
        attributes,
        budget: { levels: [8000, 9000] },
        bundles: [names],
        contract: "record",
        format: 1,
        name: "together",
        share: { least: 1 },
      }),
    );
    expect(plan.question("a+b+c").menu).toEqual([]);
    expect(refusal(() => sensitiveBudget(plan, { "a+b+c": 1 }))).toMatchObject({
      reason: "level_off_menu",
      field: "a+b+c",
    });
    expect(refusal(() => evenBudget(plan)).reason).toBe("no_even_level");
  });
});

test("dates and times of day are read as Python reads them", () => {
  for (const { kind, text, number } of INPUTS.moments) {
    const read = MOMENTS[kind].read(text);
    expect(read ? written(read) : null, text).toBe(number);
  }
});

test("values become these answers", () => {
  for (const { attribute, value, answer, reason } of INPUTS.answers) {
    const act = () => PLANS.labels.question(attribute).within(0).answer(value);
    if (reason)
      expect(refusal(act), JSON.stringify(value)).toMatchObject({ reason, field: attribute });
    else expect(act(), JSON.stringify([attribute, value])).toBe(answer);
  }
});

test("what does not fit is changed, refused and listed as by Python", () => {
  const vectors = golden("misfits");
  for (const { record, narrow, changes, answers } of vectors.records) {
    /** @param {string[]} names */
    const budget = (names) => budgetOf(ODD, Object.fromEntries(names.map((name) => [name, 1])), narrow && names.includes("pay") ? { pay: vectors.narrow } : {});
    const found = changesOf(ODD, record, budget(Object.keys(answers)));
    const where = JSON.stringify(record);
    expect(found.map(({ attribute, misfit }) => [attribute, misfit]), where).toEqual(changes);
    for (const { attribute, value } of found) expect(value).toBe(record[attribute]);
    for (const [name, answer] of Object.entries(answers)) {
      const act = () => answersOf(ODD, record, budget([name]))[0][3];
      if (answer === null)
        expect(refusal(act).reason, `${name}: ${where}`).toMatch(/^(missing_value|not_a_(number|date|time))$/);
      else expect(act(), `${name}: ${where}`).toBe(answer);
    }
  }
});

test("digits of any script are read, as Python reads them", () => {
  const grid = numeric("x", -5n, 95n, 1n, 0);
  for (const text of ["\u0663\u0664", "\uff13\uff14", "\u0969\u096a", "\u{1d7d1}\u{1d7d2}", "3\u0664", "34"])
    expect(grid.answer(text), text).toBe("34");
  expect(grid.misfit?.(" -\u0663.\u0665e0_0 ")).toBeUndefined();
  expect(grid.misfit?.("\u00b2")).toBe("no_number");
});

test("the coin between two grid points keeps the mean, exactly", () => {
  const grid = numeric("x", -5n, 15n, 1n, -1);
  fc.assert(
    fc.property(fc.integer({ min: -500, max: 1500 }), (thousandths) => {
      let total = 0;
      let drawn = 1;
      for (let word = 0; word < drawn; word++) {
        const source = {
          coin: () => false,
          below: (/** @type {any} */ n) => {
            drawn = Number(n);
            return /** @type {any} */ (BigInt(word));
          },
        };
        total += grid.encode(grid.answer(thousandths / 1000), source);
      }
      expect((total / drawn) * 100 - 500).toBeCloseTo(thousandths, 9);
    }),
  );
});
