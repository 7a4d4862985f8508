/**
 * The attributes of a plan, each with its mechanism.
 *
 * @typedef {{
 *   attribute: import("../schema.js").Attribute,
 *   mechanism: string,
 *   coding: Coding | null,
 * }} Question
 */

import { Coding } from "../laws/coding.js";
import { MECHANISMS, NUMBERS, OPTIMAL, SECRET } from "../laws/registry.js";
import { Categorical, Numeric } from "../schema.js";

const OTHER = "other"; // a plan with this label has a home for unknown ones
export const MOST_CODES = 1 << 12;
const MOST_PLACES = 12;
const MOST_HASHES = 16;
const MOST_BITS = 1 << 15;
const MOST_COHORTS = 64;
const MOST_HASHED = 1 << 20; // bits of all words
/** @type {Readonly<Record<string, readonly string[]>>} of coded mechanisms, the words */
const PARTS = { bloom: ["hashes", "bits"], rappor: ["hashes", "bits", "cohorts", "ones", "zeros"] };

/** @typedef {import("./field.js").Field} Field */

/** @param {Field} field @param {boolean} secret @returns {Question[]} */
export function readQuestions(field, secret) {
  const read = field.items().map((item) => question(item, secret));
  if (new Set(read.map(({ attribute }) => attribute.name)).size < read.length) {
    field.fail("names must differ");
  }
  const cohorts = new Set(read.map(({ coding }) => (coding ? coding.cohorts : 1)));
  cohorts.delete(1); // a device has one for the whole plan
  if (cohorts.size > 1) field.fail("cohorts must be equally many in all attributes that have some");
  return read;
}

/** @param {Field} field @param {boolean} secret @returns {Question} */
function question(field, secret) {
  const kinds = ["values", "fallback", "range", "step", "exponent", "bins", "ranges"];
  const { kind, ranges, mechanism } = field.mapping(["name", "kind", "mechanism"], kinds);
  const labels = kind.oneOf(["categorical", "numeric"]) === "categorical";
  const attribute = labels ? categorical(field) : numeric(field);
  const gridded = attribute instanceof Numeric && !attribute.edges;
  if (secret && gridded) {
    field.fail("a numeric attribute needs bins in a plan with secret allocation");
  }
  if (attribute.size < 2 || attribute.size > MOST_CODES) {
    field.fail(`must have 2 to ${MOST_CODES} values, and has ${attribute.size}`);
  }
  const coded = mechanism.isMapping;
  const numbers = gridded ? [...Object.keys(NUMBERS), OPTIMAL] : [];
  const name = coded
    ? Object.keys(mechanism.mapping([], Object.keys(PARTS))).join()
    : mechanism.oneOf([...Object.keys(MECHANISMS), ...numbers]);
  if (secret && name !== SECRET) mechanism.fail("must be oue in a plan with secret allocation");
  if (ranges && (coded || name in MECHANISMS)) ranges.fail("must be with a mechanism for numbers");
  return { attribute, mechanism: name, coding: coded ? coding(mechanism, name, attribute.size) : null };
}

/** @param {Field} field */
function categorical(field) {
  const fields = field.mapping(["name", "kind", "values", "fallback", "mechanism"]);
  const labels = fields.values.items().map((item) => item.text());
  if (new Set(labels).size < labels.length) fields.values.fail("labels must differ");
  const fallback = fields.fallback.text();
  if (!labels.includes(fallback) || (labels.includes(OTHER) && fallback !== OTHER)) {
    fields.fallback.fail(`must be one of the values, and ${OTHER} if that is one`);
  }
  return new Categorical(fields.name.text(), labels, fallback);
}

/** @param {Field} field */
function numeric(field) {
  const required = ["name", "kind", "range", "step", "exponent", "mechanism"];
  const { name, range, step, exponent, bins, ranges } = field.mapping(required, ["bins", "ranges"]);
  const [low, high] = ends(range);
  const stride = integer(step);
  if (stride <= 0n || (high - low) % stride) step.fail("must be above zero and divide the range");
  const onGrid = (/** @type {bigint} */ x) => low <= x && x <= high && (x - low) % stride === 0n;
  const parts = (ranges ? ranges.items() : []).map((item) => {
    const part = ends(item);
    return part.every(onGrid) ? part : item.fail("must lie in the range, with ends on its grid");
  });
  if (new Set([[low, high], ...parts].map(String)).size < 1 + parts.length) {
    ranges.fail("must differ from each other and from the whole range");
  }
  const edges = bins ? bins.items().map(integer) : null;
  const rising = (edges ?? []).every((edge, i, all) => onGrid(edge) && (!i || all[i - 1] < edge));
  if (edges && !(rising && edges[0] === low && edges[edges.length - 1] === high)) {
    bins.fail("must be rising grid points from the lower to the upper end of the range");
  }
  const power = exponent.whole(-MOST_PLACES, 0);
  if (power && [low, high, stride, ...(edges ?? [])].every((x) => x % 10n === 0n)) {
    exponent.fail("must be the largest that leaves integers");
  }
  return new Numeric(name.text(), low, high, stride, power, edges, parts);
}

/** @param {Field} field @returns {bigint} */
const integer = (field) => BigInt(field.whole());

/** @param {Field} field @returns {[bigint, bigint]} */
function ends(field) {
  const [low, high, ...more] = field.items().map(integer);
  if (high === undefined || more.length || low >= high) {
    field.fail("must be two numbers, the smaller first");
  }
  return [low, high];
}

/** @param {Field} field @param {string} mechanism @param {number} size */
function coding(field, mechanism, size) {
  if (!PARTS[mechanism]) field.fail(`must name one mechanism (${Object.keys(PARTS).join(" or ")})`);
  const stated = field.mapping([mechanism])[mechanism].mapping(PARTS[mechanism]);
  const hashes = stated.hashes.whole(1, MOST_HASHES);
  const bits = stated.bits.whole(hashes + 1, MOST_BITS);
  const cohorts = stated.cohorts ? stated.cohorts.whole(1, MOST_COHORTS) : 1;
  /** @type {[number, number] | null} */
  const instant = stated.ones ? [stated.ones.whole(0, 999), stated.zeros.whole(0, 999)] : null;
  if (instant && instant[1] >= instant[0]) {
    stated.ones.fail("ones must be sent as ones more often than zeros are");
  }
  if (size * hashes * cohorts > MOST_HASHED) {
    field.fail(`must have words of at most ${MOST_HASHED} bits in all (fewer hashes, cohorts)`);
  }
  const found = new Coding(size, hashes, bits, cohorts, instant);
  if (found.ambiguous) field.fail(`must have words that tell all ${size} values apart`);
  return found;
}
