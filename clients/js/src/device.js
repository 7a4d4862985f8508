/**
 * The device: the only place where a true value and the collector's format meet.
 *
 * It draws from the browser's cryptographic generator and takes no seed. What it sends depends on
 * the values through the laws alone; the budget, and with it the set of shared attributes, comes
 * first. So does when it is sent: a report is handed out a whole number of paces after it was asked
 * for, whether it was drawn, remembered or repeated.
 *
 * @typedef {import("./plan.js").Plan} Plan
 * @typedef {import("./budget.js").Budget} Budget
 * @typedef {import("./randomness.js").Source} Source
 * @typedef {import("./stores/store.js").Store} Store
 * @typedef {import("./stores/store.js").Transaction} Transaction
 * @typedef {Record<string, unknown>} Values of a record, by attribute
 */

import { valueIn } from "./applies.js";
import { budgetOf, check, entries, sensitiveBudget, thousandths } from "./budget.js";
import { encoded, hex, little } from "./bytes.js";
import { refuse } from "./errors.js";
import { meet } from "./labels.js";
import { admits } from "./laws/form.js";
import { sample, sum } from "./laws/law.js";
import { ONE, system, token } from "./randomness.js";
import { answered, LAST_ROUND, reportOf } from "./report.js";
import { even } from "./policy.js";
import { sha256 } from "./sha256.js";
import { fitsWindows, inTime, windowsIn } from "./rounds.js";
import { whole } from "./fits.js";
import { fact, note } from "./state.js";
import { before, keepWording, rootOf } from "./succession.js";

const [LIMIT, GROUP, THRESHOLDS, COHORTS] = ["limit", "group", "thresholds", "cohorts"];
const RECEIPT_BYTES = 32;
const PACE = 250; // milliseconds: longer than a report takes, whatever it says

/**
 * The sealed report of a round, drawn the first time it is asked for.
 *
 * The same record and budget give the same bytes again, at no cost; another record or budget in a
 * sealed round is refused. An answer given before at the same level is repeated from the memo and
 * costs nothing; whether the limit allows a report is decided as if all answers ever given had been
 * new, so that it does not depend on the values. Under a limit a question whose law has open outputs
 * is refused, unless ``allowOpen`` names it: no level bounds what such an output reveals.
 * @param {Plan} plan @param {Store} store @param {Values} record @param {Budget} budget
 * @param {{round?: number, pace?: number, token?: string, allowOpen?: string[]}} options ``token``: what
 *   the collector knows the owner by; hash functions that a plan assigns come with it
 * @returns {Promise<Uint8Array>} its bytes
 */
export async function report(
  plan,
  store,
  record,
  budget,
  { round = 0, pace = PACE, token, allowOpen = [] } = {},
) {
  const start = performance.now();
  const { id } = plan;
  if (budget.plan !== id) refuse("other_plan", null, budget.plan, id);
  check(plan, [...budget.levels]);
  if (!whole(0, LAST_ROUND)(round)) refuse("bad_round", null, round, LAST_ROUND);
  const answers = answersOf(plan, record, budget);
  const request = hex(sha256(encoded(JSON.stringify(answers))));
  const bytes = await store(async (tx) => {
    const sealed = await tx.get("outbox", [id, round]);
    const past = await before(tx, id);
    const earlier = await Promise.all(past.map((each) => tx.get("outbox", [each, round])));
    if (sealed ? sealed.request !== request : earlier.some(Boolean))
      refuse("other_record", null, round);
    await meet(tx, plan);
    return sealed
      ? sealed.report
      : seal(plan, tx, answers, round, request, allowOpen, token, budget.shared);
  });
  const gone = performance.now() - start;
  if (pace)
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(gone / pace) * pace - gone));
  return bytes;
}

/**
 * The questions that a device asks under a plan that samples, drawn once and for all: in the plan's
 * order, or of views all of them in the order that is drawn.
 * @param {Plan} plan
 * @param {Store} store
 * @returns {Promise<string[]>}
 */
export const drawn = ({ id, sample: count, offered, weights }, store) =>
  store(async (tx) => {
    const root = await rootOf(tx, id);
    const known = await fact(tx, "drawn", root);
    if (known) return known;
    if (weights) return note(tx, orderOf(offered, weights, system()), "drawn", root);
    const chosen = sample(offered.length, count ?? refuse("no_sampling"), system());
    const names = offered.filter((_, i) => chosen.has(i));
    return note(tx, names, "drawn", root);
  });

