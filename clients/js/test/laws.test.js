/** Source become the bytes that Python makes of them, law by law. */

import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { encodingOf } from "../src/laws/encoding.js";
import { MORE } from "../src/laws/further.js";
import { admits } from "../src/laws/form.js";
import { signs } from "../src/laws/halfspace.js";
import { FURTHER, LABELS, NUMBERS } from "../src/laws/registry.js";
import { CODED as WORDED, STAGED } from "../src/laws/stated.js";
import { keeps } from "../src/laws/table.js";
import { VARIANTS } from "../src/laws/variant.js";
import { odds } from "../src/odds.js";
import { ONE, system } from "../src/randomness.js";
import { sha256 } from "../src/sha256.js";
import { hashedIntegers, text } from "../src/text.js";
import { bytesOf, drawn, golden, perturb, planOf, recorded } from "./golden.js";

const FILES = ["draws", "numbers", "coded", "texts", "variants", "assigned", "intervals", "sets", "prefixes", "text_sets", "staged", "planes", "binned", "bitflip"].map(golden);
const [DRAWS, OF_NUMBERS, CODED, TEXTS, VARIED, ASSIGNED, , , PREFIXED, , KEPT] = FILES;
const mechanisms = new Map(Object.entries({ ...LABELS, ...MORE, ...NUMBERS, signs }));

/**
 * A source whose coins land, or do not, and that writes down what it is asked.
 * @param {boolean} lands
 */
function spy(lands) {
  /** @type {(bigint | number)[]} */
  const asked = [];
  const source = {
    coin: (/** @type {bigint} */ heads) => (asked.push(heads), lands),
    below: (/** @type {any} */ n) => (asked.push(n), /** @type {any} */ (n - n)),
  };
  return { source, asked };
}

/**
 * What a law asks its source for, code by code.
 * @param {import("../src/laws/law.js").Law} law
 * @param {number} code
 * @param {boolean} lands
 */
function asked(law, code, lands) {
  const { source, asked } = spy(lands);
  perturb(law, code, source);
  return asked.map(String);
}

/** How many functions and buckets a family has. @param {any} hashing */
const familyOf = ({ prime, cells, bits, rows }) =>
  prime
    ? { functions: BigInt(prime) ** 3n, nBuckets: BigInt(cells) }
    : { functions: 1n << BigInt(bits * rows), nBuckets: 1n << BigInt(rows) };

/** The encoding of an attribute, as its plan states it. @param {import("../src/plan.js").Plan} plan @param {string} name */
function encodingIn(plan, name) {
  const { mechanism } = plan.document.attributes.find((/** @type {any} */ a) => a.name === name);
  const [stated] = Object.values(mechanism);
  return /** @type {import("../src/laws/encoding.js").Encoding} */ (
    encodingOf(plan.question(name).within(0).size, stated)
  );
}

/** @param {Set<number>} word */
const places = (word) => [...word].sort((a, b) => a - b);

/** What a law with two stages asks when it sends. @param {import("../src/laws/law.js").Law} law */
function askedAgain({ send, nBytes }) {
  const { source, asked } = spy(true);
  send(new Uint8Array(nBytes).fill(255), source);
  send(new Uint8Array(nBytes), source);
  return [...new Set(asked.map(String))];
}

/**
 * The draws that a law with these integers makes for the code 1.
 * @type {Record<string, (v: any, size: number, lands: boolean) => (string | number)[]>}
 */
const SHAPES = {
  Hashed: ({ keep, hashing }, _, lands) => {
    const { functions, nBuckets } = familyOf(hashing);
    return [`${functions}`, keep, ...(lands ? [] : [`${nBuckets - 1n}`])];
  },
  Choice: (v, size, lands) => (lands ? [v.keep] : [v.keep, size - 1]),
  Histogram: (_, size) => Array(size).fill(1n << 62n),
  Unary: (v, size) => Array.from({ length: size }, (_, i) => (i === 1 ? v.true : v.false)),
  TwoPoint: (v) => [BigInt(v.base) + BigInt(v.slope)].map(String),
  Window: (v, size, lands) => [v.keep, lands ? v.span : (size - 1) * v.cells],
  Hybrid: (v, size, lands) => [
    v.mix,
    ...SHAPES[lands ? "Window" : "TwoPoint"](lands ? v.window : v.points, size, lands),
  ],
  Geometric: (v, size, lands) => (lands ? [ONE / 2n, ...Array(size).fill(v.step)].map(String) : []),
};

