/**
 * What a device remembers: what it spent, what it said, and what it has sealed.
 *
 * Sealing a report (the charges, the new permanent answers and the bytes) is one transaction, made
 * before anything leaves: a report drawn a second time would tell more than the first.
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
 * }} Sealed ``request``: a digest of what it answers; ``granted``: what it would have cost if every
 *   answer had been new; ``sent``: it never leaves again; ``fate``: what became of it
 * @typedef {import("./stores/store.js").Transaction} Transaction
 */

import { memory } from "./stores/memory.js";

/** The ledger, the memo and the outbox of one owner. */
export class State {
  constructor(store = memory()) {
    this.store = store;
  }

  /** All that happens inside, or nothing. @template T @param {(tx: Transaction) => Promise<T>} work @returns {Promise<T>} */
  write(work) {
    return this.store.transact(true, work);
  }

  /** @template T @param {(tx: Transaction) => Promise<T>} work @returns {Promise<T>} */
  read(work) {
    return this.store.transact(false, work);
  }

  /** Thousandths of epsilon charged so far, in all or for one attribute, alone or bundled. @param {string} [attribute] @returns {Promise<number>} */
  async spent(attribute) {
    const rows = await this.read((tx) => tx.all("ledger"));
    return rows.reduce((sum, { level, names }) => sum + (!attribute || names.includes(attribute) ? level : 0), 0);
  }

  /** Set a lifetime limit in thousandths; it stays, and no later one can raise it. @param {number} level */
  setLimit(level) {
    return this.write(async (tx) => {
      tx.put("facts", ["limit"], Math.min(level, (await tx.get("facts", ["limit"])) ?? level));
    });
  }

  /** What is sealed for a round. @param {string} plan @param {number} round @returns {Promise<Sealed | undefined>} */
  sealed(plan, round) {
    return this.read((tx) => tx.get("outbox", [plan, round]));
  }

  /** All that is sealed under a plan. @param {string} plan @returns {Promise<Sealed[]>} */
  rounds(plan) {
    return this.read((tx) => tx.all("outbox", plan));
  }

  /**
   * Note what became of a sealed report, the first time that it is told; never send it again. If it
   * was withdrawn meanwhile and the collector did not know it then, the withdrawal is sent again.
   * @param {string} plan @param {number} round @param {Outcome} outcome
   */
  settle(plan, round, outcome, reason = "") {
    return this.#change(plan, round, ({ fate, withdrawn }) => {
      const there = outcome === "accepted" || outcome === "duplicate";
      return {
        fate: fate ?? { outcome, reason },
        withdrawn: there && withdrawn === "unknown" ? "kept" : withdrawn,
      };
    });
  }

  /** Note that a sealed report is not wanted any more, and what the collector said of it. @param {string} plan @param {number} round @param {Outcome} outcome */
  withdraw(plan, round, outcome = "kept") {
    return this.#change(plan, round, ({ withdrawn }) => ({
      withdrawn: withdrawn === "deleted" ? withdrawn : outcome,
    }));
  }

  /** The id of the plan that is known of a collector. @param {string} collector @returns {Promise<string | undefined>} */
  pinned(collector) {
    return this.read((tx) => tx.get("facts", ["pin", collector]));
  }

  /** Pin a collector's plan in place of the known one; the one that is pinned then, which is another if another page was quicker. @param {string} collector @param {string} plan @param {string | undefined} known @returns {Promise<string>} */
  pin(collector, plan, known) {
    return this.write(async (tx) => {
      const pinned = await tx.get("facts", ["pin", collector]);
      if (pinned !== known) return pinned ?? plan;
      tx.put("facts", ["pin", collector], plan);
      return plan;
    });
  }

  /** @param {string} plan @param {number} round @param {(sealed: Sealed) => Partial<Sealed>} change */
  #change(plan, round, change) {
    return this.write(async (tx) => {
      const sealed = await tx.get("outbox", [plan, round]);
      if (sealed) tx.put("outbox", [plan, round], { ...sealed, ...change(sealed), sent: true });
    });
  }
}
