/**
 * Where two numbers lie: each in parts of equal width, as a bundle alone has them.
 *
 * @typedef {import("./schema.js").Attribute} Attribute
 * @typedef {import("./randomness.js").Source} Source
 */

import { hierarchy } from "./laws/hierarchy.js";
import { subset } from "./laws/subset.js";
import { bundle } from "./schema.js";

const FOUR = 4; // children of a node of a quadtree
const MOST_CODES = 1 << 12;

/**
 * The attribute of such a bundle, and its mechanism; nothing where a rule is broken.
 * @param {{bins?: number[], mechanism?: {hierarchy: {bits: number[]}}}} stated
 * @param {Attribute[]} numbers
 */
export function planeOf({ bins, mechanism }, numbers) {
  const bits = mechanism?.hierarchy.bits ?? [];
  const sizes = bins ?? bits.map((own) => 2 ** own);
  const fit = numbers.length === 2 && sizes.length === 2 && sizes.every((size, i) => size <= numbers[i].size);
  if (!fit) return;
  const parts = numbers.map((number, i) => parted(number, sizes[i]));
  if (bins) {
    const attribute = bundle(parts);
    return attribute.size <= MOST_CODES ? { attribute, name: "subset", make: subset } : undefined;
  }
  const tree = { fanout: FOUR, depths: Math.ceil((bits[0] + bits[1]) / 2) };
  const make = (/** @type {number} */ size, /** @type {number} */ level) => hierarchy(size, tree, level);
  return { attribute: quadrants(parts, bits), name: "hierarchy", make };
}

/**
 * A number in so many parts, none of which is empty.
 * @param {Attribute} number @param {number} size
 * @returns {Attribute}
 */
const parted = (number, size) => ({
  ...number,
  size,
  encode: (answer, source) => Math.floor((number.encode(answer, source) * size) / number.size),
});

/**
 * Cells in the order of the bits of both numbers in turns, beginning with that which has more.
 * @param {Attribute[]} parts @param {number[]} bits
 * @returns {Attribute}
 */
function quadrants(parts, bits) {
  const order = bits[1] > bits[0] ? [1, 0] : [0, 1];
  const encode = (/** @type {string} */ answer, /** @type {Source} */ source) => {
    const answers = JSON.parse(answer);
    const codes = parts.map((part, i) => part.encode(answers[i], source));
    let cell = 0;
    for (let turn = 1; turn <= Math.max(...bits); turn++) {
      for (const i of order) if (turn <= bits[i]) cell = cell * 2 + ((codes[i] >> (bits[i] - turn)) & 1);
    }
    return cell;
  };
  return { ...bundle(parts), encode };
}
