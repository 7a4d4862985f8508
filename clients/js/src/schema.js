/**
 * Attributes: how a value becomes an answer, and an answer a code.
 *
 * A device never refuses because of a value: ``answer`` maps whatever it is given into the domain,
 * as the plan says, to text that is the same for equal answers. ``encode`` gives its code; between
 * two grid points an exact coin decides that keeps the mean.
 *
 * @typedef {import("./randomness.js").Source} Source
 * @typedef {import("./rational.js").Rational} Rational
 * @typedef {"unlisted" | "below" | "above" | "no_number" | "entries"} Misfit
 * @typedef {{
 *   size: number,
 *   length?: number,
 *   gridded?: boolean,
 *   listed?: boolean,
 *   answer: (...values: any[]) => string,
 *   encode: (answer: string, source: Source) => any,
 *   misfit?: (value: unknown) => Misfit | undefined,
 *   nearest?: (value: unknown) => Rational,
 *   read?: (text: string) => Rational | undefined,
 *   scaled?: (point: number) => Rational,
 *   settled?: (answer: string, threshold: bigint) => string,
 * }} Attribute the code is a number; that of a text, of which there is no list, a bigint; of a set or a map, its
 *   symbols, of which there are ``size``; ``length``: how many of these are reported at most; ``gridded``:
 *   whether it is a number without bins; ``listed``: whether its codes are a list of values, labels or bins;
 *   ``misfit``: why a value does not fit, if it does not; ``nearest``: the nearest number of the range, of a number; ``read``: a
 *   date, or a time of day, as a number; ``scaled``: a point of its grid as a number;
 *   ``settled``: the point to which a threshold below 2^64 rounds an answer, where rounding is kept
 */

import { refuse } from "./errors.js";
import { decimal, less, rational, scaled, unwritten, written } from "./rational.js";

const FAR = 400; // decimal places that are counted with: no float has more

/**
 * A label the plan does not know becomes the fallback.
 * @param {string[]} labels
 * @param {string} fallback
 * @returns {Attribute}
 */
export const categorical = (labels, fallback) => ({
  listed: true,
  size: labels.length,
  answer: (value) => {
    const label = labelOf(value);
    return labels.includes(label) ? label : fallback;
  },
  misfit: (value) => (labels.includes(labelOf(value)) ? undefined : "unlisted"),
  encode: (answer) => labels.indexOf(answer),
});

/**
 * Codes are grid points, low, low + step, ..., high, all times ten to the exponent, or ``most`` from low
 * to high where there are more; or bins ``[a, b)`` (the last one closed) where edges are given.
 * @param {string} name @param {bigint} low @param {bigint} high @param {bigint} step
 * @param {number} exponent 0 or below @param {bigint[]} [edges]
 * @param {{kind: string, read: (text: string) => Rational | undefined}} [moment] a date or a time of day, by how it is read
 * @param {number} [most] codes of a grid
 * @param {boolean} [kept] whether one threshold decides all coins: ``settled`` is then the answer that is the
 *   point to which it rounds another one
 * @returns {Attribute}
 */
export function numeric(name, low, high, step, exponent, edges, moment, most = 1 << 12, kept = false) {
  const unit = 10n ** BigInt(-exponent);
  const bin = (/** @type {bigint[]} */ all, /** @type {Rational} */ [over, under]) =>
    Math.min(all.filter((edge) => edge * under <= over * unit).length, all.length - 1) - 1;
  const size = edges ? edges.length - 1 : Math.min(Number((high - low) / step) + 1, most);
  const [least, last] = [rational(low, unit), rational(high, unit)];
  const read = (/** @type {unknown} */ value) => (moment ? moment.read(`${value}`) : decimalOf(value));
  const nearest = (/** @type {unknown} */ value) =>
    between(read(value) ?? refuse(`not_a_${moment ? moment.kind : "number"}`, name, value), least, last);
  const span = high - low;
  const encode = (/** @type {string} */ answer, /** @type {Source} */ source) => {
    const [over, under] = unwritten(answer);
    return edges
      ? bin(edges, [over, under])
      : rounded((over * unit - low * under) * BigInt(size - 1), under * span, source);
  };
  const settled = (/** @type {string} */ answer, /** @type {bigint} */ threshold) => {
    const below = (/** @type {any} */ n) => /** @type {any} */ ((threshold * n) >> 64n);
    const coin = (/** @type {bigint} */ heads) => threshold < heads;
    const [code, last] = [BigInt(encode(answer, { below, coin })), BigInt(size - 1)];
    return written(rational(low * last + code * span, unit * last));
  };
  return {
    gridded: !edges,
    listed: !!edges,
    nearest,
    settled: kept ? settled : undefined,
    misfit: (value) => {
      const number = read(value);
      if (number === undefined) return "no_number";
      if (typeof number === "number") return number > 0 ? "above" : "below";
      return less(number, least) ? "below" : less(last, number) ? "above" : undefined;
    },
    read: moment?.read,
    scaled: (point) => rational(BigInt(point), unit),
    size,
    answer: (value) => {
      const number = nearest(value);
      return written(edges ? rational(edges[bin(edges, number)], unit) : number); // bins: no more is reported
    },
    encode,
  };
}

