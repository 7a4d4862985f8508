/**
 * What this device has spent, the most that it may, what it answered, and which reports it was told
 * to send.
 *
 * @typedef {import("../device/stores/store.js").Store} Store
 * @typedef {{rounds: number, level: number, granted: number, spent: number}} Window a limit over some rounds;
 *   of those around the round, the most that count towards it, and what they were charged
 * @typedef {{spent: number, granted: number, limit: number | undefined, windows: Window[]}} Account in
 *   thousandths of epsilon; ``granted``: what counts towards the limit, as if every answer had been a new one
 * @typedef {import("../device/plan.js").Plan} Plan
 * @typedef {(part: string) => {name: string, level: number} | undefined} Earlier the name under which an attribute,
 *   or one with the same list of values, was answered under other plans and not yet under this one; ``level``:
 *   what its reports were charged, in thousandths
 */

import { encoded, hex } from "../device/bytes.js";
import { codesOf } from "../device/fits.js";
import { spent } from "../device/index.js";
import { grantedNear, windowsIn } from "../device/rounds.js";
import { sha256 } from "../device/sha256.js";
import { before } from "../device/succession.js";
import { stated } from "./wording.js";

const LISTS = "lists"; // of values, by plan

/**
 * @param {Store} store
 * @param {{plan: Plan, survey: {round: number | null}}} [at] the round that limits over rounds are about
 * @returns {Promise<Account>}
 */
export async function accountIn(store, at) {
  const { limit, sealed, windows } = await store(async (tx) => ({
    limit: await tx.get("facts", ["limit"]),
    sealed: await tx.all("outbox"),
    windows: at ? await windowsAt(tx, at.plan.id, at.survey.round ?? 0) : [],
  }));
  const granted = sealed.reduce((sum, { granted }) => sum + granted, 0);
  return { spent: await spent(store), granted, limit, windows };
}

/** @param {import("../device/stores/store.js").Transaction} tx @param {string} plan @param {number} round */
async function windowsAt(tx, plan, round) {
  const [keys, charged] = [await tx.keys("ledger"), await tx.all("ledger")];
  const here = [plan, ...(await before(tx, plan))];
  const found = (await windowsIn(tx)).map(async ({ rounds, level }) => ({
    rounds,
    level,
    granted: await grantedNear(tx, plan, round, rounds),
    spent: keys.reduce(
      (sum, [id, number], i) =>
        sum + (here.includes(`${id}`) && Math.abs(Number(number) - round) < rounds ? charged[i].level : 0),
      0,
    ),
  }));
  return Promise.all(found);
}

/**
 * What was answered under other plans than this one, and those whose answers it shares.
 * @param {Store} store
 * @param {Plan} plan
 * @returns {Promise<Earlier>}
 */
export async function earlierIn(store, plan) {
  const { all, own, lists } = await store(async (tx) => {
    const shared = [plan.id, ...(await before(tx, plan.id))];
    const own = await Promise.all(shared.map((id) => tx.all("ledger", id)));
    return { all: await tx.all("ledger"), own: own.flat(), lists: await tx.all("facts", LISTS) };
  });
  const [names, here] = [all, own].map((rows) => new Set(rows.flatMap((row) => row.names)));
  const known = new Map(lists.flatMap((each) => Object.entries(each)));
  return (part) => {
    if (here.has(part)) return undefined;
    const name = names.has(part) ? part : known.get(listOf(plan, part));
    const about = all.filter((row) => row.names.includes(name));
    return name === undefined ? name : { name, level: about.reduce((charged, { level }) => charged + level, 0) };
  };
}

/**
 * Keep the lists of values that were answered, to recognise them in another plan.
 * @param {Store} store
 * @param {Plan} plan
 * @param {Iterable<string>} names
 */
export const remember = (store, plan, names) =>
  store(async (tx) => {
    const parts = [...names].flatMap((name) => plan.question(name).parts);
    const known = (await tx.get("facts", [LISTS, plan.id])) ?? {};
    const lists = parts.map((part) => [listOf(plan, part), part]).filter(([list]) => list);
    tx.put("facts", [LISTS, plan.id], { ...Object.fromEntries(lists), ...known });
  });

/** A digest of the values that an attribute may have, in any order. @param {Plan} plan @param {string} part */
function listOf(plan, part) {
  const codes = codesOf(stated(plan, part));
  return codes.length ? hex(sha256(encoded(JSON.stringify([...codes].sort())))) : "";
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
