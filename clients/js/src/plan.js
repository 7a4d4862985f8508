/**
 * The plan: what is asked, which budgets may be chosen, by which mechanisms.
 *
 * Its canonical bytes are the contract and their SHA-256 is its id, which every report carries. A
 * device trusts nobody for what protects its owner: every rule that a plan must keep is checked.
 */

import { gradeOf, levelOf, placeOf } from "./budget.js";
import { decoded, encoded, hex, same } from "./encoding.js";
import { BudgetError, PlanError, UnknownAttribute } from "./errors.js";
import { bloom } from "./laws/bloom.js";
import { signs } from "./laws/halfspace.js";
import { MECHANISMS, NUMBERS, OPTIMAL } from "./laws/registry.js";
import { Table } from "./laws/table.js";
import { Field } from "./plan/field.js";
import { readQuestions } from "./plan/questions.js";
import { checkBundles, readBundles, readPolicy, readShare, readTables } from "./plan/terms.js";
import { exact, written } from "./rational.js";
import { Bundle, Numeric } from "./schema.js";
import { sha256 } from "./sha256.js";

const FORMAT = 1;

/** @typedef {import("./laws/law.js").Law} Law */

export class Plan {
  /** @type {Map<string, Law>} */
  #laws = new Map();

  /**
   * Read a plan's canonical bytes; any other bytes are refused, whatever they mean.
   * @param {Uint8Array} bytes as they were received
   */
  constructor(bytes) {
    const document = parsed(bytes);
    const required = ["format", "name", "attributes", "budget", "share", "allocation", "contract"];
    const fields = new Field("", document).mapping(required, ["bundles", "tables"]);
    /** Whether reports keep the levels to themselves. */
    this.secret = fields.allocation.oneOf(["disclosed", "secret"]) === "secret";
    const questions = readQuestions(fields.attributes, this.secret);
    const bundles = fields.bundles ? readBundles(fields.bundles, questions, this.secret) : [];
    this.share = readShare(fields.share, questions, bundles);
    this.policy = readPolicy(fields.budget, this.share.counts);
    if (fields.bundles) checkBundles(fields.bundles, bundles, this.policy, this.share.counts);
    this.tables = readTables(fields, questions, this.policy);
    this.name = fields.name.text();
    /** What is promised about two records; with bundles it is weaker. */
    this.contract = bundles.length ? "record" : "attribute";
    if (fields.contract.oneOf(["attribute", "record"]) !== this.contract) {
      fields.contract.fail(`must be ${this.contract} in this plan`);
    }
    if (!same(encoded(canonical(document)), bytes)) {
      throw new PlanError("plan", "must be the canonical bytes", this.name);
    }
    /** SHA-256 of the bytes. */
    this.id = hex(sha256(bytes));
    /** All that can be reported: the attributes, then the bundles. */
    this.questions = new Map([...questions, ...bundles].map((q) => [q.attribute.name, q]));
    this.names = [...this.questions.keys()];
    /** How many cohorts there are, of which a device draws one. */
    this.cohorts = Math.max(...questions.map(({ coding }) => (coding ? coding.cohorts : 1)));
  }

  /** How many attributes an owner shares at least. */
  get shareLeast() {
    return this.share.least;
  }

  /** How many questions a device draws and reports; null: the owner chooses. */
  get sample() {
    return this.share.sample;
  }

  /** An attribute or a bundle. @param {string} name */
  attribute(name) {
    return this.#question(name).attribute;
  }

  /** Its mechanism's name. @param {string} name */
  mechanism(name) {
    return this.#question(name).mechanism;
  }

  /** The attributes that a name stands for: itself, or those of the bundle. @param {string} name */
  parts(name) {
    const found = this.attribute(name);
    return found instanceof Bundle ? found.parts.map((part) => part.name) : [name];
  }

  /** Names for all attributes: bundles in the plan's order, what is left alone. */
  bundled() {
    const left = new Set(this.names.filter((name) => this.parts(name).length === 1));
    const chosen = new Set();
    for (const name of this.names) {
      const parts = this.parts(name);
      if (parts.length < 2 || !parts.every((part) => left.has(part))) continue;
      parts.forEach((part) => left.delete(part));
      chosen.add(name);
    }
    return this.names.filter((name) => left.has(name) || chosen.has(name));
  }

  /** The levels that a name may have. @param {string} name */
  menu(name) {
    const count = this.parts(name).length;
    return this.policy.menuOf(count).map((level) => level * count);
  }

  /** An attribute as it is answered in one of its ranges, or a bundle. @param {string} name @param {number} place */
  question(name, place = 0) {
    const found = this.attribute(name);
    return found instanceof Numeric ? found.within(place) : found;
  }

  /** The ranges an owner may choose from, the whole one first; none for no choice. @param {string} name */
  ranges(name) {
    const found = this.attribute(name);
    if (!(found instanceof Numeric) || !found.ranges.length) return [];
    const pairs = [[found.low, found.high], ...found.ranges];
    return pairs.map((pair) => pair.map((end) => found.number(end)));
  }

  /** The place of a range on the menu of an attribute. @param {string} name @param {readonly number[]} ends */
  place(name, ends) {
    const menu = this.ranges(name);
    const given = [...ends].map((end) => written(exact(end) ?? [0n, 0n]));
    const place = menu.findIndex((pair) => pair.map(written).join() === given.join());
    if (place >= 0) return place;
    const listed = menu.map((pair) => `[${pair.map(([n, d]) => Number(n) / Number(d)).join(", ")}]`);
    const rule = `range must be on the plan's menu (${listed.join(", ") || "which has none"})`;
    throw new BudgetError(rule, ends, name);
  }

  /** The exact law of the answer about a name at a grade. @param {string} name @param {number} grade */
  law(name, grade) {
    const key = `${grade} ${name}`;
    let law = this.#laws.get(key);
    if (!law) this.#laws.set(key, (law = this.#law(name, levelOf(grade), placeOf(grade))));
    return law;
  }

  /** The bytes that an answer has: the same for every value, level and range. @param {string} name */
  width(name) {
    return this.law(name, gradeOf(this.menu(name)[0], 0)).width;
  }

  /** @param {string} name @param {number} level @param {number} place @returns {Law} */
  #law(name, level, place) {
    const { attribute, mechanism, coding } = this.#question(name);
    if (coding) return bloom(coding, level);
    const { size } = this.question(name, place);
    if (attribute instanceof Bundle && mechanism === "duchi") return signs(size, level);
    if (mechanism === OPTIMAL) return new Table(size, this.tables.get(level) ?? []);
    return (MECHANISMS[mechanism] ?? NUMBERS[mechanism])(size, level);
  }

  /** @param {string} name */
  #question(name) {
    const found = this.questions.get(name);
    if (!found) throw new UnknownAttribute(name, this.names);
    return found;
  }
}

/** @param {Uint8Array} bytes */
function parsed(bytes) {
  try {
    const document = JSON.parse(decoded(bytes));
    if (document && document.format === FORMAT) return document;
  } catch {
    throw new PlanError("plan", "must be canonical JSON", `${bytes.length} bytes`);
  }
  throw new PlanError("format", `must be ${FORMAT}`, `${bytes.length} bytes`);
}

/** The only text that stands for a document: RFC 8785, for integers and text. @param {unknown} value @returns {string} */
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`).join()}}`;
}

