/** A device seals, remembers, charges and repeats as Python's does, in both stores. */

import "fake-indexeddb/auto";
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { budgetOf, evenBudget } from "../src/budget.js";
import { drawn, report, sampledBudget, viewBudget } from "../src/device.js";
import { setLimit } from "../src/rounds.js";
import { decoded } from "../src/bytes.js";
import { admits } from "../src/laws/form.js";
import * as randomness from "../src/randomness.js";
import { sealedIn, spent } from "../src/state.js";
import { indexed } from "../src/stores/indexeddb.js";
import { memory } from "../src/stores/memory.js";
import { bytesOf, each, golden, planOf, recorded } from "./golden.js";

vi.mock("../src/randomness.js", async (original) => {
  const real = /** @type {typeof randomness} */ (await original());
  return { ...real, system: vi.fn(real.system), token: vi.fn(real.token) };
});

const [REPORTS, PLANS, CODED, TEXTS, STAGED, FLIPPED, ...SETS] = [
  ...["reports", "plans", "coded", "texts", "staged", "bitflip", "sets", "text_sets"],
].map(golden);
const ROUNDS = /** @type {[string, any, Record<string, number>][]} */ ([
  ["words", CODED, { "lopub-5": 8, "rappor-5": 1, "rappor-20": 8, "basic-2": 1 }],
  [
    "texts",
    TEXTS,
    { "orr-many": 1, "hcms-many": 8, "cms-one": 8, "orappor-one": 1, "again-many": 8 },
  ],
  ["kept answers", STAGED, STAGED.budget],
  ["kept bits", FLIPPED, FLIPPED.budget],
]);
const OF_SETS = SETS.flatMap(({ plan, id, reports }) =>
  reports.map((/** @type {any} */ vector) => ({ ...vector, plan, id, round: 7 })),
);
const commuters = await planOf(REPORTS.reports[0].plan);
const variants = await planOf(golden("variants").plan);
const record = { mode: "bike", age: 30, income: 31257 };
const even = evenBudget(commuters);

/** A plan and a store, without a pace. */
class Device {
  /**
   * @param {import("../src/plan.js").Plan} plan
   * @param {import("../src/stores/store.js").Store} store
   */
  constructor(plan, store = memory(), /** @type {string | undefined} */ token = undefined) {
    this.plan = plan;
    this.store = store;
    this.token = token;
  }

  /** @param {any} record @param {any} budget @param {number} [round] */
  report(record, budget, round = 0) {
    return report(this.plan, this.store, record, budget, { round, pace: 0, token: this.token });
  }

  /** @param {any} sensitivities */
  sample(sensitivities) {
    return sampledBudget(this.plan, this.store, sensitivities);
  }

  sealed() {
    return sealedIn(this.store, this.plan.id, 0);
  }
}

let count = 0;
const STORES = /** @type {[string, () => Promise<import("../src/stores/store.js").Store>][]} */ ([
  ["memory", async () => memory()],
  ["IndexedDB", () => indexed(`test-${count++}`)],
]);

/** Have the next report drawn from the words of a vector. @param {any} vector */
function replay(vector) {
  const { words, left } = recorded(vector.words);
  vi.mocked(randomness.system).mockReturnValue(words);
  vi.mocked(randomness.token).mockReturnValue(bytesOf(vector.receipt));
  return left;
}

beforeEach(async () => {
  const real = /** @type {typeof randomness} */ (await vi.importActual("../src/randomness.js"));
  vi.mocked(randomness.system).mockImplementation(real.system);
  vi.mocked(randomness.token).mockImplementation(real.token);
});

