/** Later rounds: what is repeated or drawn anew, when an owner answers, and what rounds may cost. */

import { beforeEach, describe, expect, test, vi } from "vitest";
import { budgetOf, report, rotate, setLimit, spent } from "../src/index.js";
import { decoded } from "../src/bytes.js";
import * as randomness from "../src/randomness.js";
import { dueFrom, grantedNear, rhythmIn } from "../src/rounds.js";
import { memory } from "../src/stores/memory.js";
import { bytesOf, each, golden, planOf, recorded } from "./golden.js";

vi.mock("../src/randomness.js", async (original) => {
  const real = /** @type {typeof randomness} */ (await original());
  return { ...real, system: vi.fn(real.system), token: vi.fn(real.token) };
});

beforeEach(async () => {
  const real = /** @type {typeof randomness} */ (await vi.importActual("../src/randomness.js"));
  vi.mocked(randomness.system).mockImplementation(real.system);
  vi.mocked(randomness.token).mockImplementation(real.token);
});

const [MEMO, , ROTATING] = golden("later").histories;
const PACE = { pace: 0 };

/** Draw from the words of a vector, and take its receipts one by one. @param {any} vector */
function replay({ words: hex, receipt = "" }) {
  const { words, left } = recorded(hex);
  const bytes = bytesOf(receipt);
  let used = 0;
  vi.mocked(randomness.system).mockReturnValue(words);
  vi.mocked(randomness.token).mockImplementation((count) => bytes.slice(used, (used += count)));
  return left;
}

describe("a device has the history that Python's has", () => {
  test.each(each(golden("later").histories))("reports, ledger and refusals", async (history) => {
    const [plan, store] = [await planOf(history.plan), memory()];
    expect(plan.id).toBe(history.id);
    for (const [epsilon, rounds] of history.limits) await setLimit(store, epsilon, rounds);
    if (history.every) {
      const left = replay(history);
      expect(await rotate(plan, store, history.every)).toEqual({ every: history.every, phase: history.phase });
      expect(left()).toBe(0);
    }
    const budget = budgetOf(plan, { mode: 1, income: 0.5 });
    for (const vector of history.rounds) {
      const left = replay(vector);
      const asked = report(plan, store, vector.record, budget, { ...PACE, round: vector.round });
      if (vector.refused) await expect(asked).rejects.toThrow(vector.refused);
      else expect(decoded(await asked)).toBe(vector.report);
      expect(left()).toBe(0);
      expect(await spent(store)).toBe(vector.spent);
    }
  });
});

test("a limit over rounds stays, and a later one can only lower it", async () => {
  const store = memory();
  expect(await setLimit(store, 3, 4)).toBe(3000);
  expect(await setLimit(store, 5, 4)).toBe(3000);
  expect(await setLimit(store, 2, 4)).toBe(2000);
  await expect(async () => setLimit(store, 2, 0)).rejects.toThrow("bad_rounds");
});

test("how often to answer is chosen once, from the menu, and kept", async () => {
  const [plan, store] = [await planOf(ROTATING.plan), memory()];
  await expect(rotate(plan, store, 4)).rejects.toThrow("rhythm_off_menu");
  const first = await rotate(plan, store, 3);
  expect(await rotate(plan, store, 3)).toEqual(first);
  await expect(rotate(plan, store, 2)).rejects.toThrow("other_rhythm");
  const kept = await store((tx) => rhythmIn(tx, plan));
  expect(kept).toEqual(first);
  expect([0, 1, 2, 3].map((round) => dueFrom({ every: 3, phase: 1 }, round))).toEqual([1, 1, 4, 4]);
  await expect(rotate(await planOf(MEMO.plan), store, 3)).rejects.toThrow("rhythm_off_menu");
});

test("what rounds around one may have cost counts earlier and later ones", async () => {
  const [plan, store] = [await planOf(MEMO.plan), memory()];
  const budget = budgetOf(plan, { mode: 1 });
  for (const round of [1, 3, 4, 9])
    await report(plan, store, { mode: "bike" }, budget, { ...PACE, round });
  const near = [0, 2, 6, 7].map((round) => store((tx) => grantedNear(tx, plan.id, round, 3)));
  expect(await Promise.all(near)).toEqual([1000, 2000, 1000, 1000]);
});
