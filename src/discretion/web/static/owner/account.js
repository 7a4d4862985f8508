/**
 * What this device has spent, the most that it may, and which reports it was told to send.
 *
 * @typedef {import("../device/stores/store.js").Store} Store
 * @typedef {{spent: number, granted: number, limit: number | undefined}} Account in thousandths of
 *   epsilon; ``granted``: what counts towards the limit, as if every answer had been a new one
 */

import { spent } from "../device/index.js";

/** @param {Store} store @returns {Promise<Account>} */
export async function accountIn(store) {
  const { limit, sealed } = await store(async (tx) => ({
    limit: await tx.get("facts", ["limit"]),
    sealed: await tx.all("outbox"),
  }));
  const granted = sealed.reduce((sum, { granted }) => sum + granted, 0);
  return { spent: await spent(store), granted, limit };
}

/**
 * The rounds whose reports the owner asked to be sent: what was only sealed never leaves by itself.
 * @param {Store} store
 * @param {string} plan
 * @returns {Promise<number[]>}
 */
export const wanted = async (store, plan) =>
  (await store((tx) => tx.get("facts", ["wanted", plan]))) ?? [];

/** @param {Store} store @param {string} plan @param {number} round */
export const want = (store, plan, round) =>
  store(async (tx) => {
    const rounds = (await tx.get("facts", ["wanted", plan])) ?? [];
    tx.put("facts", ["wanted", plan], [...new Set([...rounds, round])]);
  });

/**
 * The plans that a collector had before, whose reports may still be deleted.
 * @param {Store} store
 * @param {string} collector
 * @returns {Promise<string[]>}
 */
export const former = async (store, collector) =>
  (await store((tx) => tx.get("facts", ["former", collector]))) ?? [];

/** @param {Store} store @param {string} collector @param {string} plan */
export const outlive = (store, collector, plan) =>
  store(async (tx) => {
    const plans = (await tx.get("facts", ["former", collector])) ?? [];
    tx.put("facts", ["former", collector], [...new Set([...plans, plan])]);
  });
