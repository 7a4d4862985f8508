/** Exact fractions, as a numerator and a positive denominator in lowest terms. */

/** @typedef {readonly [bigint, bigint]} Rational */

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i;

/** @param {bigint} over @param {bigint} under @returns {Rational} */
export function rational(over, under = 1n) {
  let [a, b] = [over < 0n ? -over : over, under];
  while (b) [a, b] = [b, a % b];
  return a ? [over / a, under / a] : [0n, 1n];
}

/** The fraction as text, such as "3" or "-1/8". @param {Rational} x */
export const written = ([over, under]) => (under === 1n ? `${over}` : `${over}/${under}`);

/** What was written so. @param {string} text @returns {Rational} */
export function unwritten(text) {
  const [over, under = "1"] = text.split("/");
  return [BigInt(over), BigInt(under)];
}

/** Whether x < y. @param {Rational} x @param {Rational} y */
export const less = (x, y) => x[0] * y[1] < y[0] * x[1];

/**
 * The digits of a decimal as a whole number, and the power of ten it is multiplied by.
 * @param {string} text
 * @returns {[bigint, number] | null} null: it is no decimal
 */
export function decimal(text) {
  const [, sign, before, after = "", power = "0"] = DECIMAL.exec(text) ?? [];
  if (before === undefined || !(before + after)) return null;
  const digits = BigInt(before + after);
  return [sign === "-" ? -digits : digits, Number(power) - after.length];
}

/** @param {bigint} digits @param {number} power @returns {Rational} */
export function scaled(digits, power) {
  const factor = 10n ** BigInt(Math.abs(power));
  return power < 0 ? rational(digits, factor) : [digits * factor, 1n];
}

/**
 * A finite number as the shortest decimal that prints it: 0.1 is a tenth.
 * @param {unknown} value
 * @returns {Rational | null} null: it is no number
 */
export function exact(value) {
  if (typeof value === "bigint") return [value, 1n];
  if (typeof value !== "number" || !Number.isFinite(value)) return null;
  return scaled(.../** @type {[bigint, number]} */ (decimal(String(value))));
}
