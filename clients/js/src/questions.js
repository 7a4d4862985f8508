/**
 * What a plan asks: attributes, and bundles of them that may be reported as one value.
 *
 * @typedef {import("./laws/law.js").Law} Law
 * @typedef {{
 *   name: string,
 *   parts: string[],
 *   mechanism: string,
 *   ranges: string[],
 *   cohorts: number,
 *   gridded: boolean,
 *   at: (place: number) => import("./schema.js").Attribute,
 *   law: (level: number, place: number) => Law,
 * }} Question ``parts``: the attributes it stands for; ``ranges``: those an owner may choose from, the
 *   whole one first; ``gridded``: a number without bins; ``at``: how it is answered in a range
 */

import { refuse } from "./errors.js";
import { bloom } from "./laws/bloom.js";
import { codingOf } from "./laws/coding.js";
import { signs } from "./laws/halfspace.js";
import { LABELS, NUMBERS } from "./laws/registry.js";
import { table } from "./laws/table.js";
import { scaled, written } from "./rational.js";
import { bundle, categorical, coarse, numeric } from "./schema.js";
import { differ, isMapping, MOST_CODES, rise } from "./shape.js";

const OTHER = "other"; // a plan with this label has a home for unknown ones
const MOST_CELLS = 1 << 20; // of bundled numbers
const MOST_SIGNS = 2 ** 40; // of bundles with duchi
const MOST_HASHED = 1 << 20; // bits of all words

/**
 * @param {any} stated
 * @param {boolean} secret
 * @param {any} tables of optimal mechanisms, by level
 * @returns {Question}
 */
export function question(stated, secret, tables) {
  const { name, mechanism, bins, ranges, values, fallback } = stated;
  const gridded = !values && !bins;
  const at = values ? () => categorical(values, fallback) : onGrid(stated);
  const { size } = at(0);
  const coded = isMapping(mechanism);
  const coding = coded && codingIn(size, mechanism.bloom ?? mechanism.rappor);
  const made = coded
    ? (/** @type {number} */ _, /** @type {number} */ level) => bloom(coding, level)
    : LABELS.get(mechanism);
  if (
    size < 2 ||
    size > MOST_CODES ||
    (values &&
      (!differ(values) ||
        !values.includes(fallback) ||
        (values.includes(OTHER) && fallback !== OTHER))) ||
    (made ? ranges : !gridded) ||
    (secret && (gridded || mechanism !== "oue"))
  ) {
    refuse("not_allowed", "attributes", name);
  }
  const law = made ?? NUMBERS.get(mechanism) ?? ((points, level) => table(points, tables[level]));
  return {
    name,
    parts: [name],
    mechanism: coded ? Object.keys(mechanism)[0] : mechanism,
    ranges: ranges
      ? [stated.range, ...ranges].map((pair) =>
          pair
            .map((/** @type {number} */ end) => written(scaled(BigInt(end), stated.exponent)))
            .join(),
        )
      : [],
    cohorts: coding ? coding.cohorts : 1,
    gridded,
    at,
    law: memo((level, place) => law(at(place).size, level)),
  };
}

/** @param {any} stated */
function onGrid({ name, range, step, exponent, bins, ranges = [] }) {
  const all = [range, ...ranges].map((pair) => pair.map(BigInt));
  const [[low, high], stride, edges] = [all[0], BigInt(step), bins && bins.map(BigInt)];
  const numbers = /** @type {bigint[]} */ ([...all.flat(), ...(edges ?? [])]);
  if (
    numbers.some((x) => x < low || x > high || (x - low) % stride) ||
    !differ(all.map(String)) ||
    (edges && (edges[0] !== low || edges.at(-1) !== high || !rise(edges))) ||
    (exponent && ![stride, ...numbers].some((x) => x % 10n)) // else a larger one leaves integers too
  ) {
    refuse("not_allowed", "attributes", name);
  }
  return (/** @type {number} */ place) =>
    numeric(name, all[place][0], all[place][1], stride, exponent, edges);
}

/** @param {number} size @param {any} stated */
function codingIn(size, { hashes, bits, cohorts = 1, ones, zeros }) {
  if (bits <= hashes || ones <= zeros || size * hashes * cohorts > MOST_HASHED)
    refuse("not_allowed", "attributes", bits);
  return codingOf(size, hashes, bits, cohorts, ones && [ones, zeros]);
}

/** @param {any} stated @param {Question[]} questions @returns {Question} */
export function bundled(stated, questions) {
  const cells = Array.isArray(stated);
  const { attributes, levels, mechanism } = cells
    ? { attributes: stated, levels: 2, mechanism: "subset" }
    : stated;
  const parts = questions.filter((q) => attributes.includes(q.name));
  const ordered = attributes.map((/** @type {string} */ name) =>
    parts.find((q) => q.name === name)?.at(0),
  );
  if (
    attributes.length < 2 ||
    parts.length < attributes.length ||
    !differ(attributes) ||
    parts.some((q) => q.gridded === cells)
  ) {
    refuse("not_allowed", "bundles", attributes);
  }
  const attribute = bundle(
    cells ? ordered : ordered.map((/** @type {any} */ part) => coarse(part, levels)),
  );
  const made = /** @type {typeof signs} */ (mechanism === "duchi" ? signs : LABELS.get(mechanism));
  const most = cells ? MOST_CODES : made === signs ? MOST_SIGNS : MOST_CELLS;
  if (attribute.size > most || (made === signs && levels > 2))
    refuse("not_allowed", "bundles", attributes);
  return {
    name: attributes.join("+"),
    parts: attributes,
    mechanism,
    ranges: [],
    cohorts: 1,
    gridded: false,
    at: () => attribute,
    law: memo((level) => made(attribute.size, level)),
  };
}

/** Laws are worked out once. @param {(level: number, place: number) => Law} make */
function memo(make) {
  /** @type {Record<string, Law>} */
  const known = {};
  return (/** @type {number} */ level, /** @type {number} */ place) =>
    (known[`${[level, place]}`] ??= make(level, place));
}
