/** A plan that words another anew goes on with its answers only if the owner says so. */

import { expect, test } from "vitest";
import { evenBudget } from "../src/budget.js";
import { report } from "../src/device.js";
import { predecessor, adopt } from "../src/succession.js";
import { spent } from "../src/state.js";
import { memory } from "../src/stores/memory.js";
import { golden, planOf } from "./golden.js";

const STATED = JSON.parse(golden("inputs").plans.worded);

/** The worded plan with a title, in place of another one. @param {string} title @param {string} [replaces] */
function titled(title, replaces) {
  const { replaces: _, ...rest } = STATED;
  const wording = { ...STATED.wording, title };
  return planOf(canonical({ ...rest, wording, ...(replaces && { replaces }) }));
}

/** @param {any} value @returns {string} */
const canonical = (value) =>
  JSON.stringify(value, (_, each) =>
    each && typeof each === "object" && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  );

const RECORD = { mode: "bike", income: 1000 };
const first = await titled("Ways");
const second = await titled("Ways and means", first.id);
const third = await titled("Means", second.id);

/** @param {typeof first} plan @param {ReturnType<typeof memory>} store @param {number} round */
const answer = async (plan, store, round) =>
  JSON.parse(
    new TextDecoder().decode(
      await report(plan, store, RECORD, evenBudget(plan), { round, pace: 0 }),
    ),
  );

test("the same law has the same id", () => {
  expect(new Set([first, second, third].map(({ lawId }) => lawId)).size).toBe(1);
});

test("with a yes, answers are repeated at no cost, and rounds stay answered", async () => {
  const store = memory();
  expect(await predecessor(second, store)).toBeUndefined();
  const sent = await answer(first, store, 1);
  const cost = await spent(store);
  expect(await predecessor(second, store)).toEqual(first.document.wording);
  await adopt(second, store);
  expect((await answer(second, store, 2)).answers).toEqual(sent.answers);
  expect(await spent(store)).toBe(cost);
  await expect(answer(second, store, 1)).rejects.toMatchObject({ reason: "other_record" });
  await adopt(third, store);
  expect((await answer(third, store, 3)).answers).toEqual(sent.answers);
  for (const round of [1, 2])
    await expect(answer(third, store, round)).rejects.toMatchObject({ reason: "other_record" });
  expect(await spent(store)).toBe(cost);
});

test("without it, everything is drawn and charged anew", async () => {
  const store = memory();
  await answer(first, store, 1);
  const cost = await spent(store);
  await answer(second, store, 1);
  expect(await spent(store)).toBe(2 * cost);
  await expect(adopt(second, store)).rejects.toMatchObject({ reason: "no_predecessor" });
});

test("only a plan that is replaced, was answered and has the same law is gone on with", async () => {
  const store = memory();
  await answer(first, store, 1);
  const other = await titled("Ways", "0".repeat(64));
  const { budget, ...rest } = second.document;
  const changed = await planOf(canonical({ ...rest, budget: { levels: [1000] } }));
  for (const plan of [third, other, changed, first]) {
    expect(await predecessor(plan, store)).toBeUndefined();
    await expect(adopt(plan, store)).rejects.toMatchObject({ reason: "no_predecessor" });
  }
});