test("laws have these integers", () => {
  for (const { mechanism, size, level, shape, width, integers, ...more } of [
    ...DRAWS.laws,
    ...OF_NUMBERS.laws,
  ]) {
    const law = /** @type {any} */ (mechanisms.get(mechanism))(size, level);
    const stated = { ...more, ...integers };
    expect([law.nBytes, mechanism]).toEqual([width, mechanism]);
    for (const lands of [true, false]) {
      if (shape === "Subset") {
        const [keep, ...others] = asked(law, 1, lands);
        expect([keep, others.length + Number(lands)]).toEqual([stated.keep, Number(stated.count)]);
      } else if (shape === "HalfSpace") {
        expect(asked(law, 1, lands)[0]).toBe(stated.keep);
      } else if (shape !== "Geometric" || lands) {
        expect(asked(law, 1, lands)).toEqual(SHAPES[shape](stated, size, lands).map(String));
      }
    }
  }
});

test("the last bucket of the last function is the last that can be sent", () => {
  for (const { mechanism, size, level, hashing, width } of DRAWS.laws) {
    if (!hashing) continue;
    const { form } = /** @type {any} */ (mechanisms.get(mechanism))(size, level);
    const possible = (/** @type {Uint8Array} */ y) => admits(form, y);
    const { functions, nBuckets } = familyOf(hashing);
    const bytes = (/** @type {bigint} */ y) =>
      bytesOf(y.toString(16).padStart(2 * width, "0")).reverse();
    expect([0n, functions * nBuckets - 1n].map(bytes).map(possible)).toEqual([true, true]);
    if ((functions * nBuckets) >> BigInt(8 * width)) continue; // no bytes are left
    expect(possible(bytes(functions * nBuckets))).toBe(false);
    expect(possible(new Uint8Array(width).fill(255))).toBe(false);
  }
});

test("coded laws have these integers and words", async () => {
  const plan = await planOf(CODED.plan);
  for (const { attribute, places: listed } of CODED.words) {
    const encoding = encodingIn(plan, attribute);
    expect(listed).toHaveLength(encoding.cohorts);
    listed.forEach((/** @type {number[][]} */ own, /** @type {number} */ cohort) => {
      expect(own.map((_, code) => places(encoding.codeword(cohort, code)))).toEqual(own);
    });
  }
  for (const { attribute, level, width, instant, ...heads } of CODED.laws) {
    const law = plan.question(attribute).law(level);
    expect(law.nBytes).toBe(width);
    expect(new Set(asked(law, 1, true)).has(heads.true)).toBe(true);
    expect(new Set(asked(law, 1, true)).has(heads.false)).toBe(true);
    expect(askedAgain(law)).toEqual(instant ?? []);
  }
});

test("laws in two stages have these integers", async () => {
  const plan = await planOf(KEPT.plan);
  for (const { attribute, level, width, again, ...heads } of KEPT.laws) {
    const law = plan.question(attribute).law(level);
    const first = asked(law, 1, true);
    expect([law.nBytes, Object.values(heads).every((integer) => first.includes(integer))]).toEqual([width, true]);
    expect(askedAgain(law)).toEqual([again]);
  }
});

test("texts have these fingerprints and buckets", async () => {
  const plan = await planOf(TEXTS.plan);
  for (const { value, answer, fingerprint } of TEXTS.answers) {
    expect([value, text.answer(value)]).toEqual([value, answer]);
    expect(`${text.encode(answer, system())}`).toBe(fingerprint);
  }
  expect([Infinity, -Infinity].map((value) => text.answer(value))).toEqual(["inf", "-inf"]);
  for (const { cohort, place, coefficients } of TEXTS.coefficients)
    expect(hashedIntegers(`cohort ${cohort} ${place}`, 3).map(String)).toEqual(coefficients);
  for (const { attribute, cohort, text: said, places: own } of TEXTS.cells) {
    const code = text.encode(text.answer(said), system());
    expect(places(encodingIn(plan, attribute).codeword(cohort, code))).toEqual(own);
  }
});

