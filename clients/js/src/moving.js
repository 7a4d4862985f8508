/**
 * Moving a state elsewhere: into a file under a passphrase, which ends it here, and out of one.
 *
 * Two devices that go on from one state draw separately, and so reveal more. So a state is closed in
 * the same transaction that makes its file final. The closed store keeps the file, for a download that
 * failed, and forgets the answers, also the digests of those in sealed reports, by which they could be
 * guessed. From then on it refuses everything but to take a state in.
 *
 * What a state has been through is the set of reports that it sealed and of its moves, each with a
 * random id. A file is taken in where it has been through all that this store knows, or has nothing in
 * common with it; it is older where the store has been through all of it and more, else a fork. A copied
 * file that is taken in elsewhere cannot be detected.
 *
 * Taking in only ever adds: no charge, no permanent answer and no sealed report of the present store is
 * removed or replaced, and charges of both count. A limit becomes the smaller one. A file has no
 * signature: whoever makes one up decides what later reports repeat.
 *
 * @typedef {import("./stores/store.js").Store} Store
 * @typedef {import("./stores/store.js").Table} Table
 * @typedef {import("./stores/store.js").Key} Key
 * @typedef {import("./stores/store.js").Transaction} Transaction
 * @typedef {import("./portable.js").Row} Row
 */

import { hex } from "./bytes.js";
import { refuse } from "./errors.js";
import { locked, MOST_BYTES, unlocked } from "./passphrase.js";
import { read, rowsOf, written } from "./portable.js";
import { token } from "./randomness.js";
import { fact, note } from "./state.js";

const ID_BYTES = 16;
const FORGOTTEN = ""; // in place of a digest

/**
 * Close a state and return the file that it goes on from.
 * @param {Store} store
 * @param {string} passphrase
 * @param {string} site whose surveys it is about: the page's origin
 * @returns {Promise<Uint8Array>}
 */
export async function moveOut(store, passphrase, site) {
  const id = hex(token(ID_BYTES));
  const state = async (/** @type {Transaction} */ tx) => ({
    site,
    moves: [...(await movesOf(tx)), id],
    rows: await rowsOf(tx),
  });
  for (;;) {
    const before = written(await store(state));
    const file = await locked(before, passphrase);
    const closed = await store(async (tx) => {
      const now = await state(tx);
      if (!written(now).every((byte, i) => byte === before[i])) return false; // another page wrote meanwhile
      note(tx, now.moves, "moves");
      note(tx, file, "moved");
      tx.clear("memo");
      for (const [table, key, value] of now.rows)
        if (table === "outbox") tx.put(table, key, { ...value, request: FORGOTTEN });
      return true;
    });
    if (closed) return file;
  }
}

/**
 * The file that a state was moved to, if it was.
 * @param {Store} store
 * @returns {Promise<Uint8Array | undefined>}
 */
export const movedOut = (store) => store((tx) => fact(tx, "moved"), true);

/**
 * Go on with the state in a file: all of it, or nothing if it is refused.
 * @param {Store} store
 * @param {Uint8Array} file
 * @param {string} passphrase
 * @param {string} site
 * @returns {Promise<number>} how many reports it added
 */
export async function moveIn(store, file, passphrase, site) {
  if (file.length > MOST_BYTES) refuse("foreign_file", null, file.length, MOST_BYTES);
  const state = read(await unlocked(file, passphrase));
  if (state.site !== site) refuse("other_site", null, state.site, site);
  const arrival = hex(token(ID_BYTES));
  return store(async (tx) => {
    const present = await rowsOf(tx);
    const here = pastOf({ rows: present, moves: await movesOf(tx) });
    const there = pastOf(state);
    const goesOn = isWithin(here, there);
    if (!goesOn) {
      if (isWithin(there, here)) refuse("older_state");
      if ([...there].some((id) => here.has(id))) refuse("forked_state");
      if (await fact(tx, "moved")) refuse("moved");
    }
    let added = 0;
    const isOther = await otherCohorts(tx, state.rows);
    for (const [table, key, value] of state.rows) {
      if (table === "memo" && isOther(key)) continue;
      const known = await tx.get(table, key);
      const joined = JOIN[table](known, value, key, goesOn);
      if (joined !== undefined) tx.put(table, key, joined);
      if (table === "outbox" && !known) added++;
    }
    note(tx, [...new Set([...(await movesOf(tx)), ...state.moves, arrival])], "moves");
    note(tx, null, "moved");
    return added;
  }, true);
}

/**
 * Whether what is remembered in a file was drawn in another cohort than the one kept here. A report that
 * names the other one would reveal that its answer was given there, so it is drawn, and charged, anew.
 * @param {Transaction} tx @param {Row[]} rows
 * @returns {Promise<(key: Key) => boolean>}
 */
async function otherCohorts(tx, rows) {
  const other = new Set();
  for (const [table, [kind, plan], value] of rows) {
    if (table !== "facts" || !/^cohorts?$/.test(`${kind}`)) continue;
    const known = (await fact(tx, `${kind}`, `${plan}`)) ?? value;
    if (kind === "cohort" && known !== value) other.add(`${plan}`);
    for (const name of kind === "cohorts" ? Object.keys(value) : [])
      if ((known[name] ?? value[name]) !== value[name]) other.add(`${plan} ${name}`);
  }
  return ([plan, name]) => other.has(`${plan}`) || other.has(`${plan} ${name}`);
}

/** @param {Transaction} tx @returns {Promise<string[]>} */
const movesOf = async (tx) => (await fact(tx, "moves")) ?? [];

/** What a state has been through. @param {{rows: Row[], moves: string[]}} state */
const pastOf = ({ rows, moves }) =>
  new Set([
    ...moves,
    ...rows.filter(([table]) => table === "outbox").map(([, , { receipt }]) => hex(receipt)),
  ]);

/** @param {Set<string>} few @param {Set<string>} many */
const isWithin = (few, many) => [...few].every((id) => many.has(id));

/**
 * ``goesOn``: the file knows all that is known here; undefined: nothing is written.
 * @type {Record<Table, (present: any, value: any, key: Key, goesOn: boolean) => any>}
 */
const JOIN = {
  ledger: (present, value) => (present?.level >= value.level ? undefined : value),
  memo: (present, value) => (present ? undefined : value),
  outbox: (present, value, [plan, round]) => {
    if (!present) return value;
    if (hex(present.report) !== hex(value.report)) refuse("other_report", `${plan}`, round);
    const withdrawn = value.withdrawn === "deleted" ? value.withdrawn : present.withdrawn;
    return {
      ...present,
      request: present.request || value.request,
      granted: Math.max(present.granted, value.granted),
      sent: present.sent || value.sent,
      fate: present.fate ?? value.fate,
      withdrawn: withdrawn ?? value.withdrawn,
    };
  },
  facts: (present, value, [kind], goesOn) =>
    Object.hasOwn(FACTS, kind) ? FACTS[kind](present, value) : goesOn ? value : (present ?? value),
};

/** @type {Record<string, (present: any, value: any) => any>} by kind, where both count */
const FACTS = {
  limit: (present = Infinity, value) => Math.min(present, value),
  window: (present, value) => (present?.level < value.level ? present : value),
  former: (present = [], value) => [...new Set([...present, ...value])],
  lists: (present, value) => ({ ...value, ...present }),
  cohorts: (present, value) => ({ ...value, ...present }),
  thresholds: (present, value) => ({ ...value, ...present }), // of ranges that were answered apart
  wanted: () => undefined, // what comes in a file is sent when its owner asks for it again
};
