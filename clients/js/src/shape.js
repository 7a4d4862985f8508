/**
 * What may stand where in a plan, as far as that can be seen at the place itself.
 *
 * A shape looks like what it allows: a value stands for itself, ``[shape]`` for a list, an object for
 * one with these fields and no others; a function decides.
 *
 * @typedef {any} Shape
 * @typedef {(value: any) => unknown} Fits
 */

import { FURTHER, LABELS, NUMBERS } from "./laws/registry.js";
import { MOST } from "./policy.js";

export const MOST_CODES = 1 << 12; // of an attribute
const MOST_BITS = 1 << 15; // of a report about one attribute
const LONGEST_TEXT = 200;
const LARGE = 1e12; // of a total, which may be above every level
const LARGEST = 1e6; // thousandths of the scale that a coordinate may be from zero
const EXACT = Number.MAX_SAFE_INTEGER;

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
const either =
  (...shapes) =>
  (value) =>
    shapes.some((shape) => fits(shape, value));

/** @param {number} least @param {number} most @returns {Fits} */
export const whole = (least, most) => (value) =>
  Number.isInteger(value) && least <= value && value <= most;

/** @param {any} value */
const text = (value) =>
  typeof value === "string" &&
  value.trim() &&
  [...value].length <= LONGEST_TEXT &&
  !/(?! )[\p{C}\p{Z}]/u.test(value);

const integer = whole(-EXACT, EXACT);
const level = whole(1, LARGE);
const coin = whole(0, 999); // thousandths
const pair = (/** @type {any} */ value) =>
  fits([integer], value) && value.length === 2 && rise(value);
const many = whole(2, MOST_BITS);
const words = { hashes: whole(1, 16), bits: many };
const coins = { ones: coin, zeros: coin };
const labels = either(
  ...FURTHER,
  ...Object.keys(LABELS),
  ...FURTHER.slice(1).map((name) => ({ [name]: { function: "assigned" } })), // those that hash
  { bloom: words },
  { rappor: { ...words, cohorts: whole(1, 64), ...coins } },
  { idldp: { shares: [whole(1, 1000)] } }, // thousandths of the level
  { uldp: { sensitive: [text] } },
  { metric: { places: [[whole(-LARGEST, LARGEST)]] } },
);
const cohorts = whole(1, 1024); // of texts
const cells = { cells: many, cohorts };
const even = (/** @type {any} */ value) => many(value) && !(value & (value - 1));
const sketches = either(
  { orr: cells },
  { cms: cells },
  { hcms: { cells: even, cohorts } },
  { orappor: { ...words, cohorts } },
  { orappor: { ...words, cohorts, ...coins } },
);

/** @type {Record<string, Shape>} of the document */
export const SHAPE = {
  format: 1,
  name: text,
  allocation: either("disclosed", "secret"),
  contract: either("attribute", "record"),
  attributes: [
    either(
      {
        kind: "categorical",
        name: text,
        values: [text],
        fallback: text,
        mechanism: labels,
      },
      {
        kind: "numeric",
        name: text,
        range: pair,
        step: whole(1, EXACT),
        exponent: whole(-12, 0),
        mechanism: either(labels, "optimal", ...Object.keys(NUMBERS)),
        bins: either(undefined, [integer]),
        ranges: either(undefined, [pair]),
      },
      { kind: "text", name: text, mechanism: sketches },
    ),
  ],
  bundles: either(undefined, [
    either([text], {
      attributes: [text],
      levels: whole(2, MOST_CODES),
      mechanism: either("grr", "duchi"),
    }),
  ]),
  budget: either(
    (/** @type {any} */ value) =>
      fits({ average: level, least: level, most: whole(1, MOST), step: level }, value) &&
      value.least <= value.average &&
      value.average <= value.most,
    { total: level, spread: whole(1000, LARGE), step: level },
    (/** @type {any} */ value) => fits({ levels: [whole(1, MOST)] }, value) && rise(value.levels),
  ),
  share: either({ least: level }, { sample: level }),
  tables: either(undefined, isMapping),
  wording: either(undefined, isMapping),
  replaces: (/** @type {any} */ value) => value === undefined || /^[0-9a-f]{64}$/.test(value),
};
