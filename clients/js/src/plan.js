/**
 * The plan: what is asked, which budgets may be chosen, by which mechanisms.
 *
 * Its canonical bytes are the contract and their SHA-256 is its id, which every report carries. A
 * device trusts nobody for what protects its owner: it takes canonical bytes with known fields and
 * mechanisms only, and checks that sizes, levels and tables are such that every law keeps its level.
 * (Whether a plan can be estimated from is checked where plans are made, by Python.)
 *
 * @typedef {import("./questions.js").Question} Question
 * @typedef {Readonly<{
 *   document: any,
 *   id: string,
 *   lawId: string,
 *   policy: import("./policy.js").Policy,
 *   questions: Map<string, Question>,
 *   offered: string[],
 *   secret: boolean,
 *   least: number,
 *   sample: number | undefined,
 *   weights: number[] | undefined,
 *   cohorts: number,
 *   question: (name: string) => Question,
 * }>} Plan ``document``: what the bytes say, for a page to show; ``lawId``: equal where only wording
 *   differs; ``questions``: all that can be
 *   reported: the attributes, then the bundles; ``offered``: what a device draws from; ``secret``:
 *   whether reports keep the levels to themselves; ``least``: how many attributes an owner shares at
 *   least; ``sample``: how many questions a device draws; ``weights``: of what is offered, in the order of
 *   views that it draws; ``question``: by a name that the plan has
 */

import { decoded, encoded, hex } from "./bytes.js";
import { DOCUMENT } from "./document.js";
import { need, refuse } from "./errors.js";
import { differ, isMapping, misfit } from "./fits.js";
import { furtherFor } from "./laws/registry.js";
import { keeps } from "./laws/table.js";
import { policyOf } from "./policy.js";
import { bundled, isPlane, question } from "./questions.js";
import { sha256 } from "./sha256.js";
import { isWording } from "./wording.js";

const LEAST_OWNERS = 100; // of a group, as far as is expected

/**
 * Read a plan's canonical bytes as they were received; any others are refused, whatever they mean.
 * @param {Uint8Array} bytes
 * @returns {Promise<Plan>}
 */
export async function readPlan(bytes) {
  const document = parsed(bytes);
  const { attributes, bundles = [], budget, share, tables, allocation, contract } = document;
  const policy = policyOf(budget);
  const secret = allocation === "secret";
  const further = await furtherFor([...attributes, ...bundles.filter(isPlane)]);
  const alone = attributes.map((/** @type {any} */ item, /** @type {number} */ i) =>
    question(item, attributes.slice(0, i), secret, policy, tables, further),
  );
  const joint = bundles.map((/** @type {any} */ item) => bundled(item, alone, policy, share, further));
  const all = /** @type {Question[]} */ ([...alone, ...joint]);
  const questions = new Map(all.map((q) => [q.name, q]));
  const inside = joint.flatMap((/** @type {Question} */ q) => q.parts);
  const apart = (/** @type {string} */ name) => !inside.includes(name) || Object.hasOwn(share.weights ?? {}, name);
  const offered = [...questions.keys()].filter(apart);
  const cohorts = new Set(alone.map((/** @type {Question} */ q) => (q.apart ? 1 : q.cohorts)).concat(1));
  const { least = 1, sample, weights: byName } = share;
  const weights = byName && offered.map((name) => byName[name]);
  const tabled = all.some((q) => q.mechanism === "optimal");
  need(questions.size === all.length && cohorts.size < 3, "attributes");
  need(!secret || !joint.length, "bundles");
  need(contract === (joint.length ? "record" : "attribute"), "contract");
  const drawn = byName
    ? `${Object.keys(byName).sort()}` === `${[...offered].sort()}` && joint.every((/** @type {Question} */ q) => q.menu.length)
    : !(sample > offered.length || (sample && !differ(inside)));
  need(least <= alone.length && drawn, "share");
  const { menu } = policy;
  const stated = tables && `${Object.keys(tables)}` === `${menu}` && menu.length < 65;
  const staged = (/** @type {any} */ { mechanism, rounding }) =>
    rounding || ["ones", "first"].some((key) => Object.values(mechanism)[0]?.[key] !== undefined);
  need(!document.again || !attributes.some(staged), "again");
  const { groups, owners } = document;
  need(!groups || (owners && !document.again), "groups");
  need(!owners || owners >= LEAST_OWNERS * (groups ?? Infinity), "owners");
  need(!document.wording || isWording(document.wording, attributes), "wording");
  need(tabled ? stated && menu.every((level) => keeps(level, tables[level])) : !tables, "tables");
  return {
    document,
    id: hex(sha256(bytes)),
    lawId: hex(sha256(encoded(canonical(lawOf(document))))),
    policy,
    questions,
    offered,
    secret,
    least,
    sample,
    weights,
    cohorts: Math.max(...alone.map((/** @type {Question} */ q) => q.cohorts)),
    question: (name) => questions.get(name) ?? refuse("unknown_attribute", name),
  };
}

/** @param {any} document what no law depends on is left out */
const lawOf = ({ wording, replaces, ...law }) => law;

/** @param {Uint8Array} bytes */
function parsed(bytes) {
  let said, document;
  try {
    said = decoded(bytes);
    document = JSON.parse(said);
  } catch {
    // what is no JSON is not canonical either
  }
  if (!isMapping(document) || canonical(document) !== said) refuse("not_canonical", "plan");
  const odd = misfit(DOCUMENT, document);
  need(odd === undefined, `${odd}`);
  return document;
}

/**
 * The only text that stands for a document: RFC 8785, for integers and text.
 * @param {any} value
 * @returns {string}
 */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (!isMapping(value)) return JSON.stringify(value);
  return `{${Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)}}`;
}