describe.each(STORES)("with a store in %s", (_, open) => {
  /** @param {import("../src/plan.js").Plan} plan */
  const deviceOf = async (plan) => new Device(plan, await open());

  test.each(each([...REPORTS.reports, ...PLANS.plans, ...OF_SETS]))("a device makes this report", async (vector) => {
    const plan = await planOf(vector.plan);
    const device = await deviceOf(plan);
    expect(plan.id).toBe(vector.id);
    device.token = vector.token;
    const left = replay(vector);
    const epsilons = Object.entries(vector.levels ?? {}).map(([name, level]) => [
      name,
      level / 1000,
    ]);
    const [attributes, epsilon] = vector.view ?? [];
    const budget = vector.sensitivities
      ? await device.sample(vector.sensitivities)
      : vector.view
        ? await viewBudget(plan, device.store, epsilon, attributes)
        : budgetOf(plan, Object.fromEntries(epsilons), { ...vector.ranges, ...vector.length });
    expect(decoded(await device.report(vector.record, budget, vector.round))).toBe(vector.report);
    expect(left()).toBe(0);
  });

  test.each(ROUNDS)("a device reports these %s round after round", async (_, file, epsilons) => {
    const plan = await planOf(file.plan);
    const device = await deviceOf(plan);
    for (const vector of file.rounds) {
      const left = replay(vector);
      const bytes = await device.report(vector.record, budgetOf(plan, epsilons), vector.round);
      expect(decoded(bytes)).toBe(vector.report);
      expect(left()).toBe(0);
      expect(await spent(device.store)).toBe(vector.spent ?? (await spent(device.store)));
    }
  });

  test("asking again gives the same bytes, another record or budget is refused", async () => {
    const device = await deviceOf(commuters);
    const first = await device.report(record, even);
    expect(await device.report(record, even)).toEqual(first);
    const other = budgetOf(commuters, { mode: 1 });
    await expect(device.report({ ...record, mode: "car" }, even)).rejects.toThrow("other_record");
    await expect(device.report(record, other)).rejects.toThrow("other_record");
    expect((await device.sealed())?.report).toEqual(first);
  });

  test("devices that ask at one time get the same bytes", async () => {
    const store = await open();
    const asked = Array.from({ length: 5 }, () =>
      new Device(commuters, store).report(record, even),
    );
    const reports = await Promise.all(asked);
    expect(new Set(reports.map(decoded)).size).toBe(1);
    expect(await spent(store)).toBe(even.total);
  });

  test("an answer costs once; a changed one costs again", async () => {
    const device = await deviceOf(commuters);
    const answers = async (/** @type {object} */ values, /** @type {number} */ round) =>
      JSON.parse(decoded(await device.report({ ...record, ...values }, even, round))).answers;
    const first = await answers({}, 0);
    expect(await answers({}, 1)).toEqual(first);
    expect(await spent(device.store)).toBe(even.total);
    await answers({ mode: "car" }, 2);
    expect(await spent(device.store, "mode")).toBe(2 * (even.levels.get("mode") ?? NaN));
    expect(await spent(device.store, "age")).toBe(even.levels.get("age"));
    expect(await answers({}, 3)).toEqual(first);
  });

  test("an assigned function comes with the token, in all rounds and for all answers", async () => {
    const { plan: text, token } = REPORTS.reports.find((/** @type {any} */ each) => each.token);
    const plan = await planOf(text);
    const device = await deviceOf(plan);
    const budget = budgetOf(plan, { mode: 2 });
    const own = plan.question("mode").law(2000).forCredential?.(token, plan.id, "mode");
    await expect(device.report({ mode: "bike" }, budget)).rejects.toThrow("token_needed");
    expect(await device.sealed()).toBeUndefined();
    device.token = token;
    for (const [round, mode] of ["bike", "bike", "car"].entries()) {
      const { answers } = JSON.parse(decoded(await device.report({ mode }, budget, round)));
      expect(admits(own?.form ?? {}, Buffer.from(answers.mode.y, "base64url"))).toBe(true);
    }
    expect(await spent(device.store)).toBe(2 * budget.total);
    device.token = `${token}!`;
    const { answers } = JSON.parse(decoded(await device.report({ mode: "bike" }, budget, 3)));
    expect(admits(own?.form ?? {}, Buffer.from(answers.mode.y, "base64url"))).toBe(false);
    expect(await spent(device.store), "a new function is a new draw").toBe(3 * budget.total);
  });

  test("a bundle is charged whole to each of its attributes, and once in all", async () => {
    const plan = await planOf(REPORTS.reports[3].plan);
    const device = await deviceOf(plan);
    await device.report(
      { mode: "car", age: 20, home: "town" },
      budgetOf(plan, { home: 1, "mode+age": 4.5 }),
    );
    expect(
      await Promise.all(
        ["mode", "age", "home", undefined].map((name) => spent(device.store, name)),
      ),
    ).toEqual([4500, 4500, 1000, 5500]);
  });

  test("a limit holds whatever the answers are, and can only be lowered", async () => {
    const device = await deviceOf(commuters);
    await setLimit(device.store, 12);
    await setLimit(device.store, 100);
    await device.report(record, even, 0);
    await device.report(record, even, 1); // free, but counted as if it were not
    await expect(device.report(record, even, 2)).rejects.toMatchObject({
      reason: "over_limit",
      value: 18000,
      bound: 12000,
    });
    expect(await spent(device.store)).toBe(even.total);
  });

  test.each([
    ["lgrr", STAGED, "lgrr-5", 5],
    ["losue", STAGED, "losue-20", 5],
    ["loloha", STAGED, "loloha-20", 2],
    ["dbitflip", FLIPPED, "three", 4],
  ])("answers that %s keeps are charged once, whichever rounds come, and limits count them as new", async (_, file, name, most) => {
    const plan = await planOf(file.plan);
    const device = await deviceOf(plan);
    const budget = budgetOf(plan, { [name]: 1 });
    const answer = (/** @type {number} */ code, /** @type {number} */ round) => device.report({ [name]: `${code}` }, budget, round);
    const first = await answer(3, 9);
    expect(await answer(3, 9)).toEqual(first);
    await answer(3, 4); // a clock that goes back
    await answer(3, 1000); // and one that skips rounds
    await expect(answer(4, 9)).rejects.toMatchObject({ reason: "other_record" });
    expect(await spent(device.store)).toBe(1000);
    for (const code of [0, 1, 2, 3, 4, 0, 1, 2]) await answer(code, 10 + code + 10 * code);
    expect(await spent(device.store)).toBeLessThanOrEqual(1000 * most);
    const before = await spent(device.store);
    await setLimit(device.store, 2); // which was passed, as answers count as new
    await expect(answer(3, 2000)).rejects.toMatchObject({ reason: "over_limit" });
    expect(await spent(device.store)).toBe(before);
    const lost = await deviceOf(plan); // a lost state draws, and charges, anew
    await lost.report({ [name]: "3" }, budget, 0);
    expect(await spent(lost.store)).toBe(1000);
  });

  test("a variant is charged what it costs, and the limit counts that", async () => {
    const device = await deviceOf(variants);
    await setLimit(device.store, 20);
    const far = budgetOf(variants, { line: 1, even: 1 });
    await device.report({ line: "1", even: "0" }, far);
    const cost = variants.question("line").cost(1000);
    expect(cost).toBeGreaterThan(17_000);
    expect(await spent(device.store, "line")).toBe(cost);
    expect(await spent(device.store, "even")).toBe(300);
    expect((await device.sealed())?.granted).toBe(cost + 300);
    await expect(device.report({ line: "1", even: "0" }, far, 1)).rejects.toMatchObject({
      reason: "over_limit",
      value: 2 * (cost + 300),
      bound: 20_000,
    });
  });

  test("under a limit, open outputs need to be allowed by name", async () => {
    const device = await deviceOf(variants);
    const budget = budgetOf(variants, { one: 1, sensitive: 1 });
    const answers = { one: "0", sensitive: "1" };
    await setLimit(device.store, 5);
    for (const allowOpen of [undefined, [], ["one"], ["on", "shares"]]) {
      const asked = report(variants, device.store, answers, budget, { pace: 0, allowOpen });
      await expect(asked).rejects.toMatchObject({ reason: "open_outputs" });
    }
    expect(await device.sealed()).toBeUndefined();
    const allowOpen = ["one", "sensitive"];
    await report(variants, device.store, answers, budget, { pace: 0, allowOpen });
    expect(await spent(device.store)).toBe(2000);
    const free = await deviceOf(variants);
    await free.report(answers, budget); // without a limit nothing is exceeded
  });

  test("a memo that cannot be what a device drew is drawn anew and charged", async () => {
    const device = await deviceOf(commuters);
    const budget = budgetOf(commuters, { mode: 2 });
    await device.report({ mode: "car" }, budget, 0);
    await device.store(async (tx) =>
      tx.put("memo", [commuters.id, "mode", 2000, 0, "car"], Uint8Array.of(255)),
    );
    await device.report({ mode: "car" }, budget, 1);
    expect(await spent(device.store)).toBe(4000);
  });

  test("what fails inside leaves nothing behind", async () => {
    const device = await deviceOf(commuters);
    vi.mocked(randomness.token).mockImplementation(() => {
      throw new Error("no randomness");
    });
    await expect(device.report(record, even)).rejects.toThrow("no randomness");
    expect([await device.sealed(), await spent(device.store)]).toEqual([undefined, 0]);
  });

  test("what a device draws from is drawn once", async () => {
    const plan = await planOf(REPORTS.reports.at(-1).plan);
    const device = await deviceOf(plan);
    const sensitivities = { mode: 1, age: 1, income: 1 };
    const names = await drawn(plan, device.store);
    const first = await device.sample(sensitivities);
    expect(first.levels.size).toBe(2);
    expect([...first.levels.keys()]).toEqual(names);
    expect(names).toEqual(plan.offered.filter((name) => names.includes(name)));
    for (let i = 0; i < 5; i++) expect(await device.sample(sensitivities)).toEqual(first);
    const [other] = plan.offered.filter((name) => !first.levels.has(name));
    const levels = Object.fromEntries(
      [other, [...first.levels.keys()][0]].map((name) => [name, 3]),
    );
    await expect(device.report(record, budgetOf(plan, levels))).rejects.toThrow(
      `${other}: not_drawn`,
    );
    await expect(device.sample({ mode: 1 })).rejects.toThrow("no_sensitivity");
    await expect(drawn(commuters, device.store)).rejects.toThrow("no_sampling");
  });
});

