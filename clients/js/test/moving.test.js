/** A state moves to another store in a file: it ends where it was, and goes on once. */

import "fake-indexeddb/auto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { budgetOf } from "../src/budget.js";
import { decoded, encoded, unhex } from "../src/bytes.js";
import { drawn, report } from "../src/device.js";
import { setLimit } from "../src/rounds.js";
import { moveIn, movedOut, moveOut } from "../src/moving.js";
import { locked, unlocked } from "../src/passphrase.js";
import { fact, note, pinned, pin, roundsIn, sealedIn, settle, spent, withdraw } from "../src/state.js";
import { indexed } from "../src/stores/indexeddb.js";
import { memory } from "../src/stores/memory.js";
import { uploadClient } from "../src/upload.js";
import { golden, planOf } from "./golden.js";

/** @typedef {import("../src/stores/store.js").Store} Store */

const plan = await planOf(golden("inputs").plans.commuters);
const budget = budgetOf(plan, { mode: 2, income: 0.5 });
const record = { mode: "bike", income: 31257 };
const [PHRASE, SITE] = ["correct horse battery", "https://collector.example"];

/** Keys are derived in one step, which is quicker; what is golden has all of them. */
const { deriveKey } = crypto.subtle;
const quick = vi.spyOn(crypto.subtle, "deriveKey");
const quickly = () =>
  quick.mockImplementation((/** @type {any} */ how, ...given) => {
    expect(how.iterations).toBe(600_000);
    return deriveKey.call(crypto.subtle, { ...how, iterations: 1 }, ...given);
  });
beforeAll(() => void quickly());

let count = 0;
const STORES = /** @type {[string, () => Promise<Store>][]} */ ([
  ["memory", async () => memory()],
  ["IndexedDB", () => indexed(`moving-${count++}`)],
]);

/** @param {Store} store @param {number} [round] */
const seal = (store, round = 0, values = record) =>
  report(plan, store, values, budget, { round, pace: 0 });

/** @param {Store} store */
const out = (store) => moveOut(store, PHRASE, SITE);

/** @param {Store} store @param {Uint8Array} file */
const into = (store, file) => moveIn(store, file, PHRASE, SITE);

/** All that a store has, moved or not. @param {Store} store */
const all = (store) =>
  store(
    async (tx) =>
      Promise.all(
        /** @type {const} */ (["ledger", "memo", "outbox", "facts"]).map(async (table) => [
          await tx.keys(table),
          await tx.all(table),
        ]),
      ),
    true,
  );

/** @param {Uint8Array} bytes */
const answersIn = (bytes) => JSON.parse(decoded(bytes)).answers;

