/**
 * What may stand where in a document, as far as that can be seen at the place itself.
 *
 * A shape looks like what it allows: a value stands for itself, ``[shape]`` for a list, an object for
 * one with these fields and no others; a function decides.
 *
 * @typedef {any} Shape
 * @typedef {(value: any) => unknown} Fits
 */

const LONGEST_TEXT = 200;

/** @param {any} value */
export const isMapping = (value) => typeof value === "object" && value && !Array.isArray(value);

/** @param {unknown[]} items */
export const differ = (items) => new Set(items).size === items.length;

/** @param {any[]} items */
export const rise = (items) => items.every((item, i) => !i || items[i - 1] < item);

/** @param {Shape} shape @param {any} value @returns {unknown} */
export function fits(shape, value) {
  if (typeof shape === "function") return shape(value);
  if (Array.isArray(shape))
    return Array.isArray(value) && value.length && value.every((each) => fits(shape[0], each));
  return isMapping(shape) ? isMapping(value) && !misfit(shape, value) : shape === value;
}

/**
 * The first field that does not fit: it is lacking, unknown, or has another shape.
 * @param {Record<string, Shape>} shape
 * @param {any} value
 */
export const misfit = (shape, value) =>
  Object.keys({ ...shape, ...value }).find(
    (key) => !Object.hasOwn(shape, key) || !fits(shape[key], value[key]),
  );

/** @param {Shape[]} shapes @returns {Fits} */
export const either =
  (...shapes) =>
  (value) =>
    shapes.some((shape) => fits(shape, value));

/** @param {number} least @param {number} most @returns {Fits} */
export const whole = (least, most) => (value) =>
  Number.isInteger(value) && least <= value && value <= most;

/** What an attribute lists: its labels, items or keys. @param {any} stated @returns {string[]} */
export const codesOf = ({ values, items, keys }) => [values, items, keys].find(Array.isArray) ?? [];

/** A name or a label. @param {any} value */
export const label = (value) =>
  typeof value === "string" &&
  value.trim() &&
  [...value].length <= LONGEST_TEXT &&
  !/(?! )[\p{C}\p{Z}]/u.test(value);
