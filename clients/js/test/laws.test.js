/** Words become the bytes that Python makes of them, law by law. */

import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gradeOf } from "../src/budget.js";
import { signs } from "../src/laws/halfspace.js";
import { MECHANISMS, NUMBERS, OPTIMAL } from "../src/laws/registry.js";
import { odds } from "../src/odds.js";
import { sha256 } from "../src/sha256.js";
import { drawn, golden, planOf, recorded } from "./golden.js";

const [DRAWS, OF_NUMBERS, CODED] = ["draws", "numbers", "coded"].map(golden);

/** The integers of a law as text, under the names that Python gives them. @param {any} law @param {any} like @returns {any} */
const stated = (law, like) =>
  Object.fromEntries(
    Object.keys(like).map((key) => [
      key,
      typeof law[key] === "object" ? stated(law[key], like[key]) : String(law[key]),
    ]),
  );

test("below and under give the value and read all its words", () => {
  for (const { below, words, value } of DRAWS.below) {
    const [wide, narrow] = [recorded(words), recorded(words)];
    expect([`${wide.words.under(BigInt(below))}`, wide.left()]).toEqual([value, 0]);
    if (Number(below) > 2 ** 53) continue;
    expect([`${narrow.words.below(Number(below))}`, narrow.left()]).toEqual([value, 0]);
  }
});

test("below and under agree on the same words", () => {
  const words = fc.uint8Array({ minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), words, (n, bytes) => {
      const hex = Buffer.from(bytes).toString("hex");
      const [wide, narrow] = [recorded(hex), recorded(hex)];
      const value = narrow.words.below(n);
      expect(value).toBeLessThan(n);
      expect([wide.words.under(BigInt(n)), wide.left()]).toEqual([BigInt(value), narrow.left()]);
    }),
  );
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

describe("laws are these integers", () => {
  test("of labels", () => {
    for (const { mechanism, size, level, shape, width, ...integers } of DRAWS.laws) {
      const law = MECHANISMS[mechanism](size, level);
      expect([law.constructor.name, law.width]).toEqual([shape, width]);
      expect(stated(law, integers)).toEqual(integers);
    }
  });

  test("of numbers", () => {
    for (const { mechanism, size, level, shape, width, integers } of OF_NUMBERS.laws) {
      const law = mechanism === "signs" ? signs(size, level) : NUMBERS[mechanism](size, level);
      expect([law.constructor.name, law.width]).toEqual([shape, width]);
      expect(stated(law, integers)).toEqual(integers);
    }
  });

  test("of bundles", () => {
    const plan = planOf(OF_NUMBERS.plan);
    for (const { bundle, level, shape, width, integers } of OF_NUMBERS.bundles) {
      const law = plan.law(bundle, level);
      expect([law.constructor.name, law.width]).toEqual([shape, width]);
      expect(stated(law, integers)).toEqual(integers);
    }
  });

  test("of coded mechanisms, and these are the words", () => {
    const plan = planOf(CODED.plan);
    for (const { attribute, bits, places } of CODED.words) {
      const coding = plan.questions.get(attribute)?.coding;
      expect(coding?.bits).toBe(bits);
      places.forEach((/** @type {number[][]} */ own, /** @type {number} */ cohort) => {
        expect(coding?.words(cohort)).toEqual(own);
      });
    }
    for (const { attribute, level, width, instant, ...integers } of CODED.laws) {
      const law = /** @type {any} */ (plan.law(attribute, gradeOf(level, 0)));
      expect(stated(law, integers)).toEqual(integers);
      expect([law.width, law.instant?.map(String) ?? null]).toEqual([width, instant]);
    }
  });
});

test.each([DRAWS, OF_NUMBERS, CODED])("words become these bytes and no word is left", (file) => {
  const plan = planOf(file.plan);
  expect(plan.id).toBe(file.id);
  for (const vector of file.draws) expect(drawn(plan, vector), JSON.stringify(vector)).toBe(vector.y);
});

test("every mechanism has vectors", () => {
  const names = [DRAWS, OF_NUMBERS, CODED].flatMap((file) => {
    const plan = planOf(file.plan);
    return file.draws.map((/** @type {any} */ v) => plan.mechanism(v.attribute));
  });
  const all = [...Object.keys(MECHANISMS), ...Object.keys(NUMBERS), OPTIMAL, "bloom", "rappor"];
  expect(new Set(names)).toEqual(new Set(all));
});