test("what is lacking, and a round that is none, are refused before anything is drawn", async () => {
  const device = new Device(commuters);
  for (const mode of [undefined, null, NaN]) {
    await expect(device.report({ ...record, mode }, even)).rejects.toMatchObject({
      field: "mode",
      reason: "missing_value",
    });
  }
  for (const round of [-1, 0.5, 2 ** 31, "0"]) {
    await expect(device.report(record, even, /** @type {any} */ (round))).rejects.toThrow(
      "bad_round",
    );
  }
  const inherited = Object.create(record);
  await expect(device.report(inherited, even)).rejects.toThrow("missing_value");
});

/** @type {Record<string, string[]>} */
const MOMENTS = { date: ["1990-01-01", "2024-02-29"], time: ["05:00", "24:00"] };

/** A value, or a date or a time of day in its place. @param {any} plan @param {string} name @param {any} value */
function suited({ document }, name, value) {
  const { kind } = document.attributes.find((/** @type {any} */ each) => each.name === name) ?? {};
  return kind in MOMENTS ? MOMENTS[kind][Number(value > 1)] : value;
}

test("the length of a report does not depend on the answers", async () => {
  for (const { plan: text, levels, ranges, token } of REPORTS.reports) {
    if (!levels) continue;
    const plan = await planOf(text);
    const epsilons = Object.entries(levels).map(([name, level]) => [name, level / 1000]);
    const budget = budgetOf(plan, Object.fromEntries(epsilons), ranges);
    const lengths = new Set();
    const value = fc.oneof(fc.double({ noNaN: true }), fc.integer(), fc.constantFrom(0, 1e9, "7"));
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.constantFrom(...plan.questions.keys()), value),
        async (given) => {
          const whole = Object.fromEntries(
            [...plan.questions.keys()].map((name) => [name, suited(plan, name, given[name] ?? 1)]),
          );
          lengths.add((await new Device(plan, memory(), token).report(whole, budget)).length);
        },
      ),
      { numRuns: 40 },
    );
    expect(lengths.size).toBe(1);
  }
});