test("texts to discover have these codes", async () => {
  const plan = await planOf(PREFIXED.plan);
  for (const { attribute, value, code } of PREFIXED.codes) {
    const { answer, encode } = plan.question(attribute).within(0);
    expect([value, `${encode(answer(value), system())}`]).toEqual([value, code]);
  }
  for (const { attribute, level, width, weights, groups, rows, keep } of PREFIXED.laws) {
    const law = plan.question(attribute).law(level);
    expect([law.nBytes, law.form.inner?.length]).toEqual([width, groups.length]);
    expect(asked(law, /** @type {any} */ (0n), true)).toEqual(["65536", `${1n << BigInt(groups[0] * rows)}`, keep]);
    expect(weights.reduce((/** @type {number} */ all, /** @type {number} */ own) => all + own)).toBe(65536);
  }
});

test("laws of texts have these integers", async () => {
  const plan = await planOf(TEXTS.plan);
  for (const { attribute, level, shape, integers, width, instant } of TEXTS.laws) {
    const law = plan.question(attribute).law(level);
    const { cohorts, bits } = integers.coding ?? integers.hashing;
    const { source, asked } = spy(true);
    expect(law.nBytes).toBe(width);
    perturb(law, /** @type {any} */ (0n), source);
    if (cohorts > 1) expect(`${asked.shift()}`).toBe(cohorts);
    if (shape === "Bloom") {
      expect(asked).toHaveLength(Number(bits));
      expect(new Set(asked.map(String))).toEqual(new Set([integers.true, integers.false]));
      expect(askedAgain(law)).toEqual(instant ?? []);
    } else {
      expect(asked.map(String)).toEqual([`${2 ** (bits ?? 0)}`, integers.keep]);
    }
  }
});

test("credentials have these functions", async () => {
  const plan = await planOf(ASSIGNED.plan);
  for (const { attribute, level, token, function: own } of ASSIGNED.functions) {
    const law = plan.question(attribute).law(level);
    const y = law.forCredential?.(token, plan.id, attribute).respond(0, spy(true).source, 0);
    const reported = [.../** @type {Uint8Array} */ (y)].reduceRight((all, b) => 256n * all + BigInt(b), 0n);
    expect(`${reported / BigInt(law.nBuckets ?? 0)}`).toBe(own);
  }
});

test("variants have these weights", async () => {
  const plan = await planOf(VARIED.plan);
  for (const { attribute, level, weights, width } of VARIED.laws) {
    const law = plan.question(attribute).law(level);
    expect([attribute, law.nBytes]).toEqual([attribute, width]);
    weights.forEach((/** @type {string[]} */ row, /** @type {number} */ code) => {
      const reported = (/** @type {bigint} */ drawn) =>
        perturb(law, code, { coin: () => false, below: () => /** @type {any} */ (drawn) });
      let below = 0n;
      row.forEach((weight, y) => {
        if (weight === "0") return;
        expect([reported(below), reported((below += BigInt(weight)) - 1n)]).toEqual([y, y]);
      });
      expect(below).toBe(1n << 62n);
    });
    expect([4, 5, 255].map((y) => admits(law.form, Uint8Array.of(y)))).toEqual([true, false, false]);
  }
});

