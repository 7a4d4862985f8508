/**
 * What a state needs of a store: tables of values by key, and transactions that happen as a whole.
 *
 * Inside a transaction only its own requests may be waited for. What ``transact`` returned has
 * happened: it is on the disk, where there is one. What threw has not, in any part.
 *
 * @typedef {"ledger" | "memo" | "outbox" | "facts"} Table
 * @typedef {(string | number)[]} Key the first part of most is the id of a plan
 * @typedef {{
 *   get: (table: Table, key: Key) => Promise<any>,
 *   put: (table: Table, key: Key, value: unknown) => void,
 *   all: (table: Table, plan?: string) => Promise<any[]>,
 * }} Transaction ``all``: in the order of keys
 * @typedef {{
 *   transact: <T>(write: boolean, work: (tx: Transaction) => Promise<T>) => Promise<T>,
 *   close: () => void,
 * }} Store
 */

/** @type {Table[]} */
export const TABLES = ["ledger", "memo", "outbox", "facts"];
