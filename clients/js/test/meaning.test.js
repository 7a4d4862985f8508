/** What a page says of a level holds, and is what the law does. */

import { createCipheriv } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { bit } from "../src/bytes.js";
import { MORE } from "../src/laws/further.js";
import { parities, polynomials } from "../src/laws/hashing.js";
import { FURTHER, LABELS, NUMBERS } from "../src/laws/registry.js";
import { lineOf } from "../src/laws/window.js";
import { meaning, revealed, together } from "../src/meaning.js";
import { decimal } from "../src/rational.js";
import { ONE, sourceFrom } from "../src/randomness.js";
import { golden, perturb, planOf } from "./golden.js";

const ALPHA = 1e-6; // a bound that is right fails as often
const SEED = 20261116;
const DRAWS = 2000;
const STOCK = 1 << 16; // bytes
const BITS = 512n; // of the reference
const VARIANTS = ["open", "parts", "places"]; // their forms
const mechanisms = new Map(Object.entries({ ...LABELS, ...MORE, ...NUMBERS }));
const PLANS = await Promise.all(
  ["draws", "numbers", "coded", "texts", "variants", "assigned", "intervals", "prefixes"].map((name) => planOf(golden(name).plan)),
);
const VARIED = PLANS[4];
const BUNDLED = await planOf(golden("malformed").plans.bundled);

const levels = fc.integer({ min: 1, max: 20_000 });
const sizes = fc.integer({ min: 2, max: 12 });
const QUIET = ["she"]; // digits speak for every answer, more or less
const SPOKEN = ["grr", "subset", "sue", "oue", "pm", "sw", "window", ...FURTHER];
const spoken = fc.constantFrom(...SPOKEN.filter((name) => !QUIET.includes(name)));

/** e^(level / 1000) * 2^BITS from below, by the series of its inverse. @param {number} level */
function reference(level) {
  const [one, x] = [1n << (2n * BITS), BigInt(level)];
  let [sum, term] = [0n, one];
  for (let k = 1n; term; k++) [sum, term] = [sum + term, (-term * x) / (1000n * k)];
  return (one << BITS) / (sum + (1n << BITS));
}

/** A stream of words that a number names. @param {number} seed */
function stream(seed) {
  const cipher = createCipheriv("aes-128-ctr", Buffer.alloc(16, `${seed}`), Buffer.alloc(16));
  let [stock, used] = [new Uint8Array(0), 0];
  return sourceFrom((count) => {
    if (used + count > stock.length)
      [stock, used] = [Uint8Array.from(cipher.update(new Uint8Array(STOCK))), 0];
    return stock.slice(used, (used += count));
  });
}

/**
 * Whether the bucket that was sent holds the code.
 * @param {string} name @param {number} nBuckets @param {number} size @param {number} code
 * @param {Uint8Array} y
 */
function holds(name, nBuckets, size, code, y) {
  const [all, each] = [BigInt(`0x${Buffer.from(y).reverse().toString("hex")}`), BigInt(nBuckets)];
  const { bucket } = /lh$/.test(name)
    ? polynomials(size, each, each)
    : parities(BigInt(Math.ceil(Math.log2(size))), BigInt(Math.log2(nBuckets)), 4n);
  return bucket(all / each, BigInt(code)) === all % each;
}

/**
 * Whether what was sent speaks for the code.
 * @param {string} name @param {import("../src/laws/law.js").Law} law @param {number} size
 * @param {number} code @param {number | Uint8Array} y
 */
function speaks(name, { form, nBuckets }, size, code, y) {
  if (nBuckets) return holds(name, nBuckets, size, code, /** @type {Uint8Array} */ (y));
  if (typeof y !== "number") return bit(y, code) === 1;
  if (form.nOutputs === size) return y === code;
  const start = code * (lineOf(size) / (size - 1));
  return y >= start && y < start + Number(form.nOutputs) - lineOf(size);
}

