/**
 * A plan that words another one anew, and an owner who says that it still asks the same.
 *
 * Only then is what was answered under the one before repeated: a response that is repeated reveals
 * that two answers are equal, so the memo of another question would leak without a bound.
 *
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./stores/store.js").Store} Store
 * @typedef {import("./stores/store.js").Transaction} Transaction
 */

import { refuse } from "./errors.js";
import { fact, note } from "./state.js";

/**
 * The plans whose answers a plan shares, the first one first; none, as a rule.
 * @param {Transaction} tx
 * @param {string} plan
 * @returns {Promise<string[]>}
 */
export const before = async (tx, plan) => (await fact(tx, "before", plan)) ?? [];

/**
 * The plan under which the answers to a plan are remembered: itself, as a rule.
 * @param {Transaction} tx
 * @param {string} plan
 */
export const rootOf = async (tx, plan) => (await before(tx, plan))[0] ?? plan;

/** Remember how a plan is worded that is answered. @param {Transaction} tx @param {Plan} plan */
export const keepWording = (tx, { id, lawId, document: { wording = {} } }) =>
  note(tx, { law: lawId, wording }, "worded", id);

/**
 * The wording of the plan that this one words anew, if it was answered here and this one was not.
 * @param {Plan} plan
 * @param {Store} store
 * @returns {Promise<import("./wording.js").Wording | undefined>}
 */
export const predecessor = (plan, store) => store((tx) => wordedBefore(tx, plan));

/** Go on with what was answered under the predecessor. @param {Plan} plan @param {Store} store */
export const adopt = (plan, store) =>
  store(async (tx) => {
    const { id, document } = plan;
    if (!(await wordedBefore(tx, plan))) refuse("no_predecessor", null, id);
    note(tx, [...(await before(tx, document.replaces)), document.replaces], "before", id);
  });

/** @param {Transaction} tx @param {Plan} plan */
async function wordedBefore(tx, { id, lawId, document: { replaces } }) {
  const known = replaces && (await fact(tx, "worded", replaces));
  const fresh = known?.law === lawId && !(await tx.all("outbox", id)).length;
  return fresh ? known.wording : undefined;
}
