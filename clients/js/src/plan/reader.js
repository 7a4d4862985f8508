/** What stands in a plan, taken only if it is what may stand there; ``path`` says where that is. */

import { PlanError } from "../errors.js";

const LONGEST_TEXT = 200;

/** @param {unknown} kept whether a rule is @param {string} path @param {unknown} [value] @param {unknown} [bound] @returns {asserts kept} */
export function need(kept, path, value, bound) {
  if (!kept) throw new PlanError("not_allowed", path, value, bound);
}

/** A mapping with these keys and perhaps some more, but no others. @param {any} value @param {string} path @param {string} keys separated by blanks; ? marks those that may lack @returns {any} */
export function mapping(value, path, keys) {
  need(isMapping(value), path, value);
  const at = (/** @type {string} */ key) => (path ? `${path}.${key}` : key);
  for (const key of keys.split(" ")) need(key.endsWith("?") || key in value, at(key));
  for (const key of Object.keys(value)) need(keys.replace(/\?/g, "").split(" ").includes(key), at(key), key);
  return value;
}

/** @param {unknown} value */
export const isMapping = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** A list with at least one item, each read. @template T @param {unknown} value @param {string} path @param {(item: any, path: string) => T} read @returns {T[]} */
export function list(value, path, read) {
  need(Array.isArray(value) && value.length, path, value);
  return value.map((item, i) => read(item, `${path}[${i}]`));
}

/** @param {unknown} value @param {string} path @returns {string} */
export function text(value, path) {
  const fits = typeof value === "string" && value.trim() && [...value].length <= LONGEST_TEXT;
  need(fits && !/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u.test(value), path, value);
  return value;
}

/** @param {unknown} value @param {string} path @param {Iterable<string>} choices @returns {string} */
export function oneOf(value, path, choices) {
  need([...choices].some((choice) => choice === value), path, value, choices);
  return /** @type {string} */ (value);
}

/** @param {unknown} value @param {string} path @param {number} least @param {number} most @returns {number} */
export function whole(value, path, least, most) {
  need(typeof value === "number" && Number.isInteger(value) && least <= value && value <= most, path, value, [least, most]);
  return value;
}

/** @param {unknown[]} items */
export const differ = (items) => new Set(items).size === items.length;
