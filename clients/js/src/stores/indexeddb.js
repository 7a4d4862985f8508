/**
 * A store that lasts as long as the browser keeps the site's data.
 *
 * Every transaction has ``durability: "strict"``: what it wrote is on the disk when it is through.
 * Those of other tabs wait.
 */

import { DiscretionError } from "../errors.js";
import { TABLES, unmoved } from "./store.js";

const VERSION = 1;

/**
 * Open the store of this site with a name.
 * @param {string} name
 * @returns {Promise<import("./store.js").Store>}
 */
export async function indexed(name = "discretion") {
  const opening = indexedDB.open(name, VERSION);
  opening.onupgradeneeded = () =>
    TABLES.forEach((table) => opening.result.createObjectStore(table));
  const db = await readable(settled(opening));
  db.onversionchange = () => db.close(); // a newer page takes over; what is done here fails
  return (work, moved = false) =>
    readable(
      new Promise((resolve, reject) => {
        const tx = db.transaction(TABLES, "readwrite", { durability: "strict" });
        /** @type {any} */
        let done;
        tx.oncomplete = () => resolve(done);
        tx.onabort = () => reject(tx.error);
        const rows = (/** @type {string} */ table) => tx.objectStore(table);
        (moved ? work : unmoved(work))({
          get: (table, key) => settled(rows(table).get(key)),
          put: (table, key, value) => rows(table).put(value, key),
          clear: (table) => rows(table).clear(),
          all: (table, first) =>
            settled(rows(table).getAll(first && IDBKeyRange.bound([first], [first, []]))),
          keys: (table) => settled(/** @type {IDBRequest<any>} */ (rows(table).getAllKeys())),
        }).then(
          (value) => (done = value),
          (error) => {
            reject(error);
            if (!tx.error) tx.abort(); // else it is over already
          },
        );
      }),
    );
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const settled = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/**
 * What the browser says when it cannot, under our name.
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
const readable = (promise) =>
  promise.catch((error) => {
    throw error instanceof DOMException ? new DiscretionError("unreadable", null, error) : error;
  });
