/**
 * Attributes: how a value becomes an answer, and an answer a code.
 *
 * A device never refuses because of a value: ``answer`` maps whatever it is given into the domain,
 * as the plan says, to text that is the same for equal answers. ``encode`` gives its code; between
 * two grid points an exact coin decides that keeps the mean.
 *
 * @typedef {import("./randomness.js").Words} Words
 * @typedef {import("./rational.js").Rational} Rational
 * @typedef {{
 *   readonly name: string,
 *   readonly size: number,
 *   answer(value: unknown): string,
 *   encode(answer: string, source: Words): number,
 * }} Attribute
 */

import { RecordError } from "./errors.js";
import { decimal, exact, less, rational, scaled, unwritten, written } from "./rational.js";

const FAR = 400; // powers of ten, up and down: no number is further

/** Labels in code order; a label the plan does not know becomes ``fallback``. @implements {Attribute} */
export class Categorical {
  /** @param {string} name @param {readonly string[]} labels @param {string} fallback */
  constructor(name, labels, fallback) {
    this.name = name;
    this.labels = labels;
    this.fallback = fallback;
    this.size = labels.length;
  }

  /** @param {unknown} value */
  answer(value) {
    const label = labelOf(value);
    return label !== null && this.labels.includes(label) ? label : this.fallback;
  }

  /** @param {string} answer */
  encode(answer) {
    return this.labels.indexOf(answer);
  }
}

/**
 * Codes are grid points, low, low + step, ..., high, all times ten to the exponent; or bins
 * ``[a, b)`` (the last one closed) where edges are given.
 * @implements {Attribute}
 */
export class Numeric {
  /**
   * @param {string} name @param {bigint} low @param {bigint} high @param {bigint} step
   * @param {number} exponent 0 or below
   * @param {readonly bigint[] | null} edges
   * @param {readonly (readonly [bigint, bigint])[]} ranges parts that an owner may answer within
   */
  constructor(name, low, high, step, exponent, edges = null, ranges = []) {
    this.name = name;
    this.low = low;
    this.high = high;
    this.step = step;
    this.exponent = exponent;
    this.edges = edges;
    this.ranges = ranges;
    this.size = edges ? edges.length - 1 : Number((high - low) / step) + 1;
  }

  /** As an owner answers it in a range: 0 is all of the grid. @param {number} place */
  within(place) {
    if (!place) return this;
    const [low, high] = this.ranges[place - 1];
    return new Numeric(this.name, low, high, this.step, this.exponent);
  }

  /** The number that an integer of the grid is. @param {bigint} point */
  number(point) {
    return scaled(point, this.exponent);
  }

  /** @param {unknown} value */
  answer(value) {
    const number = this.#clamped(value);
    if (!this.edges) return written(number);
    return written(this.number(this.edges[this.#bin(number)])); // nothing else is ever told
  }

  /** @param {string} answer @param {Words} source */
  encode(answer, source) {
    const number = unwritten(answer);
    if (this.edges) return this.#bin(number);
    const [over, under] = this.#scaled(number);
    return rounded(rational(over - this.low * under, under * this.step), source);
  }

  /** The bin that holds a number, from the lower to the upper end. @param {Rational} number */
  #bin(number) {
    const edges = this.edges ?? [];
    const [over, under] = this.#scaled(number);
    const reached = edges.filter((edge) => edge * under <= over).length;
    return Math.min(reached, this.size) - 1;
  }

  /** In units of the grid's integers. @param {Rational} number */
  #scaled([over, under]) {
    return [over * 10n ** BigInt(-this.exponent), under];
  }

  /** @param {unknown} value @returns {Rational} */
  #clamped(value) {
    const far = value === Infinity || value === -Infinity;
    const found = typeof value === "string" ? this.#read(value) : far ? Number(value) : exact(value);
    if (found === null) this.#fail("must be a number", value);
    const [low, high] = [this.number(this.low), this.number(this.high)];
    if (typeof found === "number") return found < 0 ? low : high;
    return less(found, low) ? low : less(high, found) ? high : found;
  }

  /** A number that is written as text; one beyond all grids is infinite. @param {string} text */
  #read(text) {
    const plain = text.trim().replace(/_/g, "");
    if (/^[+-]?inf(inity)?$/i.test(plain)) return plain[0] === "-" ? -Infinity : Infinity;
    const [digits, power] = decimal(plain) ?? this.#fail("must be a number", text);
    if (digits && power < -FAR) this.#fail(`must have at most ${FAR} decimal places`, text);
    const places = `${digits < 0n ? -digits : digits}`.length + power - 1;
    if (digits && places > FAR) return digits < 0n ? -Infinity : Infinity;
    return scaled(digits, digits ? power : 0);
  }

  /** @param {string} rule @param {unknown} value @returns {never} */
  #fail(rule, value) {
    throw new RecordError(this.name, rule, value);
  }
}

/** A number at a few equally spaced levels from end to end, as bundles tell it. @implements {Attribute} */
export class Coarse {
  /** @param {Numeric} number @param {number} size */
  constructor(number, size) {
    this.number = number;
    this.name = number.name;
    this.size = size;
  }

  /** @param {unknown} value */
  answer(value) {
    return this.number.answer(value);
  }

  /** @param {string} answer @param {Words} source */
  encode(answer, source) {
    const steps = BigInt(this.number.encode(answer, source)) * BigInt(this.size - 1);
    return rounded(rational(steps, BigInt(this.number.size - 1)), source);
  }
}

/** Several attributes as one: the cell of their table, in row-major order. @implements {Attribute} */
export class Bundle {
  /** @param {readonly Attribute[]} parts */
  constructor(parts) {
    this.parts = parts;
    this.name = parts.map((part) => part.name).join("+");
    this.size = parts.reduce((size, part) => size * part.size, 1);
  }

  /** @param {unknown} value the values of the parts */
  answer(value) {
    const values = /** @type {unknown[]} */ (value);
    return JSON.stringify(this.parts.map((part, i) => part.answer(values[i])));
  }

  /** @param {string} answer @param {Words} source */
  encode(answer, source) {
    const answers = JSON.parse(answer);
    return this.parts.reduce((cell, part, i) => cell * part.size + part.encode(answers[i], source), 0);
  }
}

/** Whether a value says that the owner lacks the attribute. @param {unknown} value */
export const isMissing = (value) => value === null || value === undefined || value !== value;

/** The label a value stands for, spelled as in Python. @param {unknown} value @returns {string | null} */
function labelOf(value) {
  if (typeof value === "string") return value;
  if (typeof value === "bigint") return `${value}`;
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "number") return null;
  if (Number.isInteger(value)) return `${BigInt(value)}`;
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  if (Math.abs(value) >= 1e-4) return `${value}`;
  return value.toExponential().replace(/-(\d)$/, "-0$1");
}

/** A neighbouring whole number, by the coin that keeps the mean. @param {Rational} x @param {Words} source */
function rounded([over, under], source) {
  const below = over / under;
  const rest = over % under;
  return Number(below) + Number(rest > 0n && source.under(under) < rest);
}
