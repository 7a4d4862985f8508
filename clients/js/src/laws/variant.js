/**
 * Variants of local privacy: what a plan states of an attribute's values decides how far any two may be
 * told apart.
 *
 * @typedef {(level: number) => import("./law.js").Law} LawAt
 * @typedef {(stated: any, labels: string[]) => LawAt | false} Variant false where a rule is broken
 */

import { idldp } from "./idldp.js";
import { MOST_CODES } from "./matrix.js";
import { metric } from "./metric.js";
import { uldp } from "./uldp.js";

const MOST_SHARES = 16; // different ones
const MOST_AXES = 2;

/** @type {Record<string, Variant>} */
export const VARIANTS = {
  idldp: ({ shares }, { length }) =>
    shares.length === length &&
    new Set(shares).size <= MOST_SHARES &&
    ((level) => ({ ...idldp(shares, level), sends: "parts" })),
  uldp: ({ sensitive }, labels) => {
    /** @type {number[]} */
    const codes = sensitive.map((/** @type {string} */ label) => labels.indexOf(label));
    return (
      codes.every((code, i) => code > (codes[i - 1] ?? -1)) &&
      codes.length < labels.length &&
      ((level) => uldp(labels.length, codes, level))
    );
  },
  metric: ({ places }, { length }) =>
    places.length === length &&
    places.every((/** @type {number[]} */ place) => place.length === places[0].length) &&
    places[0].length <= MOST_AXES &&
    new Set(places.map(String)).size === length &&
    ((level) => ({ ...metric(places, level), sends: "places" })),
};

/**
 * @param {any} attribute as the plan states it
 * @param {number} size
 * @returns {LawAt | false}
 */
export function variantOf(attribute, size) {
  const [[name, stated]] = Object.entries(attribute.mechanism);
  return size <= MOST_CODES && VARIANTS[name](stated, labelsOf(attribute, size));
}

/** What Python calls each code. @param {any} attribute @param {number} size @returns {string[]} */
function labelsOf({ values, range, step, exponent, bins }, size) {
  const codes = Array.from({ length: size }, (_, code) => code);
  const name = (/** @type {number} */ point) => decimal(BigInt(point), -exponent);
  if (values) return values;
  if (!bins) return codes.map((code) => name(range[0] + code * step));
  return codes.map(
    (code) => `[${name(bins[code])}, ${name(bins[code + 1])}${code < size - 1 ? ")" : "]"}`,
  );
}

/** With so many decimals. @param {bigint} point @param {number} places */
function decimal(point, places) {
  const digits = `${point < 0n ? -point : point}`.padStart(places + 1, "0");
  const [whole, rest] = [digits.slice(0, digits.length - places), digits.slice(-places)];
  return (point < 0n ? "-" : "") + (places ? `${whole}.${rest}` : digits);
}
