/**
 * Sets of listed items, or of any texts, and maps from listed keys to numbers.
 *
 * A set is a list, a ``Set``, the keys of an object, or a single item; a map is an object, a ``Map``, or pairs.
 * Entries that stand there twice count once, the last number of a key counts, and what is not listed is
 * left out, or is ``other`` where that is an item. The code is a list of symbols, rising: of a map a key
 * with one end of the range or the other. Where nothing is listed any text is an item, and any number as it is
 * written; what is neither, and the empty text, is left out. The code is a list of fingerprints.
 *
 * @typedef {import("./schema.js").Attribute} Attribute
 * @typedef {import("./schema.js").Misfit} Misfit
 */

import { need } from "./errors.js";
import { differ, isMapping, rise } from "./fits.js";
import { unwritten } from "./rational.js";
import { labelOf, rounded } from "./schema.js";
import { text } from "./text.js";

const MOST_SYMBOLS = 1 << 12;
const MOST_TOGETHER = 8; // items of an itemset
const OTHER = "other";
const AND = " + "; // between the items of an itemset
const ROOM = 4; // cells for each text that is reported

/**
 * Where ``sets`` are stated, the code is of those itemsets that a set contains.
 * @param {any} stated @returns {(rangeIndex: number) => Attribute}
 */
export function itemSet({ name, items, sets, length }) {
  const codes = codesOf(name, items, sets ? [] : length, 1);
  const members = sets && membersOf(name, codes, sets, length);
  const placeOf = (/** @type {unknown} */ item) => codes.get(labelOf(item)) ?? codes.get(OTHER);
  return (rangeIndex) => ({
    size: (sets ?? items).length,
    length: length[rangeIndex],
    answer: (value) => {
      const places = new Set(itemsOf(value).map(placeOf));
      places.delete(undefined);
      return JSON.stringify(members ? contained(members, places) : rising([...places]));
    },
    misfit: (value) => entriesFit(itemsOf(value).every((item) => codes.has(labelOf(item)))),
    encode: (answer) => JSON.parse(answer),
  });
}

/** @param {any} stated @returns {(rangeIndex: number) => Attribute} */
export function textSet({ name, sets, length, mechanism: { cover } }) {
  need(cover && !sets && differ(length) && ROOM * Math.max(...length) <= cover.cells, "attributes", name);
  return (rangeIndex) => ({
    size: Infinity,
    length: length[rangeIndex],
    answer: (value) => JSON.stringify([...new Set(itemsOf(value).map(saidOf))].filter(Boolean).sort()),
    misfit: (value) => entriesFit(itemsOf(value).every(saidOf)),
    encode: (answer, source) => JSON.parse(answer).map((/** @type {string} */ said) => text.encode(said, source)),
  });
}

/** The text of an item as it is compared; nothing for what is none. @param {unknown} item */
const saidOf = (item) =>
  /^(string|number|bigint|boolean)$/.test(typeof item) && !Number.isNaN(item) ? text.answer(item) : "";

/**
 * @param {any} stated @param {Attribute} grid of its numbers
 * @returns {(rangeIndex: number) => Attribute}
 */
export function keyMap({ name, keys, length, range, exponent }, grid) {
  const codes = codesOf(name, keys, length, 2);
  const [low, high] = /** @type {bigint[]} */ (range.map(BigInt));
  const unit = 10n ** BigInt(-exponent);
  const misfitOf = /** @type {Required<Attribute>} */ (grid).misfit;
  return (rangeIndex) => ({
    size: 2 * keys.length,
    length: length[rangeIndex],
    answer: (value) => {
      const found = new Map();
      for (const [key, number] of pairsOf(value))
        if (codes.has(key) && misfitOf(number) !== "no_number") found.set(codes.get(key), grid.answer(number));
      return JSON.stringify(rising([...found.keys()]).map((place) => [place, found.get(place)]));
    },
    misfit: (value) => entriesFit(pairsOf(value).every(([key, number]) => codes.has(key) && !misfitOf(number))),
    encode: (answer, source) =>
      JSON.parse(answer).map((/** @type {[number, string]} */ [place, number]) => {
        const [over, under] = unwritten(number);
        return 2 * place + rounded(over * unit - low * under, under * (high - low), source);
      }),
  });
}

/**
 * The place of each label, where there are neither too few nor too many, and lengths that they allow.
 * @param {string} name @param {string[]} labels @param {number[]} lengths @param {number} sides symbols of each
 * @returns {Map<string, number>}
 */
function codesOf(name, labels, lengths, sides) {
  const few = labels.length > 1 && sides * labels.length <= MOST_SYMBOLS;
  need(few && differ(labels) && differ(lengths) && Math.max(0, ...lengths) <= labels.length, "attributes", name);
  return new Map(labels.map((label, place) => [label, place]));
}

/**
 * The places of each itemset's items, where they are listed, rise and differ.
 * @param {string} name @param {Map<string, number>} codes @param {string[][]} sets @param {number[]} lengths
 * @returns {number[][]}
 */
function membersOf(name, codes, sets, lengths) {
  const members = sets.map((own) => own.map((item) => codes.get(item) ?? -1));
  const known = members.every((own) => own[0] >= 0 && own.length <= MOST_TOGETHER && rise(own));
  const few = sets.length > 1 && sets.length <= MOST_SYMBOLS && differ(sets.map((own) => own.join(AND)));
  const fit = differ(lengths) && Math.max(...lengths) <= sets.length;
  need(known && few && fit, "attributes", name);
  return members;
}

/** The places of the itemsets that a set contains. @param {number[][]} members @param {Set<unknown>} places */
const contained = (members, places) =>
  members.flatMap((own, i) => (own.every((place) => places.has(place)) ? [i] : []));

/** @param {unknown} fits @returns {Misfit | undefined} */
const entriesFit = (fits) => (fits ? undefined : "entries");

/** @param {any[]} places */
const rising = (places) => places.sort((a, b) => a - b);

/** @param {any} value @returns {unknown[]} */
function itemsOf(value) {
  if (value instanceof Map) return [...value.keys()];
  if (typeof value === "object" && value?.[Symbol.iterator]) return [...value];
  return isMapping(value) ? Object.keys(value) : [value];
}

/** @param {any} value @returns {[string, unknown][]} what is no pair is the key of nothing */
function pairsOf(value) {
  const plain = isMapping(value) && !value[Symbol.iterator];
  const pairs = plain ? Object.entries(value) : itemsOf(value instanceof Map ? [...value] : value);
  return pairs.map((/** @type {any} */ pair) =>
    Array.isArray(pair) && pair.length === 2 ? [labelOf(pair[0]), pair[1]] : [labelOf(pair), undefined],
  );
}
