/** Sets and maps: their answers, and the law of sets by every path of random choices. */

import { expect, test } from "vitest";
import { cover, hashedCover } from "../src/laws/cover.js";
import { bucket } from "../src/laws/sketch.js";
import { odds } from "../src/odds.js";
import { rational } from "../src/rational.js";
import { ONE } from "../src/randomness.js";
import { budgetOf } from "../src/budget.js";
import { answersOf } from "../src/device.js";
import { changesOf } from "../src/applies.js";
import { drawn, golden, planOf } from "./golden.js";

const [SETS, TEXT_SETS] = ["sets", "text_sets"].map(golden);
const [plan, texts] = await Promise.all([SETS, TEXT_SETS].map(({ plan }) => planOf(plan)));
const CODES = 8; // items and blanks
const LEVEL = 1000;
const SHAPES = Array.from({ length: CODES }, (_, items) =>
  Array.from({ length: Math.min(items, CODES - items) }, (_, i) => /** @type {[number, number]} */ ([items, i + 1])),
).flatMap((own, items) => (items > 1 ? own : []));

/** The places of the bits that are set. @param {number} bits */
const members = (bits) => Array.from({ length: CODES }, (_, i) => i).filter((i) => (bits >> i) & 1);

/** @param {[bigint, bigint]} x @param {[bigint, bigint]} y @returns {[bigint, bigint]} */
const plus = ([a, b], [c, d]) => /** @type {any} */ (rational(a * d + c * b, b * d));

/**
 * The exact distribution of reports, by following every path of random choices.
 * @param {import("../src/laws/law.js").Law} law @param {number[]} held @param {number} cohort
 */
function distribution(law, held, cohort = 0) {
  const found = /** @type {Map<number, [bigint, bigint]>} */ (new Map());
  /** @type {number[][]} */
  const left = [[]];
  for (let path = left.pop(); path; path = left.pop()) {
    let [at, over, under] = [0, 1n, 1n];
    const own = path;
    const choose = (/** @type {number} */ many) => {
      if (at === own.length) {
        for (let other = 1; other < many; other++) left.push([...own, other]);
        own.push(0);
      }
      return own[at++];
    };
    const source = {
      below: (/** @type {any} */ n) => {
        under *= BigInt(n);
        const drawn = choose(Number(n));
        return typeof n === "bigint" ? BigInt(drawn) : drawn;
      },
      coin: (/** @type {bigint} */ heads) => {
        const lands = !choose(2);
        over *= lands ? heads : ONE - heads;
        under *= ONE;
        return lands;
      },
    };
    const [y] = /** @type {Uint8Array} */ (law.respond(/** @type {any} */ (held), /** @type {any} */ (source), cohort));
    found.set(y, plus(found.get(y) ?? [0n, 1n], [over, under]));
  }
  return found;
}

/** All choices of so many of these. @param {number[]} from @param {number} count @returns {number[][]} */
const parts = (from, count) =>
  count ? from.flatMap((first, i) => parts(from.slice(i + 1), count - 1).map((rest) => [first, ...rest])) : [[]];

/** The sets of exactly ``length`` codes that may stand for a set. @param {number[]} held @param {number} items @param {number} length */
function preparedOf(held, items, length) {
  if (held.length > length) return parts(held, length);
  return [[...held, ...Array.from({ length: length - held.length }, (_, i) => items + held.length + i)]];
}

test.each(SHAPES)("of %i items and the length %i every set is reported by the exact law", (items, length) => {
  const law = cover(items, LEVEL, length);
  const count = /** @type {number} */ (law.form.ones);
  const reports = parts(Array.from({ length: items + length }, (_, i) => i), count);
  const missing = BigInt(parts(Array.from({ length: items }, (_, i) => i), count).length);
  const meeting = BigInt(reports.length) - missing;
  const keep = (ONE * odds(LEVEL) * meeting) / (odds(LEVEL) * meeting + ONE * missing);
  expect(keep * missing * ONE <= odds(LEVEL) * (ONE - keep) * meeting).toBe(true); // any two sets, by the level
  for (let code = 0; code < 1 << items; code++) {
    const found = distribution(law, members(code));
    const prepared = preparedOf(members(code), items, length);
    for (const report of reports) {
      const met = BigInt(prepared.filter((own) => own.some((each) => report.includes(each))).length);
      const missed = BigInt(prepared.length) - met;
      const over = met * keep * missing + missed * (ONE - keep) * meeting;
      const y = report.reduce((all, each) => all | (1 << each), 0);
      expect(found.get(y)).toEqual(rational(over, BigInt(prepared.length) * ONE * meeting * missing));
    }
    expect(found.size).toBe(reports.length);
  }
});

