/** The vectors that Python made, and words recorded in them. */

import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { encoded, little } from "../src/bytes.js";
import { admits } from "../src/laws/form.js";
import { readPlan } from "../src/plan.js";
import { sourceFrom } from "../src/randomness.js";

/** @param {string} name @returns {any} */
export const golden = (name) =>
  JSON.parse(readFileSync(new URL(`../../../tests/golden/${name}.json`, import.meta.url), "utf-8"));

/** Vectors, each the one argument of a test. @param {any[]} vectors @returns {[any][]} */
export const each = (vectors) => vectors.map((vector) => [vector]);

/** @param {string} text */
export const bytesOf = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** @param {string} text */
export const planOf = (text) => readPlan(encoded(text));

/** @param {Record<string, string>} texts by name */
export async function plansOf(texts) {
  /** @type {Record<string, import("../src/plan.js").Plan>} */
  const plans = {};
  for (const [name, text] of Object.entries(texts)) plans[name] = await planOf(text);
  return plans;
}

/** Source from a vector, with more behind them, and how many were not read. @param {string} hex */
export function recorded(hex) {
  const bytes = bytesOf(hex + "00".repeat(64));
  let used = 0;
  const words = sourceFrom((count) => bytes.slice(used, (used += count)));
  return { words, left: () => hex.length / 2 - used };
}

/**
 * The permanent response of a new device, whose cohort is drawn first.
 * @param {import("../src/laws/law.js").Law} law
 * @param {any} code
 * @param {import("../src/randomness.js").Source} source
 */
export const perturb = ({ cohorts, respond }, code, source) =>
  respond(code, source, cohorts > 1 ? source.below(cohorts) : 0);

/**
 * What is sent about one attribute, from the words of a vector, of which none may be left.
 * @param {import("../src/plan.js").Plan} plan
 * @param {any} vector
 */
export function drawn(plan, vector) {
  const { attribute: name, level, value, range = 0 } = vector;
  const { words, left } = recorded(vector.words);
  const { assigned, nBytes, within, law: lawAt } = plan.question(name);
  const own = lawAt(level, range);
  const law = (assigned && own.forCredential?.(vector.token, plan.id, name)) || own;
  const attribute = within(range);
  const values = attribute.length === undefined && Array.isArray(value) ? value : [value]; // of a bundle, one for each part
  const y = perturb(law, attribute.encode(attribute.answer(...values), words), words);
  const response = new Uint8Array(nBytes());
  response.set(typeof y === "number" ? little(y, nBytes()) : y);
  expect(admits(law.form, response), JSON.stringify(vector)).toBe(true);
  const sent = law.send(response, words);
  expect(left(), JSON.stringify(vector)).toBe(0);
  return Buffer.from(sent).toString("hex");
}