describe.each(STORES)("with stores in %s", (_, open) => {
  test("it ends where it was, and goes on with the same bytes, noise and account", async () => {
    const [store, other] = [await open(), await open()];
    await pin(store, SITE, plan.id, undefined);
    await setLimit(store, 9);
    const first = await seal(store, 0);
    await seal(store, 1);
    await settle(store, plan.id, 0, "accepted", "");
    const guesses = (await roundsIn(store, plan.id)).map((sealed) => sealed.request);
    expect(guesses[0]).toHaveLength(64);
    const file = await out(store);
    expect(await movedOut(store)).toEqual(file);
    for (const refused of [
      () => seal(store, 0),
      () => seal(store, 2),
      () => spent(store),
      () => setLimit(store, 1),
      () => out(store),
      () => drawn(/** @type {any} */ ({ ...plan, sample: 1 }), store),
      () => uploadClient(SITE, store).deliver(),
    ])
      await expect(refused()).rejects.toMatchObject({ reason: "moved" });
    const [, [memoKeys]] = await all(store);
    expect(memoKeys).toEqual([]); // her answers are in the file alone
    const held = JSON.stringify(await all(store));
    for (const guess of guesses) expect(held).not.toContain(guess); // nor can they be guessed

    expect(await into(other, file)).toBe(2);
    expect(await movedOut(other)).toBe(null);
    expect(await seal(other, 0)).toEqual(first);
    expect(answersIn(await seal(other, 2))).toEqual(answersIn(first));
    expect([await spent(other), await pinned(other, SITE)]).toEqual([2500, plan.id]);
    expect((await sealedIn(other, plan.id, 0))?.fate?.outcome).toBe("accepted");
    await expect(seal(other, 3)).rejects.toMatchObject({ reason: "over_limit", bound: 9000 });
    await expect(into(other, file), "a second time").rejects.toMatchObject({
      reason: "older_state",
    });
  });

  test("it comes back to where it was, from its own file or from a later one", async () => {
    const [store, other] = [await open(), await open()];
    const first = await seal(store, 0);
    const file = await out(store);
    expect(await into(store, file)).toBe(0); // she changed her mind
    expect(await seal(store, 0)).toEqual(first);
    await into(other, await out(store));
    const second = await seal(other, 1, { ...record, mode: "car" });
    const before = await all(store);
    await expect(into(store, file), "an earlier file").rejects.toMatchObject({
      reason: "older_state",
    });
    expect(await all(store)).toEqual(before);
    expect(await into(store, await out(other))).toBe(1);
    expect(await seal(store, 1, { ...record, mode: "car" })).toEqual(second);
  });

  test("a fork of what is known here is refused, and nothing is changed", async () => {
    const [store, other, third] = [await open(), await open(), await open()];
    await seal(store, 0);
    const file = await out(store);
    await into(other, file);
    await into(third, file); // a copied file: nobody can know that here
    const forked = await out(third);
    const before = await all(other);
    await expect(into(other, forked)).rejects.toMatchObject({ reason: "forked_state" });
    expect(await all(other)).toEqual(before);
    expect(await into(store, forked)).toBe(0); // there it goes on from what was known
  });

  test("what was remembered in another cohort is drawn anew, so no report tells where it was given", async () => {
    const staged = await planOf(golden("staged").plan);
    const name = "loloha-20";
    const own = budgetOf(staged, { [name]: 1 });
    const sealed = async (/** @type {Store} */ store, /** @type {number} */ round, /** @type {number} */ value) => {
      const bytes = await report(staged, store, { [name]: `${value}` }, own, { round, pace: 0 });
      const y = Buffer.from(answersIn(bytes)[name].y, "base64url");
      return Math.floor(y.readUIntLE(0, 6) / 2); // the function
    };
    const [store, other] = [await open(), await open()];
    for (let value = 0; value < 20; value++) await sealed(store, value, value);
    const named = await sealed(other, 20, 0);
    await into(other, await out(store));
    for (let value = 0; value < 20; value++) expect(await sealed(other, 21 + value, value)).toBe(named);
    expect(await spent(other)).toBeLessThanOrEqual(4000); // two buckets, of either function
  });

  test("what was sealed apart is joined: charges add up, and what is here is repeated", async () => {
    const [store, other, third] = [await open(), await open(), await open()];
    await seal(store, 0);
    await setLimit(other, 20);
    const own = await seal(other, 1);
    const file = await out(store);
    expect(await into(other, file)).toBe(1);
    expect(await spent(other)).toBe(5000);
    expect((await roundsIn(other, plan.id)).map(({ round }) => round)).toEqual([0, 1]);
    expect(answersIn(await seal(other, 2))).toEqual(answersIn(own));
    await seal(third, 0);
    await expect(into(third, file)).rejects.toMatchObject({
      reason: "other_report",
      field: plan.id,
      value: 0,
    });
    await seal(third, 5);
    const away = await out(third);
    await expect(into(store, away), "nothing goes on here").rejects.toMatchObject({
      reason: "moved",
    });
  });

  test("what another page writes meanwhile is in the file as well", async () => {
    const store = await open();
    await seal(store, 0);
    const encrypt = vi.spyOn(crypto.subtle, "encrypt");
    encrypt.mockImplementationOnce(async (...given) => {
      await seal(store, 1);
      return crypto.subtle.encrypt(...given);
    });
    const file = await out(store);
    encrypt.mockRestore();
    const other = await open();
    expect(await into(other, file)).toBe(2);
  });
});

