/**
 * Labels that an owner can distinguish: none is blank, and no two are equal after NFKC, apart
 * from invisible characters and the number of spaces.
 *
 * A plan that was pinned or answered before this rule existed goes on, so the rule is no part of
 * reading a plan: a device applies it when it meets a plan for the first time.
 */

import { refuse } from "./errors.js";
import { codesOf } from "./fits.js";
import { met } from "./state.js";

/**
 * Refuse a plan that is new to this store if its names or labels are unclear.
 * @param {import("./stores/store.js").Transaction} tx
 * @param {import("./plan.js").Plan} plan
 */
export async function meet(tx, { id, document: { name, attributes } }) {
  if (await met(tx, id)) return;
  distinct("name", [name]);
  distinct("attributes", attributes.map((/** @type {any} */ stated) => stated.name));
  for (const stated of attributes) distinct(stated.name, codesOf(stated));
}

/** @param {string} field @param {string[]} labels */
function distinct(field, labels) {
  const seen = new Map();
  for (const label of labels) {
    const shown = visible(label);
    if (!shown || seen.has(shown)) refuse("unclear_label", field, label, seen.get(shown));
    seen.set(shown, label);
  }
}

/** What can be seen of a text, in one spelling; capitals stay capitals. @param {string} text */
export const visible = (text) =>
  text
    .normalize("NFKC")
    .replace(/[\p{DI}\u2800]/gu, "")
    .normalize("NFKC")
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim();
