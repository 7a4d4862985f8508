/** A store that lasts as long as the page: for trials, tests and simulations. */

import { unmoved } from "./store.js";

/**
 * @typedef {import("./store.js").Transaction} Transaction
 * @typedef {Map<string, {table: string, key: import("./store.js").Key, value: unknown}>} Rows
 */

/** @returns {import("./store.js").Store} */
export function memory() {
  /** @type {Rows} */
  let rows = new Map();
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (work, moved = false) => {
    const turn = last.then(async () => {
      const copy = new Map(rows); // which is kept when the work is through
      const done = await (moved ? work : unmoved(work))(transaction(copy));
      rows = copy;
      return done;
    });
    last = turn.catch(() => {});
    return turn;
  };
}

/** @param {Rows} rows @returns {Transaction} */
const transaction = (rows) => ({
  get: async (table, key) => structuredClone(rows.get(JSON.stringify([table, ...key]))?.value),
  put: (table, key, value) =>
    rows.set(JSON.stringify([table, ...key]), structuredClone({ table, key, value })),
  clear: (table) => inOrder(rows, table).forEach(({ key }) => rows.delete(JSON.stringify([table, ...key]))),
  all: async (table, first) => inOrder(rows, table, first).map(({ value }) => structuredClone(value)),
  keys: async (table) => inOrder(rows, table).map(({ key }) => key),
});

/** @param {Rows} rows @param {string} table @param {string} [first] */
const inOrder = (rows, table, first) =>
  [...rows.values()]
    .filter((row) => row.table === table && (!first || row.key[0] === first))
    .sort((a, b) => Number(a.key[1]) - Number(b.key[1]));