test("a copied profile is known by the reports that both have", async () => {
  const [store, copy, other] = [memory(), memory(), memory()];
  await seal(store, 0);
  const file = await out(store);
  await into(store, file);
  await into(copy, file);
  await seal(store, 1);
  await into(other, await out(copy));
  await expect(into(other, await out(store))).rejects.toMatchObject({ reason: "forked_state" });
});

test("what was drawn apart stays as it is here, and thresholds of other ranges are added", async () => {
  const [store, other] = [memory(), memory()];
  await seal(store, 0);
  await seal(other, 1);
  const drawn = (/** @type {Store} */ where, /** @type {object} */ thresholds, /** @type {number} */ group) =>
    where(async (tx) => void [note(tx, thresholds, "thresholds", plan.id), note(tx, group, "group", plan.id)]);
  await drawn(store, { "0 income": "1", "1 income": "2" }, 5);
  await drawn(other, { "0 income": "3" }, 7);
  await into(other, await out(store));
  const facts = await other((tx) => Promise.all(["thresholds", "group"].map((kind) => fact(tx, kind, plan.id))));
  expect(facts).toEqual([{ "0 income": "3", "1 income": "2" }, 7]);
});

test("what became of a report comes along, and nothing is sent by itself", async () => {
  const [store, other] = [memory(), memory()];
  await seal(store, 0);
  await store(async (tx) => note(tx, [0], "wanted", plan.id));
  await store(async (tx) => note(tx, ["a"], "former", SITE));
  await settle(store, plan.id, 0, "accepted", "");
  await withdraw(store, plan.id, 0, "kept");
  const sealed = await sealedIn(store, plan.id, 0);
  await into(other, await out(store));
  expect(await sealedIn(other, plan.id, 0)).toEqual(sealed);
  const facts = await other(async (tx) => [
    await tx.get("facts", ["wanted", plan.id]),
    await tx.get("facts", ["former", SITE]),
  ]);
  expect(facts).toEqual([undefined, ["a"]]);
});

test("other files, passphrases and sites are refused, each by its name", async () => {
  const store = memory();
  await seal(store, 0);
  await expect(moveOut(store, "too short", SITE)).rejects.toMatchObject({
    reason: "short_passphrase",
    bound: 12,
  });
  const file = await out(store);
  const end = file.indexOf(10);
  const header = JSON.parse(decoded(file.slice(0, end)));
  expect(file.length - end - 1).toBe(2 ** 16 + 16);
  expect(decoded(file.slice(0, end))).not.toContain("collector");
  const changed = (/** @type {any} */ fields) => {
    const line = encoded(JSON.stringify({ ...header, ...fields }));
    return Uint8Array.from([...line, ...file.slice(end)]);
  };
  const flipped = file.slice();
  flipped[file.length - 1] ^= 1;
  const cases = /** @type {[string, Uint8Array, string?, string?][]} */ ([
    ["wrong_passphrase", file, "another passphrase"],
    ["wrong_passphrase", flipped],
    ["wrong_passphrase", changed({ nonce: "0".repeat(24) })],
    ["damaged_file", file.slice(0, -1)],
    ["damaged_file", file.slice(0, end + 1)],
    ["foreign_file", file.slice(0, end)],
    ["damaged_file", Uint8Array.from([...file, 0])],
    ["foreign_file", changed({ iterations: 1 })],
    ["foreign_file", changed({ format: "discretion-state-3" })],
    ["foreign_file", changed({ more: 1 })],
    ["foreign_file", new Uint8Array()],
    ["foreign_file", encoded('{"format":"discretion-state-1","rows":[]}')],
    ["foreign_file", encoded('{"some":"json"}\n')],
    ["foreign_file", Uint8Array.of(0xff, 0xfe, 10)],
    ["foreign_file", new Uint8Array(1e8)],
    ["other_site", file, PHRASE, "https://elsewhere.example"],
  ]);
  for (const [reason, bytes, phrase = PHRASE, site = SITE] of cases) {
    const other = memory();
    await expect(moveIn(other, bytes, phrase, site), reason).rejects.toMatchObject({ reason });
    expect(await spent(other)).toBe(0);
  }
  const { subtle } = crypto;
  vi.stubGlobal("crypto", { getRandomValues: crypto.getRandomValues.bind(crypto) });
  await expect(into(memory(), file)).rejects.toMatchObject({ reason: "no_encryption" });
  vi.unstubAllGlobals();
  expect(crypto.subtle).toBe(subtle);
});

