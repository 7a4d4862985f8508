/** Hierarchy: a public random depth of a tree of intervals, and there a law on the code's node. */

import { hadamard, olh } from "./hashed.js";
import { layered, WHOLE } from "./layered.js";
import { sum } from "./law.js";
import { subset } from "./subset.js";

const [LESS, MORE] = [17n, 20n]; // by how much a depth is drawn less often than the one above it
const [MOST_SET, MOST_HASHED] = [1 << 8, 1 << 16]; // nodes up to which a law is subset, or olh
const MOST_DEPTHS = 20;

/**
 * @typedef {{fanout: number, depths: number}} Tree
 */

/**
 * The law at a level, of a tree over so many codes.
 * @param {number} size @param {Tree} tree @param {number} level
 * @returns {import("./law.js").Law}
 */
export function hierarchy(size, { fanout, depths }, level) {
  const whole = deepest(size, fanout);
  const widths = Array.from({ length: depths }, (_, depth) => fanout ** (whole - depth - 1));
  const weights = weightsOf(depths);
  const laws = widths.map((width) => lawOf(Math.ceil(size / width), level));
  return layered("interval", weights, laws, (code, depth) => Math.floor(code / widths[depth]));
}

/** Whether a plan may state such a tree over so many codes. @param {number} size @param {Tree} tree */
export const grows = (size, { fanout, depths }) =>
  depths <= Math.min(deepest(size, fanout), MOST_DEPTHS);

/** The depth at which every code is a node of its own. @param {number} size @param {number} fanout */
function deepest(size, fanout) {
  let depths = 1;
  while (fanout ** depths < size) depths++;
  return depths;
}

/** How often each depth is drawn; the first one has what rounding leaves. @param {number} depths */
function weightsOf(depths) {
  const powers = Array.from(
    { length: depths },
    (_, depth) => LESS ** BigInt(depth) * MORE ** BigInt(depths - 1 - depth),
  );
  const all = powers.reduce((total, power) => total + power, 0n);
  const floors = powers.map((power) => Number((BigInt(WHOLE) * power) / all));
  return [WHOLE - sum(floors.slice(1)), ...floors.slice(1)];
}

/** @param {number} nodes @param {number} level */
const lawOf = (nodes, level) =>
  (nodes <= MOST_SET ? subset : nodes <= MOST_HASHED ? olh : hadamard)(nodes, level);
