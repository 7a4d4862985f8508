/**
 * A store that lasts as long as the browser keeps the site's data.
 *
 * Every transaction has ``durability: "strict"``: what it wrote is on the disk when it is through.
 * Those of other tabs wait.
 */

import { StateError } from "../errors.js";
import { TABLES } from "./store.js";

const VERSION = 1;

/** @typedef {import("./store.js").Transaction} Transaction */

/** Open the store of this site with a name. @param {string} name @returns {Promise<import("./store.js").Store>} */
export async function indexed(name = "discretion") {
  const request = indexedDB.open(name, VERSION);
  request.onupgradeneeded = () => TABLES.forEach((table) => request.result.createObjectStore(table));
  const db = await settled(request);
  db.onversionchange = () => db.close(); // a newer page takes over; what is done here fails
  return {
    /** @template T @param {boolean} write @param {(tx: Transaction) => Promise<T>} work @returns {Promise<T>} */
    async transact(write, work) {
      /** @type {IDBTransaction | undefined} */
      let tx;
      try {
        tx = db.transaction(TABLES, write ? "readwrite" : "readonly", { durability: "strict" });
        const through = over(tx);
        through.catch(() => {}); // it is waited for below, if the work comes so far
        const done = await work(transaction(tx));
        await through;
        return done;
      } catch (error) {
        try {
          tx?.abort();
        } catch {
          // it is over already
        }
        throw error instanceof DOMException ? unreadable(error) : error;
      }
    },
    close: () => db.close(),
  };
}

/** @param {IDBTransaction} tx @returns {Transaction} */
const transaction = (tx) => ({
  get: (table, key) => settled(tx.objectStore(table).get(key)),
  put: (table, key, value) => tx.objectStore(table).put(value, key),
  all: (table, plan) => settled(tx.objectStore(table).getAll(plan && IDBKeyRange.bound([plan], [plan, []]))),
});

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(unreadable(request.error));
    Object.assign(request, { onblocked: () => reject(new StateError("busy")) }); // by an older page
  });

/** @param {IDBTransaction} tx */
const over = (tx) =>
  new Promise((resolve, reject) => {
    tx.oncomplete = resolve;
    tx.onabort = () => reject(unreadable(tx.error));
  });

/** @param {unknown} error */
const unreadable = (error) => new StateError("unreadable", null, error);