/**
 * A number at a few equally spaced levels from end to end.
 * @param {Attribute} number
 * @param {number} size
 * @returns {Attribute}
 */
export const coarse = (number, size) => ({
  ...number,
  size,
  encode: (answer, source) =>
    rounded(BigInt(number.encode(answer, source) * (size - 1)), BigInt(number.size - 1), source),
});

/**
 * Several attributes as one: the cell of their table, in row-major order.
 * @param {Attribute[]} parts
 * @returns {Attribute}
 */
export const bundle = (parts) => ({
  size: parts.reduce((size, part) => size * part.size, 1),
  answer: (...values) => JSON.stringify(parts.map((part, i) => part.answer(values[i]))),
  encode: (answer, source) => {
    const answers = JSON.parse(answer);
    return parts.reduce((cell, part, i) => cell * part.size + part.encode(answers[i], source), 0);
  },
});

/** The label a value stands for, spelled as in Python. @param {unknown} value */
export function labelOf(value) {
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "number") return typeof value === "object" ? "" : String(value);
  if (Number.isInteger(value)) return `${BigInt(value)}`;
  if (Math.abs(value) < 1e-4) return value.toExponential().replace(/-(\d)$/, "-0$1");
  return `${value}`.replace("Infinity", "inf");
}

/**
 * The nearest number of a range; one beyond all grids is infinite.
 * @param {Rational | number} number @param {Rational} low @param {Rational} high
 */
function between(number, low, high) {
  if (typeof number === "number") return number > 0 ? high : low;
  return less(number, low) ? low : less(high, number) ? high : number;
}

/** A number as text has it, with all its decimals; nothing for what is none. @param {unknown} value */
function decimalOf(value) {
  const text = /^(string|number|bigint)$/.test(typeof value) ? `${value}` : "";
  const plain = text
    .trim()
    .replace(/(?![0-9])\p{Nd}/gu, digitOf)
    .replace(/_/g, "")
    .replace(/inf(inity)?$/i, "Infinity");
  const endless = Number(plain);
  if (Math.abs(endless) === Infinity) return endless;
  const found = decimal(plain);
  if (!found) return undefined;
  const [digits, power] = cut(found);
  return scaled(digits, digits && power);
}

/** A digit of another script; those of one stand side by side, the zero first. @param {string} digit */
function digitOf(digit) {
  const code = /** @type {number} */ (digit.codePointAt(0));
  let below = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - below - 1))) below += 1;
  return `${below % 10}`;
}

/**
 * A decimal without the places beyond those that are counted with.
 * @param {[bigint, number]} number
 * @returns {[bigint, number]}
 */
function cut([digits, power]) {
  const more = -FAR - power;
  if (more <= 0) return [digits, power];
  return more > `${digits}`.length ? [0n, 0] : [digits / 10n ** BigInt(more), -FAR];
}

/**
 * A neighbouring whole number, by the coin that keeps the mean.
 * @param {bigint} above
 * @param {bigint} steps
 * @param {Source} source
 */
export function rounded(above, steps, source) {
  const [rest, under] = rational(above % steps, steps);
  return Number(above / steps) + Number(rest > 0n && source.below(under) < rest);
}
