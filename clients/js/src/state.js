/**
 * What a device remembers: what it spent, what it said, and what it has sealed.
 *
 * Sealing a report (the charges, the new permanent answers and the bytes) is one transaction, made
 * before anything leaves: a report drawn a second time would reveal more than the first.
 *
 * @typedef {"accepted" | "duplicate" | "dropped" | "deleted" | "unknown" | "kept"} Outcome
 *   dropped: refused for good; unknown: of a withdrawal, there is no such report; kept: not settled
 * @typedef {{
 *   round: number,
 *   receipt: Uint8Array,
 *   request: string,
 *   report: Uint8Array,
 *   granted: number,
 *   sent: boolean,
 *   fate?: {outcome: Outcome, reason: string},
 *   withdrawn?: Outcome,
 * }} Sealed ``request``: a digest of what it answers, empty where the state moved out; ``granted``: what
 *   it would have cost if every answer had been new; ``sent``: it never leaves again; ``fate``: what became of it
 * @typedef {import("./stores/store.js").Store} Store
 * @typedef {import("./stores/store.js").Transaction} Transaction
 */

/**
 * Thousandths of epsilon charged so far, in all or for one attribute, alone or bundled.
 * @param {Store} store
 * @param {string} [attribute]
 * @returns {Promise<number>}
 */
export async function spent(store, attribute) {
  const rows = await store((tx) => tx.all("ledger"));
  return rows.reduce(
    (sum, { level, names }) => sum + (!attribute || names.includes(attribute) ? level : 0),
    0,
  );
}

/**
 * What is sealed for a round.
 * @param {Store} store
 * @param {string} plan
 * @param {number} round
 * @returns {Promise<Sealed | undefined>}
 */
export const sealedIn = (store, plan, round) => store((tx) => tx.get("outbox", [plan, round]));

/**
 * All that is sealed under a plan.
 * @param {Store} store
 * @param {string} plan
 * @returns {Promise<Sealed[]>}
 */
export const roundsIn = (store, plan) => store((tx) => tx.all("outbox", plan));

/**
 * Note what became of a sealed report, when first known; never send it again. If it
 * was withdrawn meanwhile and the collector did not know it then, the withdrawal is sent again.
 * @param {Store} store @param {string} plan @param {number} round @param {Outcome} outcome @param {string} reason
 */
export const settle = (store, plan, round, outcome, reason) =>
  change(store, plan, round, ({ fate, withdrawn }) => ({
    fate: fate ?? { outcome, reason },
    withdrawn: /^(acc|dup)/.test(outcome) && withdrawn === "unknown" ? "kept" : withdrawn,
  }));

/**
 * Note that a sealed report is not wanted any more, and what the collector said of it.
 * @param {Store} store
 * @param {string} plan
 * @param {number} round
 * @param {Outcome} outcome
 */
export const withdraw = (store, plan, round, outcome) =>
  change(store, plan, round, ({ withdrawn }) => ({
    withdrawn: withdrawn === "deleted" ? withdrawn : outcome,
  }));

/**
 * @param {Store} store
 * @param {string} plan
 * @param {number} round
 * @param {(sealed: Sealed) => Partial<Sealed>} made
 */
const change = (store, plan, round, made) =>
  store(async (tx) => {
    const sealed = await tx.get("outbox", [plan, round]);
    if (sealed) tx.put("outbox", [plan, round], { ...sealed, ...made(sealed), sent: true });
  });

/**
 * The id of the plan that is known of a collector.
 * @param {Store} store
 * @param {string} collector
 * @returns {Promise<string | undefined>}
 */
export const pinned = (store, collector) => store((tx) => fact(tx, "pin", collector));

/**
 * Pin a collector's plan in place of the known one; the one that is pinned then, which is another
 * if another page was quicker.
 * @param {Store} store
 * @param {string} collector
 * @param {string} plan
 * @param {string | undefined} known
 * @returns {Promise<string>}
 */
export const pin = (store, collector, plan, known) =>
  store(async (tx) => {
    const before = await fact(tx, "pin", collector);
    if (before !== known) return before ?? plan;
    return note(tx, plan, "pin", collector);
  });

/**
 * Whether a plan is pinned, for any collector, or was answered.
 * @param {Transaction} tx
 * @param {string} plan
 */
export const met = async (tx, plan) =>
  (await tx.all("facts", "pin")).includes(plan) || (await tx.all("outbox", plan)).length > 0;

/**
 * Something that is known once.
 * @param {Transaction} tx
 * @param {...string} key
 */
export const fact = (tx, ...key) => tx.get("facts", key);

/**
 * Know it from now on.
 * @template T
 * @param {Transaction} tx
 * @param {T} value
 * @param {...string} key
 */
export function note(tx, value, ...key) {
  tx.put("facts", key, value);
  return value;
}
