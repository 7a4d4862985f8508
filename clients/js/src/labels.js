/**
 * Labels that an owner can tell from each other: none is blank, and no two are equal after NFKC.
 *
 * A plan that was pinned or answered before this rule existed goes on, so the rule is no part of
 * reading a plan: a device applies it when it meets a plan for the first time.
 */

import { refuse } from "./errors.js";
import { met } from "./state.js";

const BLANK = /^[\p{C}\p{Z}\p{DI}\u2800]*$/u; // nothing of it can be seen

/**
 * Refuse a plan that is new to this store if its names or labels are unclear.
 * @param {import("./stores/store.js").Transaction} tx
 * @param {import("./plan.js").Plan} plan
 */
export async function meet(tx, { id, document: { attributes } }) {
  if (await met(tx, id)) return;
  distinct("attributes", attributes.map((/** @type {any} */ stated) => stated.name));
  for (const { name, values = [] } of attributes) distinct(name, values);
}

/** @param {string} field @param {string[]} labels */
function distinct(field, labels) {
  const seen = new Map();
  for (const label of labels) {
    const plain = label.normalize("NFKC");
    if (BLANK.test(plain) || seen.has(plain))
      refuse("unclear_label", field, label, seen.get(plain));
    seen.set(plain, label);
  }
}
