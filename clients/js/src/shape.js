/** What may stand where in a plan, as far as that can be seen at the place itself. */

import { LABELS, NUMBERS } from "./laws/registry.js";
import { MOST } from "./policy.js";

/** @typedef {(value: any) => unknown} Fits */

export const MOST_CODES = 1 << 12; // of an attribute
const LONGEST_TEXT = 200;
const LARGE = 1e12; // of a total, which may be above every level
const EXACT = Number.MAX_SAFE_INTEGER;

/** @param {any} value */
export const isMapping = (value) => typeof value === "object" && value && !Array.isArray(value);

/** @param {unknown[]} items */
export const differ = (items) => new Set(items).size === items.length;

/** @param {any[]} items */
export const rise = (items) => items.every((item, i) => !i || items[i - 1] < item);

/** @param {number} least @param {number} most @returns {Fits} */
const whole = (least, most) => (value) =>
  Number.isInteger(value) && least <= value && value <= most;

/** @param {Fits} item @returns {Fits} */
const list = (item) => (value) =>
  Array.isArray(value) && value.length && value.every((each) => item(each));

/** @param {unknown[]} choices @returns {Fits} */
const oneOf =
  (...choices) =>
  (value) =>
    choices.includes(value);

/** @param {Fits[]} all @returns {Fits} */
const either =
  (...all) =>
  (value) =>
    all.some((fits) => fits(value));

/**
 * These fields and perhaps some more, but no others.
 * @param {Record<string, Fits>} required
 * @param {Record<string, Fits>} [optional]
 * @returns {Fits}
 */
const fields = (required, optional) => (value) => {
  const known = { ...optional, ...required };
  return (
    isMapping(value) &&
    Object.keys(required).every((key) => key in value) &&
    Object.keys(value).every((key) => Object.hasOwn(known, key) && known[key](value[key]))
  );
};

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
  list(integer)(value) && value.length === 2 && rise(value);
const words = { hashes: whole(1, 16), bits: whole(2, 1 << 15) };
const labels = either(
  oneOf(...LABELS.keys()),
  fields({ bloom: fields(words) }),
  fields({ rappor: fields({ ...words, cohorts: whole(1, 64), ones: coin, zeros: coin }) }),
);

/** @type {Record<string, Fits>} by field of the document */
export const SHAPE = {
  format: oneOf(1),
  name: text,
  allocation: oneOf("disclosed", "secret"),
  contract: oneOf("attribute", "record"),
  attributes: list(
    either(
      fields({
        kind: oneOf("categorical"),
        name: text,
        values: list(text),
        fallback: text,
        mechanism: labels,
      }),
      fields(
        {
          kind: oneOf("numeric"),
          name: text,
          range: pair,
          step: whole(1, EXACT),
          exponent: whole(-12, 0),
          mechanism: either(labels, oneOf("optimal", ...NUMBERS.keys())),
        },
        { bins: list(integer), ranges: list(pair) },
      ),
    ),
  ),
  bundles: either(
    oneOf(undefined),
    list(
      either(
        list(text),
        fields({
          attributes: list(text),
          levels: whole(2, MOST_CODES),
          mechanism: oneOf("grr", "duchi"),
        }),
      ),
    ),
  ),
  budget: either(
    (value) =>
      fields({ average: level, least: level, most: whole(1, MOST), step: level })(value) &&
      value.least <= value.average &&
      value.average <= value.most,
    fields({ total: level, spread: whole(1000, LARGE), step: level }),
    (value) => fields({ levels: list(whole(1, MOST)) })(value) && rise(value.levels),
  ),
  share: either(fields({ least: level }), fields({ sample: level })),
  tables: either(oneOf(undefined), isMapping),
};
