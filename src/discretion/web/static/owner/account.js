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
export const wanted = (store, plan) => listIn(store, ["wanted", plan]);

/** @param {Store} store @param {string} plan @param {number} round */
export const want = (store, plan, round) => addTo(store, ["wanted", plan], round);

/**
 * The plans that a collector had before, whose reports may still be deleted.
 * @param {Store} store
 * @param {string} collector
 * @returns {Promise<string[]>}
 */
export const former = (store, collector) => listIn(store, ["former", collector]);

/** @param {Store} store @param {string} collector @param {string} plan */
export const outlive = (store, collector, plan) => addTo(store, ["former", collector], plan);

/** @param {Store} store @param {string[]} key @returns {Promise<any[]>} */
const listIn = async (store, key) => (await store((tx) => tx.get("facts", key))) ?? [];

/** @param {Store} store @param {string[]} key @param {number | string} item */
const addTo = (store, key, item) =>
  store(async (tx) => {
    const known = (await tx.get("facts", key)) ?? [];
    tx.put("facts", key, [...new Set([...known, item])]);
  });
