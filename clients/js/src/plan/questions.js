/**
 * What a plan asks: attributes, and bundles of them that may be reported as one value.
 *
 * @typedef {import("../schema.js").Attribute} Attribute
 * @typedef {import("../laws/law.js").Law} Law
 * @typedef {{
 *   name: string,
 *   parts: string[],
 *   mechanism: string,
 *   ranges: import("../rational.js").Rational[][],
 *   cohorts: number,
 *   at: (place: number) => Attribute,
 *   law: (level: number, place: number) => Law,
 *   gridded: boolean,
 * }} Question ``parts``: the attributes it stands for; ``ranges``: those an owner may choose from, the
 *   whole one first; ``at``: how it is answered in one of them; ``gridded``: a number without bins
 */

import { bloom } from "../laws/bloom.js";
import { codingOf } from "../laws/coding.js";
import { signs } from "../laws/halfspace.js";
import { LABELS, NUMBERS } from "../laws/registry.js";
import { table } from "../laws/table.js";
import { scaled } from "../rational.js";
import { bundle, categorical, coarse, numeric } from "../schema.js";
import { differ, isMapping, list, mapping, need, oneOf, text, whole } from "./reader.js";

const OTHER = "other"; // a plan with this label has a home for unknown ones
const EXACT = Number.MAX_SAFE_INTEGER;
const MOST_CODES = 1 << 12;
const MOST_CELLS = 1 << 20; // of bundled numbers
const MOST_SIGNS = 40; // numbers in one bundle with duchi
const MOST_HASHED = 1 << 20; // bits of all words
const OPTIMAL = "optimal";

/** @param {any} stated @param {string} path @param {boolean} secret @param {Record<number, number[][]>} tables of optimal mechanisms @returns {Question} */
export function question(stated, path, secret, tables) {
  const { name, kind, mechanism } = stated ?? {};
  const labels = oneOf(kind, path + ".kind", ["categorical", "numeric"]) === "categorical";
  const { at, ranges } = (labels ? ofLabels : ofNumbers)(stated, path);
  const [{ size }, gridded] = [at(0), !labels && !stated.bins];
  need(size > 1 && size <= MOST_CODES && !(secret && gridded), path, size);
  const where = path + ".mechanism";
  const shared = { name: text(name, path + ".name"), parts: [name], ranges, at, gridded };
  if (isMapping(mechanism)) {
    const key = "rappor" in mechanism ? "rappor" : "bloom";
    need(!secret && !ranges.length, where, mechanism);
    const coding = codingIn(mapping(mechanism, where, key)[key], `${where}.${key}`, size, key === "rappor");
    return { ...shared, mechanism: key, cohorts: coding.cohorts, law: (level) => bloom(coding, level) };
  }
  const numbers = gridded ? [...NUMBERS.keys(), OPTIMAL] : [];
  oneOf(mechanism, where, [...(ranges.length ? [] : secret ? ["oue"] : LABELS.keys()), ...numbers]);
  const made = LABELS.get(mechanism) ?? NUMBERS.get(mechanism);
  const law = (/** @type {number} */ level, /** @type {number} */ place) =>
    made ? made(at(place).size, level) : table(at(place).size, tables[level]);
  return { ...shared, mechanism, cohorts: 1, law };
}

/** @param {any} stated @param {string} path */
function ofLabels(stated, path) {
  const { values, fallback } = mapping(stated, path, "fallback kind mechanism name values");
  const labels = list(values, path + ".values", text);
  need(differ(labels), path + ".values", values);
  need(labels.includes(fallback) && (fallback === OTHER || !labels.includes(OTHER)), path + ".fallback", fallback);
  const attribute = categorical(labels, fallback);
  return { ranges: [], at: () => attribute };
}