/**
 * An order of names, each before those that remain with a probability by its weight.
 * @param {string[]} names @param {number[]} weights @param {Source} source
 */
function orderOf(names, weights, source) {
  const left = new Map(names.map((name, i) => [name, weights[i]]));
  const order = [];
  while (left.size) {
    let rest = source.below(sum([...left.values()]));
    for (const [name, weight] of left) {
      if (rest < weight) {
        order.push(name);
        left.delete(name);
        break;
      }
      rest -= weight;
    }
  }
  return order;
}

/**
 * The first question of an order that is about shared attributes alone, at a level.
 * @param {Plan} plan @param {string[]} order @param {number} level @param {Iterable<string>} [shared]
 * @returns {string}
 */
export function firstView({ question, questions }, order, level, shared = questions.keys()) {
  const among = new Set(shared);
  const inside = (/** @type {string} */ name) =>
    question(name).menu.includes(level) && question(name).parts.every((part) => among.has(part));
  return order.find(inside) ?? refuse("not_drawn", null, [...among]);
}

/**
 * A budget for the first view of this device inside what is shared; another choice draws nothing anew.
 * @param {Plan} plan
 * @param {Store} store
 * @param {number} [epsilon] default: the even level
 * @param {Iterable<string>} [attributes] default: all
 */
export async function viewBudget(
  plan,
  store,
  epsilon = even(plan.policy, 1, 1) / 1000,
  attributes = plan.questions.keys(),
) {
  const shared = [...attributes];
  const level = thousandths(epsilon);
  const name = firstView(plan, plan.weights ? await drawn(plan, store) : refuse("no_sampling"), level, shared);
  return { ...budgetOf(plan, { [name]: epsilon }), shared };
}

/**
 * A budget for the questions that a device draws.
 * @param {Plan} plan
 * @param {Store} store
 * @param {import("./budget.js").ByName<number>} sensitivities of all questions: the plan's bundles,
 *   and the attributes in none
 */
export async function sampledBudget(plan, store, sensitivities) {
  const given = new Map(entries(sensitivities));
  for (const name of plan.offered) given.has(name) || refuse("no_sensitivity", name);
  const pairs = (await drawn(plan, store)).map(
    (name) => /** @type {[string, any]} */ ([name, given.get(name)]),
  );
  return sensitiveBudget(plan, new Map(pairs));
}

/**
 * What the record says to each question of the budget, and how it is reported.
 * @param {Plan} plan
 * @param {Values} record
 * @param {Budget} budget
 * @returns {[string, number, number, string][]} name, level, range index, answer
 */
export function answersOf(plan, record, { levels, ranges }) {
  const { question } = plan;
  const values = [...levels].map(([name]) =>
    question(name).parts.map((part) => valueIn(plan, record, part)),
  );
  return [...levels].map(([name, level], i) => {
    const rangeIndex = ranges.get(name) ?? 0;
    const answer = question(name)
      .within(rangeIndex)
      .answer(...values[i]);
    return [name, level, rangeIndex, answer];
  });
}

/**
 * The answers, where rounding is kept as the points that they are rounded to: what is remembered then is
 * the response to a point. A threshold is drawn once for each range, and never leaves the device.
 * @param {Transaction} tx @param {Plan} plan @param {string} root
 * @param {[string, number, number, string][]} answers @param {Source} source
 */
async function settledIn(tx, { question }, root, answers, source) {
  const known = (await fact(tx, THRESHOLDS, root)) ?? {};
  let drawn = known;
  const settled = answers.map(([name, level, rangeIndex, answer]) => {
    const round = question(name).within(rangeIndex).settled;
    if (!round) return /** @type {typeof answers[0]} */ ([name, level, rangeIndex, answer]);
    const key = `${rangeIndex} ${name}`;
    if (!drawn[key]) drawn = { ...drawn, [key]: `${source.below(ONE)}` };
    return /** @type {typeof answers[0]} */ ([name, level, rangeIndex, round(answer, BigInt(drawn[key]))]);
  });
  if (drawn !== known) note(tx, drawn, THRESHOLDS, root);
  return settled;
}

/**
 * A random receipt; where the plan has groups, one whose id tells this device's.
 * @param {number} [groups] @param {number} [own]
 */
