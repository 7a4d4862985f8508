/** Assigned: a hashed law whose function comes with the credential, not from the device. */

import { encoded } from "../bytes.js";
import { sourceFrom } from "../randomness.js";
import { sha256 } from "../sha256.js";

const BLOCK = 64; // bytes that SHA-256 takes at a time

/**
 * The function that a credential has, for an attribute of a plan: uniform, and the same to device
 * and collector.
 * @param {bigint} functions how many there are
 * @param {string} credential
 * @param {string} plan its id
 * @param {string} name
 */
export function functionOf(functions, credential, plan, name) {
  let block = 0;
  return sourceFrom((count) =>
    hmac(encoded(credential), encoded(`function:${plan}:${name}:${block++}`)).slice(0, count),
  ).below(functions);
}

/** HMAC-SHA256. @param {Uint8Array} key @param {Uint8Array} message */
function hmac(key, message) {
  const own = new Uint8Array(BLOCK);
  own.set(key.length > BLOCK ? sha256(key) : key);
  const padded = (/** @type {number} */ by, /** @type {Uint8Array} */ rest) =>
    sha256(Uint8Array.from([...own.map((byte) => byte ^ by), ...rest]));
  return padded(0x5c, padded(0x36, message));
}
