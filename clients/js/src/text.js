/**
 * An attribute with any text as its value: there is no list of what people may say.
 *
 * A text is known by its fingerprint: two integers below a prime, from its SHA-256.
 */

import { encoded } from "./bytes.js";
import { labelOf } from "./schema.js";
import { sha256 } from "./sha256.js";

export const PRIME = (1n << 31n) - 1n;

/**
 * A few integers below the prime: eight bytes each, big-endian, of the SHA-256.
 * @param {string} text
 * @param {number} count
 */
export function hashedIntegers(text, count) {
  const digest = new DataView(sha256(encoded(text)).buffer);
  return Array.from({ length: count }, (_, i) => digest.getBigUint64(8 * i) % PRIME);
}

/** @param {string} text */
function fingerprint(text) {
  const [high, low] = hashedIntegers(text, 2);
  return high * PRIME + low;
}

/** @type {import("./schema.js").Attribute} composed (NFC), so that equal texts have equal bytes */
export const text = {
  size: Infinity,
  answer: (value) => labelOf(value).replace(/\p{Cs}/gu, "\ufffd").normalize("NFC"),
  encode: fingerprint,
};