test("laws of sets have these integers", () => {
  for (const { items, length, level, count, keep, width } of SETS.laws) {
    const { form, nBytes, respond } = cover(items, level, length);
    /** @type {string[]} */
    const asked = [];
    const coin = (/** @type {bigint} */ heads) => asked.push(`${heads}`) < 0;
    respond(/** @type {any} */ ([]), { coin, below: (/** @type {any} */ n) => /** @type {any} */ (n - n) }, 0);
    expect([form.ones, nBytes, asked[0]]).toEqual([count, width, keep]);
  }
});

test("laws of sets of texts have these integers, and sets these fingerprints", () => {
  for (const { attribute, level, range, width, count, cohorts } of TEXT_SETS.laws) {
    const law = texts.question(attribute).law(level, range);
    expect([law.nBytes, law.form.ones, law.cohorts]).toEqual([width, count, cohorts]);
  }
  const few = texts.question("few").within(0);
  for (const { value, misfit, answer, fingerprints } of TEXT_SETS.answers) {
    expect([few.answer(value), few.misfit?.(value) ?? null]).toEqual([answer, misfit]);
    const codes = /** @type {any} */ (few.encode(answer, /** @type {any} */ (null))).map(String);
    expect(codes.sort()).toEqual([...fingerprints].sort());
  }
  expect([NaN, undefined, null, new Map([["b", 1]]), new Set(["c"])].map(few.answer)).toEqual(["[]", "[]", "[]", '["b"]', '["c"]']);
});

test("a set of texts is reported as the cells of its cohort, by the exact law", () => {
  const law = hashedCover({ cells: 4, cohorts: 3 }, LEVEL, 2);
  const held = /** @type {any} */ ([7n, 2n ** 61n + 5n, 123456789n]);
  for (const cohort of [0, 1, 2]) {
    const cells = new Set(held.map((/** @type {bigint} */ text) => Number(bucket(cohort, text, 4n))));
    const own = distribution(cover(4, LEVEL, 2), /** @type {any} */ ([...cells].sort()));
    const found = distribution(law, held, cohort);
    for (const [y, chance] of own) expect(found.get(y | (cohort << 6))).toEqual(chance);
    expect(found.size).toBe(own.size);
  }
});

test("values of sets and maps have these answers, whatever they are", () => {
  for (const { attribute, value, misfit, answer } of SETS.answers) {
    const asked = plan.question(attribute).within(0);
    expect([asked.answer(value), asked.misfit?.(value) ?? null]).toEqual([answer, misfit]);
  }
  const [many, stars] = ["many", "stars"].map((name) => plan.question(name).within(0));
  const odd = [null, 7, "beer", [["milk"]], new Set(["tea", "milk"]), new Map([["rye", 1]]), [null, {}], { milk: 0 }];
  expect(odd.map((value) => many.answer(value))).toEqual(["[4]", "[4]", "[4]", "[4]", "[0,2]", "[1]", "[4]", "[0]"]);
  const pairs = [7, "a", ["a", 1], [["a", 9, 9]], new Map([["b", "2"]]), [["c", null], ["a", Infinity]], { b: NaN }];
  expect(pairs.map((value) => stars.answer(value))).toEqual(["[]", "[]", "[]", "[]", '[[1,"2"]]', '[[0,"5"]]', "[]"]);
});

