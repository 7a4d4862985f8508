/**
 * Round numbers as the clock: when an owner of a plan that rotates answers, and what some consecutive
 * rounds may cost together.
 *
 * An owner of phase p answers in the rounds whose number leaves p when it is divided by how often she
 * answers. So any that many consecutive numbers have one of hers, in whatever order rounds come, and one
 * that is missed is not made up for.
 *
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./stores/store.js").Store} Store
 * @typedef {import("./stores/store.js").Transaction} Transaction
 * @typedef {{every: number, phase: number}} Rhythm one of every so many rounds
 * @typedef {{rounds: number, level: number}} Window the most that so many consecutive rounds may cost
 */

import { thousandths } from "./budget.js";
import { refuse } from "./errors.js";
import { whole } from "./fits.js";
import { system } from "./randomness.js";
import { LAST_ROUND } from "./report.js";
import { fact, note } from "./state.js";
import { rootOf } from "./succession.js";

const [LIMIT, WINDOW, RHYTHM] = ["limit", "window", "rhythm"];

/**
 * Set the most epsilon that a store will ever spend, or with ``rounds`` the most in any so many consecutive
 * rounds of one plan; it stays, and can be lowered, not raised.
 * @param {Store} store
 * @param {number} epsilon
 * @param {number} [rounds]
 * @returns {Promise<number>} the limit that holds, in thousandths
 */
export function setLimit(store, epsilon, rounds) {
  const level = thousandths(epsilon);
  if (rounds !== undefined && !whole(1, LAST_ROUND)(rounds)) refuse("bad_rounds", null, rounds);
  const key = rounds === undefined ? [LIMIT] : [WINDOW, `${rounds}`];
  return store(async (tx) => {
    const known = await fact(tx, ...key);
    const least = Math.min(level, (rounds ? known?.level : known) ?? level);
    note(tx, rounds ? { rounds, level: least } : least, ...key);
    return least;
  });
}

/** The limits over some rounds. @param {Transaction} tx @returns {Promise<Window[]>} */
export const windowsIn = (tx) => tx.all("facts", WINDOW);

/** How often to answer, from the plan's menu. @param {Plan} plan @returns {number[]} none where it does not rotate */
export const menuOf = ({ document: { again } }) => again?.rotate ?? [];

/**
 * Choose how often to answer; the phase is drawn, and both are kept for all of the plan.
 * @param {Plan} plan @param {Store} store @param {number} every
 * @returns {Promise<Rhythm>}
 */
export const rotate = (plan, store, every) =>
  store(async (tx) => {
    const [menu, known] = [menuOf(plan), await rhythmIn(tx, plan)];
    if (!menu.includes(every)) refuse("rhythm_off_menu", null, every, menu);
    if (known && known.every !== every) refuse("other_rhythm", null, every, known.every);
    const drawn = () => ({ every, phase: system().below(every) });
    return known ?? note(tx, drawn(), RHYTHM, await rootOf(tx, plan.id));
  });

/** When this device answers, if that was chosen. @param {Transaction} tx @param {Plan} plan @returns {Promise<Rhythm | undefined>} */
export const rhythmIn = async (tx, { id }) => fact(tx, RHYTHM, await rootOf(tx, id));

/** The first round from this one on that is the owner's. @param {Rhythm} rhythm @param {number} round */
export const dueFrom = ({ every, phase }, round) =>
  round + ((((phase - round) % every) + every) % every);

/**
 * Refuse a round in which this owner does not answer.
 * @param {Transaction} tx @param {Plan} plan @param {number} round
 */
export async function inTime(tx, plan, round) {
  const menu = menuOf(plan);
  if (!menu.length) return;
  const rhythm = (await rhythmIn(tx, plan)) ?? refuse("no_rhythm", null, round, menu);
  const due = dueFrom(rhythm, round);
  if (due !== round) refuse("not_due", null, round, due);
}

/**
 * Refuse a report that some consecutive rounds, this one among them, may not cost.
 * @param {Transaction} tx @param {Window[]} windows @param {string} plan @param {number} round @param {number} total
 */
export async function fitsWindows(tx, windows, plan, round, total) {
  for (const { rounds, level } of windows) {
    const granted = (await grantedNear(tx, plan, round, rounds)) + total;
    if (granted > level) refuse("over_window", null, granted, { rounds, level });
  }
}

/**
 * The most that so many consecutive rounds, this one among them, could have cost: of all plans that share
 * what is remembered. Rounds may come in any order, so later numbers count as well.
 * @param {Transaction} tx @param {string} plan @param {number} round @param {number} rounds
 */
export async function grantedNear(tx, plan, round, rounds) {
  const [keys, rows] = [await tx.keys("outbox"), await tx.all("outbox")];
  const root = await rootOf(tx, plan);
  const roots = await Promise.all(keys.map(([id]) => rootOf(tx, `${id}`)));
  const near = rows.filter((row, i) => roots[i] === root && Math.abs(row.round - round) < rounds);
  const starts = [round, ...near.map((row) => row.round).filter((start) => start < round)];
  const costs = starts.map((start) =>
    near
      .filter((row) => start <= row.round && row.round < start + rounds)
      .reduce((sum, { granted }) => sum + granted, 0),
  );
  return Math.max(...costs);
}
