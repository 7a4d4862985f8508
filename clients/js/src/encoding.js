/** Bytes and their spellings: UTF-8, hexadecimal, base64url, and integers from the least byte. */

const utf8 = new TextEncoder();
const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** @param {string} text */
export const encoded = (text) => utf8.encode(text);

/** @param {Uint8Array} bytes */
export const decoded = (bytes) => strict.decode(bytes);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");

/** Base64url without padding. @param {Uint8Array} bytes */
export const base64url = (bytes) =>
  btoa(Array.from(bytes, (b) => String.fromCharCode(b)).join(""))
    .replace(/\+/g, "-")
    .replace(/\//g, "_")
    .replace(/=+$/, "");

/** @param {Uint8Array} one @param {Uint8Array} other */
export const same = (one, other) =>
  one.length === other.length && one.every((byte, i) => byte === other[i]);

/** The bytes of an integer below 2^53, the least first. @param {number} value @param {number} width */
export function little(value, width) {
  return Uint8Array.from({ length: width }, (_, i) => Math.floor(value / 256 ** i) % 256);
}

/** The integer that such bytes are. @param {Uint8Array} bytes */
export const whole = (bytes) => bytes.reduceRight((value, byte) => value * 256 + byte, 0);

/** How many bytes hold integers up to this one. @param {number} most */
export const widthOf = (most) => Math.ceil(most.toString(2).length / 8);

/** Whether bit i, bit i % 8 of byte i // 8, is set. @param {Uint8Array} bytes @param {number} i */
export const bit = (bytes, i) => (bytes[i >> 3] >> (i & 7)) & 1;

/** Set bit i where ``value`` is true. @param {Uint8Array} bytes @param {number} i @param {boolean} value */
export function setBit(bytes, i, value) {
  bytes[i >> 3] |= Number(value) << (i & 7);
}