/** What Chernoff's bound allows a share of the draws to be. @param {number} seen @param {number} p */
function plausible(seen, p) {
  const part = (/** @type {number} */ a, /** @type {number} */ b) => (a ? a * Math.log(a / b) : 0);
  return DRAWS * (part(seen, p) + part(1 - seen, 1 - p)) < Math.log(2 / ALPHA);
}

/** @param {string} mechanism @param {number} size @param {number} level */
const lawOf = (mechanism, size, level) =>
  /** @type {any} */ (mechanisms.get(mechanism))(size, level);

/** @param {bigint} kept */
const probability = (kept) => Number(kept) / Number(ONE);

test("beliefs and odds are never understated, and hardly overstated", () => {
  fc.assert(
    fc.property(fc.array(levels, { maxLength: 5 }), (all) => {
      const { sure, odds } = together(all);
      const exact = reference(all.reduce((a, b) => a + b, 0));
      const [belief, power] = /** @type {[bigint, number]} */ (decimal(`${sure}`));
      const unit = 10n ** BigInt(-power);
      const whole = exact + (1n << BITS);
      expect(belief * whole >= 100n * unit * exact).toBe(true);
      if (sure < 100) expect((belief - 1n) * whole <= 100n * unit * exact || unit < 10n).toBe(true);
      else expect(100n * 10000n * exact > 999999n * whole).toBe(true);
      const close = Number((exact * 10n ** 6n) >> BITS) / 10 ** 6;
      expect(odds).toBeGreaterThanOrEqual(close);
      expect(odds).toBeLessThan(close * (1 + 1e-12) + 0.0101);
    }),
  );
});

test.each([
  [[], 50, 1],
  [[250], 56.3, 1.29],
  [[500], 62.3, 1.65],
  [[1000], 73.2, 2.72],
  [[500, 500], 73.2, 2.72],
  [[4600], 99.1, 99.49],
  [[8000], 99.97, 2980.96],
  [[13800], 99.9999, 984609.12],
  [[20000], 100, 485165195.41],
])("answers at %j make sure to %d %% by a factor of %d", (all, sure, odds) => {
  expect(together(all)).toEqual({ sure, odds });
});

test("as many draws as a law says speak for the answer, and not as many as another says", () => {
  let distinguished = 0;
  fc.assert(
    fc.property(
      spoken,
      sizes,
      fc.integer({ min: 1, max: 6000 }),
      fc.nat(),
      (name, size, level, n) => {
        const [law, source, code] = [lawOf(name, size, level), stream(n), n % size];
        let seen = 0;
        for (let i = 0; i < DRAWS; i++)
          seen += Number(speaks(name, law, size, code, perturb(law, code, source)));
        expect(plausible(seen / DRAWS, probability(law.kept))).toBe(true);
        if (!plausible(seen / DRAWS, probability(lawOf(name, size, 2 * level).kept))) distinguished++;
      },
    ),
    { seed: SEED, numRuns: 80 },
  );
  expect(distinguished).toBeGreaterThan(30);
});

test("what is kept is the law's probability", () => {
  fc.assert(
    fc.property(sizes, levels, (size, level) => {
      const top = Math.exp(level / 1000);
      const kept = (/** @type {string} */ name) => probability(lawOf(name, size, level).kept);
      expect(kept("grr")).toBeCloseTo(top / (top + size - 1), 12);
      expect(kept("sue")).toBeCloseTo(1 / (1 + Math.exp(-level / 2000)), 12);
      expect(kept("oue")).toBe(0.5);
      for (const name of ["pm", "sw", "window"]) {
        const span = Number(lawOf(name, size, level).form.nOutputs) - lineOf(size);
        expect(kept(name)).toBeCloseTo((span * top) / (span * top + lineOf(size)), 12);
      }
    }),
    { numRuns: 50 },
  );
});

