/**
 * Kinds of attributes: what a plan states about one, and how it is answered.
 *
 * @typedef {import("./schema.js").Attribute} Attribute
 * @typedef {import("./laws/registry.js").Further} Further
 * @typedef {{
 *   fields: Record<string, import("./fits.js").Shape>,
 *   within: (stated: any, further: Partial<Further>) => (rangeIndex: number) => Attribute,
 * }} Kind ``fields``: what is stated beside name, kind and mechanism, and the mechanisms; ``within``: how
 *   it is answered in each of its ranges
 */

import { need } from "./errors.js";
import { differ, either, fits, label, rise, whole } from "./fits.js";
import { FURTHER, HASHING, LABELS, NUMBERS } from "./laws/registry.js";
import { MOMENTS } from "./moments.js";
import { categorical, numeric } from "./schema.js";

export const MOST_CODES = 1 << 12; // of an attribute
const MOST_POINTS = 1 << 20; // of a grid that is reported as a number
const MOST_BITS = 1 << 15; // of a report about one attribute
const LARGEST = 1e6; // thousandths of the scale that a coordinate may be from zero
const EXACT = Number.MAX_SAFE_INTEGER;
const OTHER = "other"; // a plan with this label has a home for unknown ones

const integer = whole(-EXACT, EXACT);
const coin = whole(0, 999); // thousandths
const pairOf = (/** @type {any} */ value) => fits([integer], value) && value.length === 2;
const pair = (/** @type {any} */ value) => pairOf(value) && rise(value);
const many = whole(2, MOST_BITS);
const words = { hashes: whole(1, 16), bits: many };
const coins = { ones: coin, zeros: coin };
const first = { first: whole(1, 999) }; // thousandths of the level
const labels = either(
  ...FURTHER,
  ...Object.keys(LABELS),
  ...HASHING.map((name) => ({ [name]: { function: "assigned" } })),
  { bloom: words },
  { rappor: { ...words, cohorts: whole(1, 64), ...coins } },
  { dbitflip: { bits: whole(1, 32) } },
  { lgrr: first },
  { losue: first },
  { loloha: { ...first, buckets: whole(2, 1024) } },
  { idldp: { shares: [whole(1, 1000)] } }, // thousandths of the level
  { uldp: { sensitive: [label] } },
  { metric: { places: [[whole(-LARGEST, LARGEST)]] } },
);
const intervals = { hierarchy: { fanout: whole(2, 16), depths: whole(1, 20) } };
const lengths = [whole(1, 64)];
const entries = { length: lengths, mechanism: "cover" };
const cohorts = whole(1, 1024); // of texts
const cells = { cells: many, cohorts };
const hashed = { cover: { cells: whole(16, MOST_CODES), cohorts } };
const applies = either(undefined, [
  either({ attribute: label, values: [label] }, { attribute: label, range: pairOf }),
]);
const even = (/** @type {any} */ value) => many(value) && !(value & (value - 1));
const sketches = either(
  { orr: cells },
  { cms: cells },
  { hcms: { cells: even, cohorts } },
  { orappor: { ...words, cohorts } },
  { orappor: { ...words, cohorts, ...coins } },
);

const prefixes = { prefixes: { groups: [whole(1, 60)] } };
const discover = { code: () => true, bits: whole(36, 60) }; // the code is checked where it is read

const grid = {
  range: pair,
  step: whole(1, EXACT),
  mechanism: either(labels, intervals, "optimal", ...Object.keys(NUMBERS)),
  bins: either(undefined, [integer]),
  ranges: either(undefined, [pair]),
  applies,
};

/** @type {Kind} */
const named = {
  fields: { values: [label], fallback: label, mechanism: labels, applies },
  within: ({ name, values, fallback }) => {
    const known = values.includes(OTHER) ? fallback === OTHER : values.includes(fallback);
    return sized(name, differ(values) && known, () => categorical(values, fallback));
  },
};

/** @type {Record<string, Kind>} */
export const KINDS = {
  categorical: named,
  ordinal: { ...named, fields: { ...named.fields, mechanism: either(labels, intervals) } },
  numeric: {
    fields: { ...grid, exponent: whole(-12, 0), rounding: either(undefined, "kept") },
    within: onGrid,
  },
  date: { fields: grid, within: onGrid },
  time: { fields: grid, within: onGrid },
  text: {
    fields: { mechanism: either(sketches, prefixes), discover: either(undefined, discover) },
    within: ({ name, discover: stated }, further) => {
      const { codedText, isCode, text } = /** @type {Further} */ (further);
      need(!stated || isCode(stated.code), "attributes", name);
      const attribute = stated ? codedText(stated) : text;
      return () => attribute;
    },
  },
  set: {
    fields: { items: either("text", [label]), sets: either(undefined, [[label]]), length: lengths, mechanism: either("cover", hashed) },
    within: (stated, further) => {
      const { itemSet, textSet } = /** @type {Further} */ (further);
      return stated.items === "text" ? textSet(stated) : itemSet(stated);
    },
  },
  map: {
    fields: { keys: [label], range: pair, step: grid.step, exponent: whole(-12, 0), ...entries },
    within: (stated, further) =>
      /** @type {Further} */ (further).keyMap(stated, onGrid({ ...stated, mechanism: "duchi" })(0)),
  },
};

/** @param {any} stated */
function onGrid({ kind, name, mechanism, range, step, exponent = 0, bins, ranges = [], rounding }) {
  const moment = MOMENTS[kind];
  const all = [range, ...ranges].map((pair) => pair.map(BigInt));
  const [[low, high], stride, edges] = [all[0], BigInt(step), bins && bins.map(BigInt)];
  const number = mechanism === "optimal" || Object.hasOwn(NUMBERS, mechanism);
  const every = !!mechanism.hierarchy && !edges; // point of the grid has a code
  const most = edges ? Infinity : (number || every) && !ranges.length ? MOST_POINTS : MOST_CODES;
  const numbers = /** @type {bigint[]} */ ([...all.flat(), ...(edges ?? [])]);
  return sized(
    name,
    (!moment || (moment.least <= range[0] && range[1] <= moment.most)) &&
      numbers.every((x) => low <= x && x <= high && !((x - low) % stride)) &&
      differ(all.map(String)) &&
      (range[1] - range[0]) / step < most &&
      !(edges && rounding) &&
      (!edges || (edges[0] === low && edges.at(-1) === high && rise(edges))) &&
      (!exponent || [stride, ...numbers].some((x) => x % 10n)), // else a larger one leaves integers too
    (rangeIndex) =>
      numeric(
        name,
        all[rangeIndex][0],
        all[rangeIndex][1],
        stride,
        exponent,
        edges,
        moment && { kind, ...moment },
        every ? MOST_POINTS : MOST_CODES,
        !!rounding,
      ),
    every ? MOST_POINTS : MOST_CODES,
  );
}

/**
 * Refuse what breaks a rule, or has too few or too many codes.
 * @param {string} name
 * @param {unknown} kept
 * @param {(rangeIndex: number) => Attribute} within
 * @param {number} [most]
 */
function sized(name, kept, within, most = MOST_CODES) {
  const { size } = within(0);
  need(kept && size > 1 && size <= most, "attributes", name);
  return within;
}