test("nor on how long a text is", async () => {
  const [, { plan: text }, epsilons] = ROUNDS[1];
  const plan = await planOf(text);
  const budget = budgetOf(plan, epsilons);
  const lengths = new Set();
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 2000 }), async (said) => {
      const record = Object.fromEntries(Object.keys(epsilons).map((name) => [name, said]));
      lengths.add((await new Device(plan).report(record, budget)).length);
    }),
  );
  expect(lengths.size).toBe(1);
});

test("a report is handed out on the pace, drawn or remembered", async () => {
  const store = memory();
  /** @type {number[]} */
  const waits = [];
  vi.stubGlobal("setTimeout", (/** @type {() => void} */ done, /** @type {number} */ wait) => {
    waits.push(wait);
    done();
  });
  const now = vi.spyOn(performance, "now");
  for (const [round, gone] of [[0, 17], [1, 61], [0, 59]]) {
    now.mockReturnValueOnce(1000).mockReturnValueOnce(1000 + gone);
    await report(commuters, store, record, even, { round, pace: 60 });
  }
  now.mockRestore();
  vi.unstubAllGlobals();
  expect(waits).toEqual([43, 59, 1]);
});

test("a budget that was changed is charged for what it says, if it is allowed at all", async () => {
  const device = new Device(commuters);
  const budget = budgetOf(commuters, { mode: 2 });
  await device.report({ mode: "car" }, { ...budget, total: 0 });
  expect((await device.sealed())?.granted).toBe(2000);
  await expect(
    device.report({ mode: "car" }, { ...budget, levels: new Map([["mode", 2001]]) }, 1),
  ).rejects.toThrow("level_off_menu");
});