/** @param {any} stated @param {string} path */
function ofNumbers(stated, path) {
  const { name, range, step, exponent, bins, ranges } = mapping(
    stated, path, "bins? exponent kind mechanism name range ranges? step",
  );
  const integer = (/** @type {unknown} */ x, /** @type {string} */ at) => BigInt(whole(x, at, -EXACT, EXACT));
  const ends = (/** @type {unknown} */ x, /** @type {string} */ at) => {
    const pair = list(x, at, integer);
    need(pair.length === 2 && pair[0] < pair[1], at, x);
    return pair;
  };
  const [low, high] = ends(range, path + ".range");
  const stride = integer(step, path + ".step");
  need(stride > 0n && (high - low) % stride === 0n, path + ".step", step);
  const onGrid = (/** @type {bigint} */ x) => low <= x && x <= high && (x - low) % stride === 0n;
  const parts = ranges ? list(ranges, path + ".ranges", ends) : [];
  need(parts.flat().every(onGrid) && differ([[low, high], ...parts].map(String)), path + ".ranges", ranges);
  const edges = bins && list(bins, path + ".bins", integer);
  const rising = !bins || edges.every((/** @type {bigint} */ x, /** @type {number} */ i) => onGrid(x) && (!i || edges[i - 1] < x));
  need(rising && !(bins && (edges[0] !== low || edges.at(-1) !== high)), path + ".bins", bins);
  whole(exponent, path + ".exponent", -12, 0);
  const fine = [low, high, stride, ...(edges ?? [])].some((x) => x % 10n);
  need(!exponent || fine, path + ".exponent", exponent); // else a larger one leaves integers too
  const all = [[low, high], ...parts];
  return {
    ranges: ranges ? all.map((pair) => pair.map((end) => scaled(end, exponent))) : [],
    at: (/** @type {number} */ place) => numeric(name, all[place][0], all[place][1], stride, exponent, edges),
  };
}

/** @param {any} stated @param {string} path @param {number} size @param {boolean} twice whether what is kept is told anew in each round */
function codingIn(stated, path, size, twice) {
  mapping(stated, path, twice ? "bits cohorts hashes ones zeros" : "bits hashes");
  const hashes = whole(stated.hashes, path + ".hashes", 1, 16);
  const bits = whole(stated.bits, path + ".bits", hashes + 1, 1 << 15);
  const cohorts = twice ? whole(stated.cohorts, path + ".cohorts", 1, 64) : 1;
  const instant = twice ? ["ones", "zeros"].map((key) => whole(stated[key], `${path}.${key}`, 0, 999)) : null;
  need(!instant || instant[0] > instant[1], path + ".ones", instant);
  need(size * hashes * cohorts <= MOST_HASHED, path, size);
  return codingOf(size, hashes, bits, cohorts, instant);
}

/** @param {any} stated @param {string} path @param {Question[]} questions @returns {Question} */
export function bundled(stated, path, questions) {
  const cells = !isMapping(stated);
  const { attributes, levels, mechanism } = cells
    ? { attributes: stated, levels: 0, mechanism: "subset" }
    : mapping(stated, path, "attributes levels mechanism");
  const names = list(attributes, cells ? path : path + ".attributes", (name, where) =>
    oneOf(name, where, questions.map((q) => q.name)),
  );
  const parts = names.map((name) => questions.filter((q) => q.name === name)[0]);
  need(names.length > 1 && differ(names) && parts.every((q) => q.gridded !== cells), path, attributes);
  if (!cells) {
    oneOf(mechanism, path + ".mechanism", ["grr", "duchi"]);
    whole(levels, path + ".levels", 2, mechanism === "duchi" ? 2 : MOST_CODES);
  }
  const attribute = bundle(parts.map(({ at }) => (cells ? at(0) : coarse(at(0), levels))));
  const most = cells ? MOST_CODES : mechanism === "duchi" ? 2 ** MOST_SIGNS : MOST_CELLS;
  need(attribute.size <= most, path, attribute.size, most);
  const made = mechanism === "duchi" ? signs : /** @type {typeof signs} */ (LABELS.get(mechanism));
  return {
    name: names.join("+"),
    parts: names,
    mechanism,
    ranges: [],
    cohorts: 1,
    at: () => attribute,
    law: (level) => made(attribute.size, level),
    gridded: false,
  };
}
