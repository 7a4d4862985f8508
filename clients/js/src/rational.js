/** Exact fractions, as a numerator and a positive denominator in lowest terms. */

/** @typedef {readonly [bigint, bigint]} Rational */

/** @param {bigint} over @param {bigint} under @returns {Rational} */
export function rational(over, under) {
  let [a, b] = [under, over < 0n ? -over : over];
  while (b) [a, b] = [b, a % b];
  return [over / a, under / a];
}

/** The fraction as text, such as "3" or "-1/8". @param {Rational} x */
export const written = ([over, under]) => (under > 1n ? `${over}/${under}` : `${over}`);

/** What was written so. @param {string} text @returns {Rational} */
export function unwritten(text) {
  const [over, under = 1n] = text.split("/").map(BigInt);
  return [over, under];
}

/** Whether x < y. @param {Rational} x @param {Rational} y */
export const less = (x, y) => x[0] * y[1] < y[0] * x[1];

/**
 * The digits of a decimal as a whole number, and the power of ten it is multiplied by; null: it is
 * none.
 * @param {string} text
 * @returns {[bigint, number] | null}
 */
export function decimal(text) {
  const [whole, sign, before, after, power = 0] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  if (!whole || !(before + after)) return null;
  return [BigInt(sign + "1") * BigInt(before + after), Number(power) - after.length];
}

/** @param {bigint} digits @param {number | bigint} power @returns {Rational} */
export function scaled(digits, power) {
  const factor = 10n ** BigInt(power < 0 ? -power : power);
  return power < 0 ? rational(digits, factor) : [digits * factor, 1n];
}

/**
 * A finite number as the shortest decimal that prints it: 0.1 is a tenth; null: it is none.
 * @param {unknown} value
 * @returns {Rational | null}
 */
export function exact(value) {
  if (typeof value !== "bigint" && !Number.isFinite(value)) return null;
  const [digits, power] = decimal(`${value}`) ?? [0n, 0];
  return scaled(digits, power);
}
