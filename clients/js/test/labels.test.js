/** A plan whose names or labels an owner cannot distinguish is refused when it is new, and only then. */

import "fake-indexeddb/auto";
import { describe, expect, test } from "vitest";
import { budgetOf } from "../src/budget.js";
import { report } from "../src/device.js";
import { meet } from "../src/labels.js";
import { note, pin } from "../src/state.js";
import { indexed } from "../src/stores/indexeddb.js";
import { memory } from "../src/stores/memory.js";
import { planOf } from "./golden.js";

/** @param {string[]} values @param {string[]} names */
const planWith = (values, names = ["a"]) =>
  planOf(
    JSON.stringify({
      allocation: "disclosed",
      attributes: names.map((name) => ({
        fallback: values[0],
        kind: "categorical",
        mechanism: "grr",
        name,
        values,
      })),
      budget: { levels: [1000] },
      contract: "attribute",
      format: 1,
      name: "labels",
      share: { least: 1 },
    }),
  );

/** @type {[string, string[], string | undefined][]} */
const UNCLEAR = [
  ["composed and decomposed", ["\u00e9t\u00e9", "e\u0301te\u0301"], "\u00e9t\u00e9"],
  ["full width", ["yes", "\uff59\uff45\uff53"], "yes"],
  ["a ligature", ["fish", "\ufb01sh"], "fish"],
  ["a superscript", ["x2", "x\u00b2"], "x2"],
  ["a Hangul filler", ["yes", "\u3164"], undefined],
  ["a choseong filler", ["yes", "\u115f"], undefined],
  ["a jungseong filler", ["yes", "\u1160"], undefined],
  ["a half-width filler", ["yes", "\uffa0"], undefined],
  ["a Braille blank", ["yes", "\u2800"], undefined],
  ["several blanks", ["yes", "\u2800 \u3164"], undefined],
  ["a hidden end", ["yes", "yes \u3164"], "yes"],
  ["more spaces", ["not so", "not  so"], "not so"],
];

test.each(UNCLEAR)("%s is refused among labels and among names", async (_, pair, other) => {
  const refusal = { reason: "unclear_label", value: pair[1], bound: other };
  const labels = await planWith(pair);
  await expect(memory()((tx) => meet(tx, labels))).rejects.toMatchObject({ ...refusal, field: "a" });
  const names = await planWith(["no", "yes"], pair);
  await expect(memory()((tx) => meet(tx, names))).rejects.toMatchObject({
    ...refusal,
    field: "attributes",
  });
  const sealed = report(labels, memory(), { a: pair[0] }, budgetOf(labels, { a: 1 }), { pace: 0 });
  await expect(sealed).rejects.toMatchObject(refusal);
});

test("case, scripts and visible marks make a difference", async () => {
  const plan = await planWith(["yes", "Yes", "y\u0435s", "-", ".", "\u{1f600}"]);
  await memory()((tx) => meet(tx, plan));
});

describe.each([
  ["memory", async () => memory()],
  ["IndexedDB", () => indexed("labels")],
])("with a store in %s", (_, open) => {
  test("a plan that was pinned or answered goes on", async () => {
    const [store, plan] = [await open(), await planWith(UNCLEAR[0][1])];
    await expect(store((tx) => meet(tx, plan))).rejects.toThrow("unclear_label");
    await pin(store, "https://other.example", "another", undefined);
    await expect(store((tx) => meet(tx, plan))).rejects.toThrow("unclear_label");
    await pin(store, "https://collector.example", plan.id, undefined);
    await report(plan, store, { a: "e\u0301te\u0301" }, budgetOf(plan, { a: 1 }), { pace: 0 });
    await store(async (tx) => note(tx, "another", "pin", "https://collector.example"));
    await report(plan, store, { a: "e\u0301te\u0301" }, budgetOf(plan, { a: 1 }), {
      pace: 0,
      round: 1,
    });
  });
});