test("a passphrase is the same however its letters are composed", async () => {
  const file = await locked(encoded("said"), "Zwölf Zeichen");
  expect(decoded(await unlocked(file, "Zwo\u0308lf Zeichen"))).toBe("said");
});

test("a file of this version can be read for good", async () => {
  quick.mockImplementation((...given) => deriveKey.apply(crypto.subtle, given));
  const { passphrase, site, file } = golden("state");
  const store = memory();
  expect(await moveIn(store, unhex(file), passphrase, site)).toBe(1);
  expect(await spent(store)).toBe(2500);
  expect(await seal(store, 0)).toEqual((await roundsIn(store, plan.id))[0].report);
  quickly();
});

test("a state with an impossible row is refused whole", async () => {
  const store = memory();
  await seal(store, 0);
  const text = decoded(await unlocked(await out(store), PHRASE)).trimEnd();
  const state = JSON.parse(text);
  const sealed = state.rows.find((/** @type {any} */ [table]) => table === "outbox");
  const rows = [
    null,
    ["ledger", [plan.id, 0, "mode"]],
    ["ledger", [plan.id, 0, "mode"], { level: 0, names: ["mode"] }],
    ["ledger", [plan.id, 0, "mode"], { level: -5, names: ["mode"] }],
    ["ledger", [plan.id, "0", "mode"], { level: 1, names: ["mode"] }],
    ["memo", [plan.id, "mode", 2000, 0, "car"], "ff"],
    ["memo", [plan.id, "mode", 2000, 0, "car"], { hex: "0" }],
    ["facts", ["limit"], "much"],
    ["facts", ["limit"], 0],
    ["facts", ["moved"], { hex: "00" }],
    ["facts", ["moves"], ["00"]],
    ["constructor", [plan.id], {}],
    ["outbox", [plan.id, 1], sealed[2]],
    ["outbox", ["0".repeat(64), 0], sealed[2]],
    ["outbox", [plan.id, 0], { ...sealed[2], receipt: { hex: "00".repeat(32) } }],
    ["outbox", [plan.id, 0], { ...sealed[2], granted: 0 }],
    ["outbox", [plan.id, 0], { ...sealed[2], report: { hex: "7b7d" } }],
  ];
  const { read } = await import("../src/portable.js");
  expect(read(encoded(text)).rows.length).toBe(state.rows.length);
  const texts = [
    ...["", "null", "[]", "{}", '{"site":"","moves":["00"],"rows":{}}'],
    ...[{ moves: [] }, { moves: ["x"] }, { site: 5 }].map((odd) =>
      JSON.stringify({ ...state, ...odd }),
    ),
    ...rows.map((row) => JSON.stringify({ ...state, rows: [...state.rows, row] })),
  ];
  for (const each of texts)
    expect(() => read(encoded(each)), each).toThrow(
      expect.objectContaining({ reason: "foreign_file" }),
    );
});
