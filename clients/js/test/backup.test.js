/** A copy of a store can be joined to another one, which loses nothing by it and draws nothing anew. */

import "fake-indexeddb/auto";
import { describe, expect, test } from "vitest";
import { backup, restore } from "../src/backup.js";
import { budgetOf } from "../src/budget.js";
import { report, setLimit } from "../src/device.js";
import { decoded } from "../src/bytes.js";
import { note, pinned, pin, roundsIn, sealedIn, settle, spent, withdraw } from "../src/state.js";
import { indexed } from "../src/stores/indexeddb.js";
import { memory } from "../src/stores/memory.js";
import { golden, planOf } from "./golden.js";

const plan = await planOf(golden("inputs").plans.commuters);
const budget = budgetOf(plan, { mode: 2, income: 0.5 });
const record = { mode: "bike", income: 31257 };

let count = 0;
const STORES = /** @type {[string, () => Promise<import("../src/stores/store.js").Store>][]} */ ([
  ["memory", async () => memory()],
  ["IndexedDB", () => indexed(`backup-${count++}`)],
]);

/** @param {import("../src/stores/store.js").Store} store @param {number} [round] */
const seal = (store, round = 0, values = record) =>
  report(plan, store, values, budget, { round, pace: 0 });

/** @param {Uint8Array} bytes */
const answersIn = (bytes) => JSON.parse(decoded(bytes)).answers;

describe.each(STORES)("with stores in %s", (_, open) => {
  test("a copy in an empty store gives the same bytes, noise and account", async () => {
    const [store, other] = [await open(), await open()];
    await pin(store, "https://collector.example", plan.id, undefined);
    await setLimit(store, 9);
    const first = await seal(store, 0);
    await seal(store, 1);
    await settle(store, plan.id, 0, "accepted", "");
    expect(await restore(other, await backup(store))).toBe(2);
    expect(await backup(other)).toBe(await backup(store));
    expect(await seal(other, 0)).toEqual(first);
    expect(answersIn(await seal(other, 2))).toEqual(answersIn(first));
    expect([await spent(other), await pinned(other, "https://collector.example")]).toEqual([
      2500,
      plan.id,
    ]);
    await expect(seal(other, 3)).rejects.toMatchObject({ reason: "over_limit", bound: 9000 });
    expect(await restore(other, await backup(store)), "once more changes nothing").toBe(0);
    expect(await spent(other)).toBe(2500);
  });

  test("an older copy takes nothing back", async () => {
    const store = await open();
    await setLimit(store, 9);
    await seal(store, 0);
    const old = await backup(store);
    await setLimit(store, 6);
    expect(await restore(store, old)).toBe(0);
    const [first, second] = [await seal(store, 0), await seal(store, 1, { ...record, mode: "car" })];
    await settle(store, plan.id, 0, "accepted", "");
    await withdraw(store, plan.id, 0, "deleted");
    const before = await backup(store);
    expect(await restore(store, old)).toBe(0);
    expect(await backup(store)).toBe(before);
    expect([await seal(store, 0), await seal(store, 1, { ...record, mode: "car" })]).toEqual([
      first,
      second,
    ]);
    await expect(seal(store, 0, { ...record, mode: "car" })).rejects.toThrow("other_record");
    await expect(seal(store, 2)).rejects.toMatchObject({ reason: "over_limit", bound: 6000 });
  });

  test("what was sealed apart is joined: charges add up, and what is here is repeated", async () => {
    const [store, other] = [await open(), await open()];
    await seal(store, 0);
    const own = await seal(other, 1);
    expect(await restore(other, await backup(store))).toBe(1);
    expect(await spent(other)).toBe(5000);
    expect((await roundsIn(other, plan.id)).map(({ round }) => round)).toEqual([0, 1]);
    expect(answersIn(await seal(other, 2))).toEqual(answersIn(own));
    expect(await spent(other)).toBe(5000);
  });

  test("another report of a sealed round is refused, and nothing is changed", async () => {
    const [store, other] = [await open(), await open()];
    await seal(store, 0);
    await seal(store, 1);
    await seal(other, 1);
    const before = await backup(other);
    await expect(restore(other, await backup(store))).rejects.toMatchObject({
      reason: "other_report",
      field: plan.id,
      value: 1,
    });
    expect(await backup(other)).toBe(before);
  });
});

test("a later copy brings what became of a report, but sends nothing by itself", async () => {
  const store = memory();
  await seal(store, 0);
  const other = memory();
  await restore(other, await backup(store));
  await store(async (tx) => note(tx, [0], "wanted", plan.id));
  await store(async (tx) => note(tx, ["a"], "former", "https://collector.example"));
  for (const outcome of /** @type {const} */ (["kept", "deleted"])) {
    await settle(store, plan.id, 0, "accepted", "");
    await withdraw(store, plan.id, 0, outcome);
    await restore(other, await backup(store));
    expect(await sealedIn(other, plan.id, 0)).toEqual(await sealedIn(store, plan.id, 0));
  }
  const facts = await other(async (tx) => [
    await tx.get("facts", ["wanted", plan.id]),
    await tx.get("facts", ["former", "https://collector.example"]),
  ]);
  expect(facts).toEqual([undefined, ["a"]]);
});

test("a text that is no copy is refused whole", async () => {
  const store = memory();
  await seal(store, 0);
  const copy = JSON.parse(await backup(store));
  const sealed = copy.rows.find((/** @type {any} */ [table]) => table === "outbox");
  /** @param {any} row */
  const withRow = (row) => JSON.stringify({ ...copy, rows: [...copy.rows, row] });
  const texts = [
    "",
    "null",
    "[]",
    "{}",
    '{"format":"discretion-state-2","rows":[]}',
    '{"format":"discretion-state-1","rows":{}}',
    ...[
      null,
      ["ledger", [plan.id, 0, "mode"]],
      ["ledger", [plan.id, 0, "mode"], { level: 0, names: ["mode"] }],
      ["ledger", [plan.id, 0, "mode"], { level: -5, names: ["mode"] }],
      ["ledger", [plan.id, "0", "mode"], { level: 1, names: ["mode"] }],
      ["memo", [plan.id, "mode", 2000, 0, "car"], "ff"],
      ["memo", [plan.id, "mode", 2000, 0, "car"], { hex: "0" }],
      ["facts", ["limit"], "much"],
      ["facts", ["limit"], 0],
      ["constructor", [plan.id], {}],
      ["outbox", [plan.id, 1], sealed[2]],
      ["outbox", ["0".repeat(64), 0], sealed[2]],
      ["outbox", [plan.id, 0], { ...sealed[2], receipt: { hex: "00".repeat(32) } }],
      ["outbox", [plan.id, 0], { ...sealed[2], granted: 0 }],
      ["outbox", [plan.id, 0], { ...sealed[2], report: { hex: "7b7d" } }],
    ].map(withRow),
  ];
  for (const text of texts) {
    const other = memory();
    await expect(restore(other, text), text).rejects.toMatchObject({ reason: "bad_copy" });
    expect(await spent(other)).toBe(0);
  }
});
