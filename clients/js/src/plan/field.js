/** A value in a plan that knows where it stands, so that every error can say so. */

import { PlanError } from "../errors.js";

const LONGEST_TEXT = 200;

/** One value: ``path`` is its place, such as ``attributes[1].step``. */
export class Field {
  /** @param {string} path @param {unknown} value */
  constructor(path, value) {
    this.path = path;
    this.value = value;
  }

  /** @param {string} rule @returns {never} */
  fail(rule) {
    throw new PlanError(this.path || "plan", rule, this.value);
  }

  /** Whether it is an object of JSON. */
  get isMapping() {
    return typeof this.value === "object" && this.value !== null && !Array.isArray(this.value);
  }

  /**
   * The named fields of a mapping; an unknown one is refused, and so is the lack of one.
   * @param {readonly string[]} required @param {readonly string[]} [optional]
   * @returns {Record<string, Field>}
   */
  mapping(required, optional = []) {
    if (!this.isMapping) this.fail("must be a mapping");
    const value = /** @type {Record<string, unknown>} */ (this.value);
    const known = [...required, ...optional].sort();
    /** @type {Record<string, Field>} */
    const fields = {};
    for (const key of Object.keys(value)) {
      const path = this.path ? `${this.path}.${key}` : key;
      const field = new Field(path, value[key]);
      if (!known.includes(key)) field.fail(`must be one of the fields ${known.join(", ")}`);
      fields[key] = field;
    }
    for (const key of required) {
      if (!fields[key]) new Field(this.path ? `${this.path}.${key}` : key, null).fail("must be there");
    }
    return fields;
  }

  /** @returns {Field[]} */
  items() {
    if (!Array.isArray(this.value) || !this.value.length) {
      this.fail("must be a list with at least one item");
    }
    return this.value.map((item, i) => new Field(`${this.path}[${i}]`, item));
  }

  /** @returns {string} */
  text() {
    const { value } = this;
    if (typeof value !== "string") this.fail("must be text (put it in quotes)");
    const unprintable = /[\p{C}\p{Z}]/u.test(value.replace(/ /g, ""));
    if (!value.trim() || [...value].length > LONGEST_TEXT || unprintable) {
      this.fail(`must be 1 to ${LONGEST_TEXT} printable characters`);
    }
    return value;
  }

  /** @param {readonly string[]} choices @returns {string} */
  oneOf(choices) {
    const { value } = this;
    if (typeof value !== "string" || !choices.includes(value)) {
      this.fail(`must be one of ${choices.join(", ")}`);
    }
    return value;
  }

  /** @param {number} [least] @param {number} [most] @returns {number} */
  whole(least = -Number.MAX_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER) {
    const { value } = this;
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
      this.fail(`must be a whole number from ${least} to ${most}`);
    }
    return value;
  }
}
