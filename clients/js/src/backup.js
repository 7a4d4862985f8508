/**
 * A copy of a store as text, and how a copy is joined to the store that is there.
 *
 * Joining only ever adds: no charge, no permanent answer and no sealed report of the present store is
 * removed or replaced, so joining a copy never makes a device draw an answer a second time. Charges
 * of both count. A copy that has another report for a round that is sealed here is refused, since one
 * of the two would be lost. A limit becomes the smaller one.
 *
 * A copy has no signature: its key would be lost together with the store. Whoever makes up a copy
 * decides what later reports repeat, so an owner must join only copies that she made herself.
 *
 * @typedef {import("./stores/store.js").Store} Store
 * @typedef {import("./stores/store.js").Table} Table
 * @typedef {import("./stores/store.js").Key} Key
 * @typedef {[Table, Key, any]} Row
 */

import { decoded, hex } from "./bytes.js";
import { refuse } from "./errors.js";
import { idOf } from "./report.js";
import { fits, isMapping, whole } from "./fits.js";
import { TABLES } from "./stores/store.js";

const FORMAT = "discretion-state-1";
const LARGE = 1e12; // thousandths
const RECEIPT_BYTES = 32;

/** All that a store holds, answers included, as text. @param {Store} store @returns {Promise<string>} */
export const backup = (store) =>
  store(async (tx) => {
    const rows = [];
    for (const table of TABLES) {
      const [keys, values] = [await tx.keys(table), await tx.all(table)];
      rows.push(...keys.map((key, i) => [table, key, values[i]]));
    }
    return JSON.stringify({ format: FORMAT, rows }, (_, value) =>
      value instanceof Uint8Array ? { hex: hex(value) } : value,
    );
  });

/**
 * Join a copy to a store: all of it, or nothing if it is refused.
 * @param {Store} store
 * @param {string} text
 * @returns {Promise<number>} how many reports it added
 */
export async function restore(store, text) {
  const rows = rowsIn(text);
  return store(async (tx) => {
    let added = 0;
    for (const [table, key, value] of rows) {
      const present = await tx.get(table, key);
      const joined = JOIN[table](present, value, key);
      if (joined !== undefined) tx.put(table, key, joined);
      if (table === "outbox" && !present) added++;
    }
    return added;
  });
}

/** @type {Record<Table, (present: any, value: any, key: Key) => any>} undefined: nothing is written */
const JOIN = {
  ledger: (present, value) => (present?.level >= value.level ? undefined : value),
  memo: (present, value) => (present ? undefined : value),
  outbox: (present, value, [plan, round]) => {
    if (!present) return value;
    if (hex(present.report) !== hex(value.report)) refuse("other_report", `${plan}`, round);
    const withdrawn = value.withdrawn === "deleted" ? value.withdrawn : present.withdrawn;
    return {
      ...present,
      granted: Math.max(present.granted, value.granted),
      sent: present.sent || value.sent,
      fate: present.fate ?? value.fate,
      withdrawn: withdrawn ?? value.withdrawn,
    };
  },
  facts: (present, value, [kind]) => (FACTS[kind] ?? first)(present, value),
};

/** What is known stays. @param {any} present @param {any} value */
const first = (present, value) => present ?? value;

/** @type {Record<string, (present: any, value: any) => any>} by kind, where it is not what is known first */
const FACTS = {
  limit: (present = Infinity, value) => Math.min(present, value),
  former: (present = [], value) => [...new Set([...present, ...value])],
  lists: (present, value) => ({ ...value, ...present }),
  wanted: () => undefined, // what comes from a copy is sent when its owner asks for it again
};

/** @param {string} text @returns {Row[]} */
function rowsIn(text) {
  let copy;
  try {
    copy = JSON.parse(text, (_, value) =>
      typeof value?.hex === "string" ? bytesOf(value.hex) : value,
    );
  } catch {
    refuse("bad_copy");
  }
  if (copy?.format !== FORMAT || !Array.isArray(copy.rows)) refuse("bad_copy", null, copy?.format);
  const odd = copy.rows.find((/** @type {any} */ row) => !isRow(row));
  return odd === undefined ? copy.rows : refuse("bad_copy", null, odd);
}

/** @param {any} row */
const isRow = (row) =>
  fits([() => true], row) &&
  row.length === 3 &&
  Object.hasOwn(SHAPES, row[0]) &&
  Array.isArray(row[1]) &&
  SHAPES[row[0]].key.test(row[1].map((/** @type {unknown} */ part) => typeof part).join()) &&
  SHAPES[row[0]].value(row[2], row[1]);

const isBytes = (/** @type {unknown} */ value) => value instanceof Uint8Array;
const isText = (/** @type {unknown} */ value) => typeof value === "string";
const isLevel = whole(1, LARGE);

/** @type {Record<string, {key: RegExp, value: (value: any, key: any) => unknown}>} */
const SHAPES = {
  ledger: {
    key: /^string,number,string$/,
    value: (value) => fits({ level: isLevel, names: [isText] }, value),
  },
  memo: { key: /^string,string,number,number,string$/, value: isBytes },
  outbox: { key: /^string,number$/, value: isSealed },
  facts: {
    key: /^string(,string)?$/,
    value: (value, [kind]) =>
      kind === "limit" ? isLevel(value) : kind !== "former" || Array.isArray(value),
  },
};

/**
 * Whether it is a sealed report, of this plan and round, that its receipt can prove.
 * @param {any} value
 * @param {Key} key
 */
function isSealed(value, [plan, round]) {
  if (!isMapping(value) || !isBytes(value.report) || !isBytes(value.receipt)) return false;
  const { request, receipt, granted, sent } = value;
  try {
    const report = JSON.parse(decoded(value.report));
    return (
      receipt.length === RECEIPT_BYTES &&
      report.id === idOf(receipt) &&
      report.plan === plan &&
      report.round === round &&
      value.round === round &&
      isText(request) &&
      isLevel(granted) &&
      typeof sent === "boolean"
    );
  } catch {
    return false;
  }
}

/** @param {string} text */
const bytesOf = (text) =>
  /^([0-9a-f]{2})*$/.test(text)
    ? Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16))
    : refuse("bad_copy");