test("histograms have these weights, of the true code from the other end", () => {
  for (const { mechanism, size, level, shape, weights } of DRAWS.laws) {
    if (shape !== "Histogram" || size > 5) continue;
    const law = /** @type {any} */ (mechanisms.get(mechanism))(size, level);
    const reported = (/** @type {bigint} */ drawn) => {
      const source = { coin: () => false, below: () => drawn };
      const y = /** @type {any} */ (perturb(law, 1, /** @type {any} */ (source)));
      return [y[0] & 15, y[0] >> 4];
    };
    let [below, above] = [0n, 1n << 62n];
    weights.forEach((/** @type {string} */ weight, /** @type {number} */ digit) => {
      expect([reported(below)[0], reported((below += BigInt(weight)) - 1n)[0]]).toEqual([digit, digit]);
      const [last, next] = [15 - digit, above - BigInt(weight)];
      expect([reported(above - 1n)[1], reported((above = next))[1]]).toEqual([last, last]);
    });
    expect([below, above]).toEqual([1n << 62n, 0n]);
    const ends = [0, 15, 16, 255].map((end) => admits(law.form, new Uint8Array(law.nBytes).fill(end)));
    expect(ends).toEqual([true, true, size % 2 < 1, size % 2 < 1]);
  }
});

test("text with half a pair is made whole as the standard does, and composed", () => {
  const unit = fc.constantFrom("a", "\u0308", "\ud83d", "\ude00", "\ud800", "\udfff", "\ufeff");
  fc.assert(
    fc.property(fc.array(unit), (units) => {
      const bytes = new TextEncoder().encode(units.join(""));
      const whole = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      expect(text.answer(units.join(""))).toBe(whole.normalize("NFC"));
    }),
  );
});

test("below gives the value and reads all its words", () => {
  for (const { below, words, value } of DRAWS.below) {
    const [wide, narrow] = [recorded(words), recorded(words)];
    expect([wide.words.below(BigInt(below)), wide.left()]).toEqual([BigInt(value), 0]);
    if (Number(below) > 2 ** 53) continue;
    expect([narrow.words.below(Number(below)), narrow.left()]).toEqual([Number(value), 0]);
  }
});

test("below reads the fewest bytes, and is below", () => {
  const words = fc.uint8Array({ minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), words, (n, bytes) => {
      const { words: source, left } = recorded(Buffer.from(bytes).toString("hex"));
      expect(source.below(n)).toBeLessThan(n);
      const each = n > 1 ? Math.ceil((BigInt(n) - 1n).toString(2).length / 8) : 0;
      expect(each ? (64 - left()) % each : left() - 64).toBe(0);
    }),
  );
});

test("the system's words do not repeat, however many are asked for", () => {
  const source = system();
  const seen = Array.from({ length: 2000 }, (_, i) => source.below(1n << BigInt(64 + (i % 99))));
  expect(new Set(seen).size).toBe(2000);
  expect(source.below(1n << 20000n)).toBeGreaterThan(1n << 19900n);
});

test("odds are these integers", () => {
  for (const vector of DRAWS.odds) {
    expect(`${odds(vector.level, vector.per)}`).toBe(vector.odds);
  }
});

test("digests are those of the standard", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(Buffer.from(sha256(bytes)).toString("hex")).toBe(
        createHash("sha256").update(bytes).digest("hex"),
      );
    }),
  );
});

test.each(FILES)("words become these bytes and none is left", async (file) => {
  const plan = await planOf(file.plan);
  expect(plan.id).toBe(file.id);
  for (const vector of file.draws)
    expect(drawn(plan, vector), JSON.stringify(vector)).toBe(vector.y);
});

test("every mechanism has vectors", async () => {
  const names = new Set();
  for (const file of FILES) {
    const plan = await planOf(file.plan);
    for (const { attribute } of file.draws) names.add(plan.question(attribute).mechanism);
  }
  expect(names).toEqual(
    new Set([...Object.keys({ ...LABELS, ...MORE, ...NUMBERS, ...WORDED, ...STAGED, ...VARIANTS }), "hierarchy", "optimal", "cover", "prefixes", "dbitflip"]),
  );
  expect(Object.keys(MORE)).toEqual(FURTHER);
});

test("a table that reveals more than its level is refused", async () => {
  const { tables } = (await planOf(OF_NUMBERS.plan)).document;
  for (const [level, weights] of Object.entries(tables)) {
    expect(keeps(Number(level), /** @type {any} */ (weights))).toBe(true);
    if (level !== "1") expect(keeps(1, /** @type {any} */ (weights))).toBe(false);
  }
});