function receiptIn(groups, own = 0) {
  for (;;) {
    const receipt = token(RECEIPT_BYTES);
    if (!groups || (sha256(receipt)[0] - own) % groups === 0) return receipt;
  }
}

/**
 * Read what is known, draw the rest at once, and write it all.
 * @param {Plan} plan @param {Transaction} tx @param {[string, number, number, string][]} answers
 * @param {number} round @param {string} request @param {string[]} allowOpen @param {string} [credential]
 * @param {string[]} [shared]
 * @returns {Promise<Uint8Array>}
 */
async function seal(
  plan,
  tx,
  answers,
  round,
  request,
  allowOpen,
  credential,
  shared,
) {
  const { id, lawId, question, secret, sample: count, weights, document } = plan;
  const { groups } = document;
  await inTime(tx, plan, round);
  const root = await rootOf(tx, id);
  const costs = answers.map(([name, level]) => question(name).cost(level));
  const total = sum(costs);
  const [limit, asked, known, member, kept = {}] = [
    await fact(tx, LIMIT),
    await fact(tx, "drawn", root),
    await fact(tx, "cohort", root),
    await fact(tx, GROUP, root),
    await fact(tx, COHORTS, root),
  ];
  const granted = (await tx.all("outbox")).reduce((sum, sealed) => sum + sealed.granted, total);
  if (granted > limit) refuse("over_limit", null, granted, limit);
  const windows = await windowsIn(tx);
  await fitsWindows(tx, windows, id, round, total);
  const source = system();
  const share = groups && (member ?? note(tx, source.below(groups), GROUP, root));
  const receipt = receiptIn(groups, share);
  const settled = await settledIn(tx, plan, root, answers, source);
  const memo = document.again
    ? []
    : await Promise.all(settled.map((answer) => tx.get("memo", [root, ...answer])));
  let cohort = known;
  /** @type {Record<string, number>} of attributes that have one alone */
  const own = { ...kept };
  /** @type {ReturnType<typeof answered>[]} */
  const sent = [];
  for (const [i, [name, level, rangeIndex, answer]] of settled.entries()) {
    const allowed = weights ? asked && [firstView(plan, asked, level, shared)] : asked;
    if (count && !allowed?.includes(name)) refuse("not_drawn", name);
    const { parts, ranges, assigned, apart, nBytes, within, law: lawAt } = question(name);
    let law = lawAt(level, rangeIndex);
    if ((limit || windows.length) && law.open && !allowOpen.includes(name)) refuse("open_outputs", name);
    if (assigned) {
      const hashed = /** @type {Required<typeof law>} */ (law);
      law = hashed.forCredential(credential ?? refuse("token_needed", name), lawId, name);
    }
    const fits = (/** @type {unknown} */ y) => y instanceof Uint8Array && y.length === nBytes() && admits(law.form, y);
    let response = memo[i];
    if (!fits(response)) {
      const code = within(rangeIndex).encode(answer, source);
      const anew = () => source.below(law.cohorts);
      const group = law.cohorts < 2 ? 0 : apart ? (own[name] ??= anew()) : (cohort ??= anew());
      const keys = [settled[i], ...(law.alike && !document.again ? [[name, level, rangeIndex, `\n${law.alike(code, group)}`]] : [])];
      response = keys[1] && (await tx.get("memo", [root, ...keys[1]]));
      if (!fits(response)) {
        const y = law.respond(code, source, group);
        response = new Uint8Array(nBytes()); // as long as that of the longest set
        response.set(typeof y === "number" ? little(y, nBytes()) : y);
        tx.put("ledger", [id, round, name], { level: costs[i], names: [name, ...parts] });
      }
      if (!document.again) for (const key of keys) tx.put("memo", [root, ...key], response);
    }
    sent.push(
      answered(
        name,
        secret ? undefined : level,
        ranges.length ? rangeIndex : undefined,
        law.send(response, source),
      ),
    );
  }
  if (cohort !== known) note(tx, cohort, "cohort", root);
  if (Object.keys(own).some((name) => kept[name] === undefined)) note(tx, own, COHORTS, root);
  keepWording(tx, plan);
  const bytes = reportOf(id, round, receipt, sent);
  tx.put("outbox", [id, round], {
    round,
    receipt,
    request,
    report: bytes,
    granted: total,
    sent: false,
  });
  return bytes;
}