test("what is kept is Python's integer, and others have none", () => {
  for (const { mechanism, size, level, shape, integers, ...more } of [
    ...golden("draws").laws,
    ...golden("numbers").laws,
  ]) {
    if (!mechanisms.has(mechanism)) continue;
    const stated = { ...more, ...integers };
    const heads = {
      Choice: stated.keep,
      Hashed: stated.keep,
      Subset: stated.keep,
      Unary: stated.true,
      Window: stated.keep,
    };
    const { kept, also, nBuckets } = lawOf(mechanism, size, level);
    expect([mechanism, kept && `${kept}`]).toEqual([mechanism, Reflect.get(heads, shape)]);
    expect([mechanism, also && `${also}`]).toEqual([mechanism, stated.false]);
    const { rows, cells: stretches = rows && 2 ** rows } = stated.hashing ?? {};
    expect([mechanism, nBuckets && `${nBuckets}`]).toEqual([mechanism, stretches && `${stretches}`]);
  }
});

test("every question of a plan has a meaning at every level", () => {
  const forms = new Set();
  for (const plan of [...PLANS, BUNDLED]) {
    for (const name of plan.questions.keys()) {
      for (const level of [plan.question(name).menu[0], Number(plan.question(name).menu.at(-1))]) {
        const { kept, also, form, count, sensitive, contract, cost, ...bound } = meaning(
          plan,
          name,
          level,
        );
        forms.add(form);
        const own = plan === VARIED ? "variant" : plan.document.bundles ? "record" : "attribute";
        expect(contract).toBe(own);
        if (plan !== VARIED) expect(cost).toBe(level);
        expect(bound).toEqual(revealed(plan, [[name, level]]));
        if (plan !== VARIED) expect(bound).toEqual({ ...together([level]), closed: null });
        expect(kept === null).toBe(["number", "digits", "words", "signs", "interval", "prefix", ...VARIANTS].includes(form));
        expect(also !== null).toBe(["bits", "open"].includes(form));
        expect(sensitive !== null).toBe(form === "open");
        if (form === "group") expect(count).toBe(plan.question(name).law(level).nBuckets);
        else if (form !== "set") expect(count).toBe(null);
        else {
          const size = plan.question(name).within(0).size;
          const law = plan.question(name).law(level);
          const set = /** @type {Uint8Array} */ (law.respond(0, stream(1), 0));
          const held = Array.from({ length: size }, (_, code) => bit(set, code));
          expect(count).toBe(held.reduce((a, b) => a + b));
        }
      }
    }
  }
  const all = ["bits", "digits", "group", "interval", "near", "number", "one", "prefix", "set", "signs", "words", ...VARIANTS];
  expect(forms).toEqual(new Set(all));
});

test("what a variant reveals is what its law does between the two answers it distinguishes best", () => {
  for (const { attribute, level, weights } of golden("variants").laws) {
    const columns = weights.map((/** @type {any} */ _, /** @type {number} */ y) =>
      weights.map((/** @type {string[]} */ row) => Number(row[y])),
    );
    const ratios = columns.map((/** @type {number[]} */ c) => Math.max(...c) / Math.min(...c));
    const { sure, odds, closed, also, sensitive } = meaning(VARIED, attribute, level);
    const bound = closed ?? { sure, odds };
    const most = Math.max(...ratios.filter(Number.isFinite));
    expect(bound.odds).toBeGreaterThanOrEqual(most * (1 - 1e-12));
    expect(bound.odds).toBeLessThan(most * (1 + 1e-12) + 0.0101);
    expect(bound.sure).toBeGreaterThanOrEqual((100 * most) / (1 + most) - 1e-9);
    expect(closed === null).toBe(ratios.every(Number.isFinite));
    if (!closed) continue;
    expect([sure, odds]).toEqual([100, Infinity]);
    expect(sensitive).toEqual(attribute === "one" ? ["2"] : ["0", "3"]);
    const openly = sensitive?.map((label) => Number(weights[1][Number(label)]) / 2 ** 62) ?? [];
    expect(also).toBe(Math.round(100 * openly.reduce((a, b) => a + b)));
  }
});

