/** The vectors that Python made, and words recorded in them. */

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { drawn as permanent } from "../src/device.js";
import { encoded } from "../src/encoding.js";
import { Plan } from "../src/plan.js";
import { Words } from "../src/randomness.js";

/** @param {string} name @returns {any} */
export const golden = (name) =>
  JSON.parse(readFileSync(new URL(`../../../tests/golden/${name}.json`, import.meta.url), "utf-8"));

/** Vectors, each the one argument of a test. @param {any[]} vectors @returns {[any][]} */
export const each = (vectors) => vectors.map((vector) => [vector]);

/** @param {string} text */
export const bytesOf = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {string} text */
export const planOf = (text) => new Plan(encoded(text));

/** @param {number} level @param {number} place */
export const gradeOf = (level, place = 0) => place * 32768 + level;

/** Words from a vector, with more behind them, and how many were not read. @param {string} hex */
export function recorded(hex) {
  const bytes = bytesOf(hex + "00".repeat(64));
  let used = 0;
  const words = new Words((count) => bytes.slice(used, (used += count)));
  return { words, left: () => hex.length / 2 - used };
}

/** What is sent about one attribute, from the words of a vector, of which none may be left. @param {Plan} plan @param {any} vector */
export function drawn(plan, vector) {
  const { attribute: name, level, value, range = 0 } = vector;
  const { words, left } = recorded(vector.words);
  const [law, grade] = [plan.law(name, gradeOf(level, range)), gradeOf(level, range)];
  const kept = permanent(plan, name, grade, plan.question(name).at(range).answer(value), words);
  expect(law.possible(kept), JSON.stringify(vector)).toBe(true);
  const y = law.send ? law.send(kept, words) : kept;
  expect(left(), JSON.stringify(vector)).toBe(0);
  return Buffer.from(y).toString("hex");
}