test("items become the itemsets that they contain, and these are drawn from recorded words", async () => {
  const vectors = SETS.itemsets;
  const together = await planOf(vectors.plan);
  expect(together.id).toBe(vectors.id);
  const { answer: answerOf } = together.question("basket").within(0);
  for (const vector of vectors.draws) {
    expect(answerOf(vector.value)).toBe(vector.answer);
    expect(drawn(together, { attribute: "basket", level: 1000, ...vector })).toBe(vector.y);
  }
});

test.each([
  { sets: [["milk"]] },
  { sets: [["milk"], ["milk"]] },
  { sets: [["milk"], ["beer"]] },
  { sets: [["milk"], ["tea", "rye"]] },
  { sets: [["milk"], ["rye", "rye"]] },
  { sets: [["milk"], []] },
  { sets: [["milk"], ["rye"]], length: [3] },
])("itemsets like %o are refused", async (changed) => {
  const document = JSON.parse(SETS.itemsets.plan);
  Object.assign(document.attributes[0], changed);
  await expect(planOf(JSON.stringify(document))).rejects.toThrow("not_allowed");
});

test("a hundred thousand entries are one report of the same length, and the change is listed", () => {
  const budget = budgetOf(plan, { many: 1, stars: 1 }, { many: 5 });
  const record = { many: Array.from({ length: 100_000 }, (_, i) => `x${i}`), stars: [["a", 99]] };
  expect(answersOf(plan, record, budget).map(([, , place, answer]) => [place, answer])).toEqual([[2, "[4]"], [0, '[[0,"5"]]']]);
  expect(changesOf(plan, record, budget).map(({ misfit }) => misfit)).toEqual(["entries", "entries"]);
});

test("a length is on the menu of the plan", () => {
  expect(budgetOf(plan, { many: 1 }, { many: 1 }).ranges.size).toBe(0);
  expect(budgetOf(plan, { many: 1 }, { many: 3 }).ranges.get("many")).toBe(1);
  for (const length of [0, 2, 64]) expect(() => budgetOf(plan, { many: 1 }, { many: length })).toThrow("range_off_menu");
});

test.each([
  ["two", { items: ["a"] }],
  ["two", { items: ["a", "a"] }],
  ["two", { length: [3] }],
  ["two", { length: [1, 1] }],
  ["two", { length: [0] }],
  ["two", { mechanism: "grr" }],
  ["stars", { keys: Array.from({ length: 2049 }, (_, i) => `${i}`) }],
  ["stars", { step: 7 }],
  ["stars", { range: [50, 10] }],
  ["age", { mechanism: "cover" }],
  ["age", { applies: [{ attribute: "stars", range: [20, 50] }] }],
  ["age", { applies: [{ attribute: "two", values: ["a"] }] }],
])("a plan with %s like %o is refused", async (name, changed) => {
  await refused(SETS, name, changed);
});

test.each([
  ["few", { items: ["a", "b"] }],
  ["few", { items: "texts" }],
  ["few", { sets: [["a"], ["b"]] }],
  ["few", { mechanism: "cover" }],
  ["few", { mechanism: { cover: { cells: 15, cohorts: 5 } } }],
  ["few", { mechanism: { cover: { cells: 8192, cohorts: 5 } } }],
  ["few", { mechanism: { cover: { cells: 16, cohorts: 0 } } }],
  ["few", { mechanism: { cover: { cells: 16, cohorts: 4 } } }],
  ["few", { mechanism: { cover: { cells: 16 } } }],
  ["few", { length: [5] }],
  ["few", { length: [1, 1] }],
])("a plan whose set of texts %s is like %o is refused", async (name, changed) => {
  await refused(TEXT_SETS, name, changed);
});

/** @param {any} vectors @param {string} name @param {object} changed */
async function refused(vectors, name, changed) {
  const document = JSON.parse(vectors.plan);
  const own = document.attributes.find((/** @type {any} */ each) => each.name === name);
  Object.assign(own, changed);
  const sorted = Object.fromEntries(Object.entries(own).sort());
  for (const key of Object.keys(own)) delete own[key];
  Object.assign(own, sorted);
  await expect(planOf(JSON.stringify(document))).rejects.toThrow("not_allowed");
}
