/**
 * The plan: what is asked, which budgets may be chosen, by which mechanisms.
 *
 * Its canonical bytes are the contract and their SHA-256 is its id, which every report carries. A
 * device trusts nobody for what protects its owner: it takes canonical bytes with known fields and
 * mechanisms only, and checks that sizes, levels and tables are such that every law keeps its level.
 * (Whether a plan can be estimated from is checked where plans are made, by Python.)
 */

import { levelOf, placeOf } from "./budget.js";
import { decoded, hex } from "./encoding.js";
import { BudgetError, PlanError } from "./errors.js";
import { keeps } from "./laws/table.js";
import { bundled, question } from "./plan/questions.js";
import { differ, isMapping, list, mapping, need, oneOf, text, whole } from "./plan/reader.js";
import { menuOf, MOST, policyOf } from "./policy.js";
import { sha256 } from "./sha256.js";

const FORMAT = 1;
const MOST_TABLES = 64;
const LARGE = 1e12; // of a total, which may be above every level

/**
 * @typedef {import("./plan/questions.js").Question} Question
 * @typedef {import("./laws/law.js").Law} Law
 */

export class Plan {
  /** @type {Map<string, Law>} */
  #laws = new Map();

  /** @param {Uint8Array} bytes as they were received; any but the canonical ones are refused */
  constructor(bytes) {
    const document = parsed(bytes);
    mapping(document, "", "allocation attributes budget bundles? contract format name share tables?");
    /** What the bytes say: names, labels, ranges, levels, for a page to show. */
    this.document = document;
    /** SHA-256 of the bytes. */
    this.id = hex(sha256(bytes));
    this.name = text(document.name, "name");
    /** Whether reports keep the levels to themselves. */
    this.secret = oneOf(document.allocation, "allocation", ["disclosed", "secret"]) === "secret";
    this.policy = policyIn(document.budget);
    const tables = tablesIn(document.tables, this.policy.menu);
    const alone = list(document.attributes, "attributes", (item, path) => question(item, path, this.secret, tables));
    const { bundles } = document;
    const joint = bundles === undefined ? [] : list(bundles, "bundles", (item, path) => bundled(item, path, alone));
    need(!joint.length || !this.secret, "bundles", bundles);
    need(alone.some(({ mechanism }) => mechanism === "optimal") === !!document.tables, "tables", null);
    const named = [...alone, ...joint].map((q) => /** @type {[string, Question]} */ ([q.name, q]));
    /** All that can be reported, by name: the attributes, then the bundles. */
    this.questions = new Map(named);
    need(this.questions.size === named.length, joint.length ? "bundles" : "attributes", null);
    /** What is promised about two records; with bundles it is weaker. */
    this.contract = oneOf(document.contract, "contract", [joint.length ? "record" : "attribute"]);
    const inside = joint.flatMap(({ parts }) => parts);
    /** What a device draws from. */
    this.offered = [...this.questions.keys()].filter((name) => !inside.includes(name));
    const { sample, least } = mapping(document.share, "share", "least? sample?");
    need((sample === undefined) !== (least === undefined), "share", document.share);
    /** How many questions a device draws and reports; null: the owner chooses. */
    this.sample = sample === undefined ? null : whole(sample, "share.sample", 1, this.offered.length);
    need(!this.sample || differ(inside), "share.sample", sample);
    /** How many attributes an owner shares at least. */
    this.least = this.sample ? 1 : whole(least, "share.least", 1, alone.length);
    const cohorts = alone.map((q) => q.cohorts).filter((count) => count > 1);
    need(new Set(cohorts).size < 2, "attributes", cohorts);
    /** How many cohorts there are, of which a device draws one. */
    this.cohorts = cohorts[0] ?? 1;
  }

  /** An attribute or a bundle. @param {string} name */
  question(name) {
    const found = this.questions.get(name);
    if (!found) throw new BudgetError("unknown_attribute", name);
    return found;
  }

  /** The levels that a name may have. @param {string} name */
  menu(name) {
    const count = this.question(name).parts.length;
    return menuOf(this.policy, count).map((level) => level * count);
  }

  /** Names for all attributes: bundles in the plan's order as far as they do not overlap, what is left alone. */
  all() {
    const left = new Set(this.questions.keys());
    for (const { name, parts } of this.questions.values()) {
      if (parts.length < 2) continue;
      if (parts.every((part) => left.has(part))) parts.forEach((part) => left.delete(part));
      else left.delete(name);
    }
    return [...left];
  }

  /** The exact law of the answer about a name at a grade. @param {string} name @param {number} grade */
  law(name, grade) {
    const key = `${grade} ${name}`;
    const law = this.#laws.get(key) ?? this.question(name).law(levelOf(grade), placeOf(grade));
    this.#laws.set(key, law);
    return law;
  }

  /** The bytes that an answer has: the same for every value, level and range. @param {string} name */
  width(name) {
    return this.law(name, this.menu(name)[0]).width;
  }
}

/** @param {Uint8Array} bytes @returns {any} */
function parsed(bytes) {
  try {
    const said = decoded(bytes);
    const document = JSON.parse(said);
    if (canonical(document) === said && document.format === FORMAT) return document;
  } catch {
    // what is no JSON is not canonical either
  }
  throw new PlanError("not_canonical", "plan");
}

/** The only text that stands for a document: RFC 8785, for integers and text. @param {unknown} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical)}]`;
  if (!isMapping(value)) return JSON.stringify(value);
  const fields = Object.entries(/** @type {object} */ (value)).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`)}}`;
}

/** @param {any} stated */
function policyIn(stated) {
  const kinds = new Map([["average", "average least most step"], ["total", "spread step total"], ["levels", "levels"]]);
  const [kind, keys] = [...kinds].find(([key]) => isMapping(stated) && key in stated) ?? [];
  mapping(stated, "budget", keys ?? "average");
  const level = (/** @type {unknown} */ value, /** @type {string} */ path) => whole(value, path, 1, LARGE);
  if (kind === "levels") {
    const levels = list(stated.levels, "budget.levels", level);
    need(levels.every((v, i) => v <= MOST && (!i || levels[i - 1] < v)), "budget.levels", levels);
  } else for (const key of Object.keys(stated)) level(stated[key], "budget." + key);
  const { average, least, most, spread } = stated;
  need(kind !== "average" || (least <= average && average <= most && most <= MOST), "budget.average", average);
  need(kind !== "total" || spread >= 1000, "budget.spread", spread);
  return policyOf(stated);
}

/** @param {any} tables by level @param {number[]} menu */
function tablesIn(tables, menu) {
  if (tables === undefined) return {};
  need(menu.length <= MOST_TABLES, "tables", menu.length, MOST_TABLES);
  mapping(tables, "tables", menu.join(" "));
  for (const level of menu) {
    const path = `tables.${level}`;
    const weights = list(tables[level], path, (row, where) =>
      list(row, where, (weight, at) => whole(weight, at, 1, 2 ** 48)),
    );
    need(keeps(level, weights), path, level);
  }
  return tables;
}