test("a budget of another plan is refused", async () => {
  const other = await planOf(REPORTS.reports[4].plan);
  await expect(new Device(other).report(record, even)).rejects.toThrow("other_plan");
});

test("a state survives its page, and one that cannot be read is an error", async () => {
  const device = new Device(commuters, await indexed("kept"));
  const bytes = await device.report(record, even);
  const opened = (/** @type {string} */ name, /** @type {number} */ version) =>
    new Promise((resolve) =>
      Object.assign(indexedDB.open(name, version), {
        onsuccess: (/** @type {any} */ e) => resolve(e.target.result),
      }),
    );
  expect(await new Device(commuters, await indexed("kept")).report(record, even)).toEqual(bytes);
  (await opened("kept", 2)).close(); // a newer page: the older one gives way
  await expect(device.report(record, even)).rejects.toMatchObject({ reason: "unreadable" });
  await expect(indexed("kept")).rejects.toMatchObject({ reason: "unreadable" });
});

test("every text has a code, and a report of the same length", async () => {
  const plan = await planOf(golden("prefixes").plan);
  const names = [...plan.questions.keys()];
  const all = (/** @type {any} */ value) => Object.fromEntries(names.map((name) => [name, value]));
  const [device, budget] = [new Device(plan), budgetOf(plan, all(1))];
  const usual = await device.report(all("the"), budget, 10);
  const odd = {
    ...{ empty: "", long: "x".repeat(61), outside: "日本語のテキスト", combining: "a\u0308rger" },
    ...{ grows: "\ufdfa".repeat(3), control: "\0", last: "\u{10ffff}", turned: "\u202eeht", half: "a\ud800" },
    ...{ megabyte: "the ".repeat(250_000), marks: "\u0301".repeat(100_000) },
  };
  for (const [i, [what, text]] of Object.entries(odd).entries()) {
    const { length } = await device.report(all(text), budget, 11 + i);
    expect(length, what).toBe(usual.length);
    for (const { answer, encode } of names.map((name) => plan.question(name).within(0))) {
      const codeOf = (/** @type {string} */ said) => encode(answer(said), randomness.system());
      expect(codeOf(text), what).toBe(codeOf(text.normalize("NFC").replace("\ud800", "\ufffd")));
    }
  }
});
