/** The vectors that Python made, and words recorded in them. */

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { encoded, little } from "../src/encoding.js";
import { gradeOf } from "../src/budget.js";
import { Plan } from "../src/plan.js";
import { Words } from "../src/randomness.js";

/** @param {string} name @returns {any} */
export const golden = (name) =>
  JSON.parse(readFileSync(new URL(`../../../tests/golden/${name}.json`, import.meta.url), "utf-8"));

/** @param {string} text */
export const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {string} text */
export const planOf = (text) => new Plan(encoded(text));

/** Words from a vector, with more behind them, and how many were read. @param {string} hex */
export function recorded(hex) {
  const bytes = bytesOf(hex + "00".repeat(64));
  let used = 0;
  const words = new Words((count) => bytes.slice(used, (used += count)));
  return { words, left: () => hex.length / 2 - used };
}

/**
 * What is sent about one attribute, from the words of a vector, of which none may be left.
 * @param {Plan} plan @param {any} vector
 */
export function drawn(plan, vector) {
  const { attribute: name, level, value, range = 0 } = vector;
  const { words, left } = recorded(vector.words);
  const attribute = plan.question(name, range);
  const code = attribute.encode(attribute.answer(value), words);
  const y = plan.law(name, gradeOf(level, range)).perturb(code, words);
  expect(left(), JSON.stringify(vector)).toBe(0);
  return Buffer.from(typeof y === "number" ? little(y, plan.width(name)) : y).toString("hex");
}