test("a variant costs the least level that allows its law's largest exact ratio", () => {
  const seen = [];
  for (const { attribute, level, weights } of golden("variants").laws) {
    const { cost } = meaning(VARIED, attribute, level);
    const columns = weights.map((/** @type {any} */ _, /** @type {number} */ y) =>
      weights
        .map((/** @type {string[]} */ row) => BigInt(row[y]))
        .sort((/** @type {bigint} */ a, /** @type {bigint} */ b) => Number(a - b)),
    );
    const closed = columns.filter((/** @type {bigint[]} */ [first]) => first);
    const within = (/** @type {number} */ c) =>
      closed.every(
        (/** @type {bigint[]} */ column) =>
          (column.at(-1) ?? 0n) << BITS <= column[0] * reference(c),
      );
    expect(within(cost), `${attribute} at ${level}`).toBe(true);
    expect(cost === 1 || !within(cost - 1), `${attribute} at ${level}`).toBe(true);
    seen.push([attribute, level, cost]);
  }
  expect(seen).toContainEqual(["even", 1000, 300]);
  expect(seen).toContainEqual(["one", 1000, 1000]);
  expect(Math.max(...seen.map(([, , cost]) => Number(cost)))).toBeGreaterThan(17_000);
});

test("a variant keeps its own contract in a plan with bundles", async () => {
  const stated = (/** @type {string} */ name, /** @type {any} */ mechanism) => ({
    fallback: "no",
    kind: "categorical",
    mechanism,
    name,
    values: ["no", "yes"],
  });
  const places = { metric: { places: [[0], [999_000]] } };
  const plan = await planOf(
    JSON.stringify({
      allocation: "disclosed",
      attributes: [stated("a", "grr"), stated("b", "grr"), stated("far", places)],
      budget: { levels: [1000] },
      bundles: [["a", "b"]],
      contract: "record",
      format: 1,
      name: "mixed",
      share: { least: 1 },
    }),
  );
  expect(meaning(plan, "a+b", 2000)).toMatchObject({ contract: "record", cost: 2000 });
  const { contract, cost, sure } = meaning(plan, "far", 1000);
  expect([contract, sure]).toEqual(["variant", 100]);
  expect(cost).toBeGreaterThan(17_000);
  const { odds } = revealed(plan, [["a+b", 2000], ["far", 1000]]);
  expect(odds).toBeGreaterThan(Math.exp(17 + 2));
});

test("far places reveal more than the level, small parts less, and factors multiply", () => {
  const odds = (/** @type {[string, number][]} */ ...levels) => revealed(VARIED, levels).odds;
  const e = together([1000]).odds;
  expect(odds(["plane", 1000])).toBeGreaterThan(1000 * e);
  expect(odds(["even", 1000])).toBeLessThan(1.36);
  expect(odds(["order", 1000], ["even", 1000])).toBeCloseTo(3.792 * 1.35, 1);
  expect(revealed(VARIED, [["order", 1000], ["one", 1000]])).toMatchObject({
    sure: 100,
    closed: { odds: expect.closeTo(Math.exp(2.333), 1) },
  });
  expect(revealed(VARIED, [])).toEqual({ ...together([]), closed: null });
});

test("a level, a name or a range that the plan lacks has none", () => {
  const [plan] = PLANS;
  const [name] = plan.questions.keys();
  const [level] = plan.question(name).menu;
  expect(() => meaning(plan, "nobody", level)).toThrow("unknown_attribute");
  expect(() => meaning(plan, name, level + 0.5)).toThrow("level_off_menu");
  expect(() => meaning(plan, name, level, 9)).toThrow("range_off_menu");
});
