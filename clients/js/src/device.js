/**
 * The device: the only place where a true value and the collector's format meet.
 *
 * It draws from the browser's cryptographic generator and takes no seed. What it sends depends on
 * the values through the laws alone; the budget, and with it the set of shared attributes, comes
 * first. So does when it is sent: a report is handed out a whole number of paces after it was asked
 * for, whether it was drawn, remembered or repeated.
 */

import { Budget, check, entries, levelOf, placeOf, thousandths } from "./budget.js";
import { base64url, encoded, hex, little } from "./encoding.js";
import { AlreadyAnswered, BudgetError, BudgetSpent, RecordError } from "./errors.js";
import { sample } from "./laws/law.js";
import { system, token } from "./randomness.js";
import { answered, idOf, LAST_ROUND, reportOf } from "./report.js";
import { sha256 } from "./sha256.js";
import { State } from "./state.js";

const RECEIPT_BYTES = 32;
const PACE = 250; // milliseconds: longer than a report takes, whatever it says

/**
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./randomness.js").Words} Words
 * @typedef {import("./stores/store.js").Transaction} Transaction
 * @typedef {Record<string, unknown>} Values of a record, by attribute
 */

/** One owner's side of a plan. */
export class Device {
  /** @param {Plan} plan @param {State} state default: memory @param {{pace?: number}} options */
  constructor(plan, state = new State(), { pace = PACE } = {}) {
    this.plan = plan;
    this.state = state;
    this.pace = pace;
  }

  /** The most epsilon that the state will ever spend, whichever device asks; it can be lowered, not raised. @param {number} epsilon */
  limit(epsilon) {
    return this.state.setLimit(thousandths(epsilon));
  }

  /**
   * The sealed report of a round, drawn the first time it is asked for.
   *
   * The same record and budget give the same bytes again, at no cost; another record or budget in a
   * sealed round is refused. An answer given before at the same level is repeated from the memo and
   * costs nothing; whether the limit allows a report is decided as if all answers ever given had
   * been new, so that it does not depend on the values.
   * @param {Values} record @param {Budget} budget @returns {Promise<Uint8Array>} its bytes
   */
  async report(record, budget, round = 0) {
    const start = performance.now();
    const { plan, pace } = this;
    await this.#check(budget);
    if (!Number.isInteger(round) || round < 0 || round > LAST_ROUND) throw new RecordError("bad_round", "round", round);
    const answers = answersOf(plan, record, budget);
    const request = hex(sha256(encoded(JSON.stringify([answers, budget.grades]))));
    const report = await this.state.write(async (tx) => {
      const sealed = await tx.get("outbox", [plan.id, round]);
      if (sealed && sealed.request !== request) throw new AlreadyAnswered("other_record", null, round);
      return sealed ? sealed.report : seal(plan, tx, answers, budget, round, request);
    });
    const gone = performance.now() - start;
    if (pace) await new Promise((resolve) => setTimeout(resolve, Math.ceil(gone / pace) * pace - gone));
    return report;
  }

  /** A budget for the questions that the device draws, once and for all of the plan. @param {import("./budget.js").ByName<number>} sensitivities of all questions: the plan's bundles, and the attributes in none */
  async sample(sensitivities) {
    const { id, sample: count, offered } = this.plan;
    if (!count) throw new BudgetError("no_sampling");
    const given = new Map(entries(sensitivities));
    for (const name of offered) if (!given.has(name)) throw new BudgetError("no_sensitivity", name);
    const drawn = await this.state.write(async (tx) => {
      const known = await tx.get("facts", ["drawn", id]);
      if (known) return known;
      const chosen = sample(offered.length, count, system());
      const names = offered.filter((_, i) => chosen.has(i));
      tx.put("facts", ["drawn", id], names);
      return names;
    });
    const pairs = drawn.map((/** @type {string} */ name) => [name, given.get(name)]);
    return Budget.bySensitivity(this.plan, new Map(pairs));
  }

