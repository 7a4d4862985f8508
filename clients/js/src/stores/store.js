/**
 * What a state needs of a store: tables of values by key, and transactions that happen as a whole.
 *
 * A store is a function: it does some work in a transaction of its own. Inside, only the
 * transaction's own requests may be waited for. What it returned has happened: it is on the disk,
 * where there is one. What threw has not, in any part.
 *
 * @typedef {"ledger" | "memo" | "outbox" | "facts"} Table
 * @typedef {(string | number)[]} Key the first part of most is the id of a plan, of facts their kind
 * @typedef {{
 *   get: (table: Table, key: Key) => Promise<any>,
 *   put: (table: Table, key: Key, value: unknown) => void,
 *   clear: (table: Table) => void,
 *   all: (table: Table, first?: string) => Promise<any[]>,
 *   keys: (table: Table) => Promise<Key[]>,
 * }} Transaction ``all``: in the order of keys; those whose key
 *   starts so; ``keys``: in the same order
 * @typedef {<T>(work: (tx: Transaction) => Promise<T>, moved?: boolean) => Promise<T>} Store ``moved``:
 *   even if the state was moved elsewhere; else that is refused
 */

import { refuse } from "../errors.js";

/** @type {Table[]} */
export const TABLES = ["ledger", "memo", "outbox", "facts"];

/** Work that is refused where the state was moved. @template T @param {(tx: Transaction) => Promise<T>} work */
export const unmoved = (work) => async (/** @type {Transaction} */ tx) => {
  if (await tx.get("facts", ["moved"])) refuse("moved");
  return work(tx);
};
