/**
 * All that a store holds, answers included, as bytes; and such bytes, checked row by row.
 *
 * The bytes are text padded with spaces to a power of two, so that the length of a file tells little
 * about the answers in it.
 *
 * @typedef {import("./stores/store.js").Table} Table
 * @typedef {import("./stores/store.js").Key} Key
 * @typedef {import("./stores/store.js").Transaction} Transaction
 * @typedef {[Table, Key, any]} Row
 * @typedef {{site: string, moves: string[], rows: Row[]}} State ``moves``: the times that it was moved,
 *   each by an id of its own
 */

import { decoded, encoded, hex, unhex } from "./bytes.js";
import { refuse } from "./errors.js";
import { fits, isMapping, whole } from "./fits.js";
import { ONE } from "./randomness.js";
import { idOf } from "./report.js";
import { TABLES } from "./stores/store.js";

const SHORTEST = 2 ** 16; // bytes
const LARGE = 1e12; // thousandths
const RECEIPT_BYTES = 32;
const OWN = ["moves", "moved"]; // facts of the store, and not of the state

/** @param {Transaction} tx @returns {Promise<Row[]>} */
export async function rowsOf(tx) {
  /** @type {Row[]} */
  const rows = [];
  for (const table of TABLES) {
    const [keys, values] = [await tx.keys(table), await tx.all(table)];
    rows.push(...keys.map((key, i) => /** @type {Row} */ ([table, key, values[i]])));
  }
  return rows.filter(([table, [kind]]) => table !== "facts" || !OWN.includes(`${kind}`));
}

/** @param {State} state @returns {Uint8Array} */
export function written(state) {
  const text = JSON.stringify(state, (_, value) =>
    value instanceof Uint8Array ? { hex: hex(value) } : value,
  );
  const bytes = encoded(text);
  const padded = new Uint8Array(Math.max(SHORTEST, 2 ** Math.ceil(Math.log2(bytes.length)))).fill(32);
  padded.set(bytes);
  return padded;
}

/** @param {Uint8Array} bytes @returns {State} */
export function read(bytes) {
  let state;
  try {
    state = JSON.parse(decoded(bytes), (_, value) =>
      isHex(value?.hex) ? unhex(value.hex) : value,
    );
  } catch {
    refuse("foreign_file");
  }
  const { site, moves, rows } = state ?? {};
  if (!isText(site) || !fits([isHex], moves) || !Array.isArray(rows)) refuse("foreign_file");
  const odd = rows.find((/** @type {any} */ row) => !isRow(row));
  return odd === undefined ? { site, moves, rows } : refuse("foreign_file", null, odd);
}

/** @param {any} row */
const isRow = (row) =>
  Array.isArray(row) &&
  row.length === 3 &&
  Object.hasOwn(SHAPES, row[0]) &&
  Array.isArray(row[1]) &&
  SHAPES[row[0]].key.test(row[1].map((/** @type {unknown} */ part) => typeof part).join()) &&
  SHAPES[row[0]].value(row[2], row[1]);

const isBytes = (/** @type {unknown} */ value) => value instanceof Uint8Array;
const isText = (/** @type {unknown} */ value) => typeof value === "string";
const isHex = (/** @type {any} */ value) => isText(value) && /^([0-9a-f]{2})*$/.test(value);
const isLevel = whole(1, LARGE);
const isCohort = whole(0, Number.MAX_SAFE_INTEGER);
const isThreshold = (/** @type {any} */ value) => isText(value) && /^\d{1,20}$/.test(value) && BigInt(value) < ONE;

/** @type {Record<string, {key: RegExp, value: (value: any, key: any) => unknown}>} */
const SHAPES = {
  ledger: {
    key: /^string,number,string$/,
    value: (value) => fits({ level: isLevel, names: [isText] }, value),
  },
  memo: { key: /^string,string,number,number,string$/, value: isBytes },
  outbox: { key: /^string,number$/, value: isSealed },
  facts: { key: /^string(,string)?$/, value: isFact },
};

/** @param {any} value @param {Key} key */
function isFact(value, [kind]) {
  if (kind === "limit") return isLevel(value);
  if (kind === "thresholds") return isMapping(value) && Object.values(value).every(isThreshold);
  if (kind === "cohorts") return isMapping(value) && Object.values(value).every(isCohort);
  if (kind === "group") return whole(0, 255)(value);
  if (kind === "window") return fits({ rounds: isLevel, level: isLevel }, value);
  return kind === "former" ? Array.isArray(value) : !OWN.includes(`${kind}`);
}

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