  /** What was sealed for a round: its bytes, its receipt, which can delete it, and what became of it. */
  sealed(round = 0) {
    return this.state.sealed(this.plan.id, round);
  }

  /** @param {Budget} budget */
  async #check(budget) {
    const { plan } = this;
    if (!(budget instanceof Budget) || budget.plan !== plan.id) throw new BudgetError("other_plan");
    check(plan, budget.levels);
    for (const [name, place] of budget.ranges) {
      if (!plan.question(name).ranges[place]) throw new BudgetError("range_off_menu", name, place);
    }
    if (!plan.sample) return;
    const drawn = (await this.state.read((tx) => tx.get("facts", ["drawn", plan.id]))) ?? [];
    for (const name of budget.levels.keys()) if (!drawn.includes(name)) throw new BudgetError("not_drawn", name);
  }
}

/** What the record says to each question of the budget. @param {Plan} plan @param {Values} record @param {Budget} budget */
export function answersOf(plan, record, budget) {
  const value = (/** @type {string} */ part) => {
    const found = Object.hasOwn(record, part) ? record[part] : null;
    if (found === null || found === undefined || found !== found) throw new RecordError("missing_value", part, found);
    return found;
  };
  const values = budget.grades.map(([name]) => plan.question(name).parts.map(value));
  return budget.grades.map(([name, grade], i) => {
    const attribute = plan.question(name).at(placeOf(grade));
    return attribute.answer(values[i].length > 1 ? values[i] : values[i][0]);
  });
}

/**
 * Read what is known, draw the rest at once, and write it all.
 * @param {Plan} plan @param {Transaction} tx @param {string[]} answers @param {Budget} budget
 * @param {number} round @param {string} request @returns {Promise<Uint8Array>}
 */
async function seal(plan, tx, answers, budget, round, request) {
  const { id } = plan;
  const { grades, total } = budget;
  const limit = await tx.get("facts", ["limit"]);
  const granted = (await tx.all("outbox")).reduce((sum, sealed) => sum + sealed.granted, total);
  if (granted > limit) throw new BudgetSpent("over_limit", null, granted, limit);
  const known = await tx.get("facts", ["cohort", id]);
  let cohort = known;
  const keys = grades.map(([name, grade], i) => [id, name, answers[i], grade]);
  const memo = await Promise.all(keys.map((key) => tx.get("memo", key)));
  const [source, receipt] = [system(), token(RECEIPT_BYTES)];
  const sent = grades.map(([name, grade], i) => {
    const [law, { parts, ranges }, width] = [plan.law(name, grade), plan.question(name), plan.width(name)];
    let kept = memo[i];
    if (!(kept instanceof Uint8Array && kept.length === width && law.possible(kept))) {
      kept = drawn(plan, name, grade, answers[i], source, () => (cohort ??= source.below(plan.cohorts)));
      tx.put("ledger", [id, round, name], { level: levelOf(grade), names: [name, ...parts] });
      tx.put("memo", keys[i], kept);
    }
    const y = base64url(law.send ? law.send(kept, source) : kept);
    return answered(name, plan.secret ? null : levelOf(grade), ranges.length ? placeOf(grade) : null, y);
  });
  if (cohort !== known) tx.put("facts", ["cohort", id], cohort);
  const report = reportOf(id, round, idOf(receipt), sent);
  tx.put("outbox", [id, round], { round, receipt, request, report, granted: total, sent: false });
  return report;
}

/** Draw the permanent response to an answer: first the code, then the law, from one source. @param {Plan} plan @param {string} name @param {number} grade @param {string} answer @param {Words} source @param {(source: Words) => number} [cohortOf] */
export function drawn(plan, name, grade, answer, source, cohortOf) {
  const code = plan.question(name).at(placeOf(grade)).encode(answer, source);
  const y = plan.law(name, grade).perturb(code, source, cohortOf);
  return typeof y === "number" ? little(y, plan.width(name)) : y;
}
