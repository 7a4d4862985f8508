/** Bytes and their spellings: UTF-8, hexadecimal, base64url, and integers from the least byte. */

/** @param {string} text */
export const encoded = (text) => new TextEncoder().encode(text);

/** @param {Uint8Array} bytes */
export const decoded = (bytes) =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);

/** @param {Uint8Array} bytes */
export const hex = (bytes) => Array.from(bytes, (b) => (b + 256).toString(16).slice(1)).join("");

/** The bytes that such a text writes. @param {string} text */
export const unhex = (text) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));

/** Base64url without padding. @param {Uint8Array} bytes */
export const base64url = (bytes) =>
  btoa(String.fromCharCode(...bytes)).replace(/[+/=]/g, (c) =>
    c === "+" ? "-" : c === "/" ? "_" : "",
  );

/**
 * The bytes of an integer below 2^53, the least first.
 * @param {number} value
 * @param {number} width
 */
export const little = (value, width) =>
  Uint8Array.from({ length: width }, (_, i) => Math.floor(value / 256 ** i));

/** The integer that such bytes are. @param {Uint8Array} bytes */
export const whole = (bytes) => bytes.reduceRight((value, byte) => value * 256 + byte, 0);

/** Whether bit i, bit i % 8 of byte i // 8, is set. @param {Uint8Array} bytes @param {number} i */
export const bit = (bytes, i) => (bytes[i >> 3] >> (i & 7)) & 1;

/**
 * A bit set for so many codes: the first ``count`` bits as ``isSet`` says, and a number above them.
 * @param {number} size @param {number} count @param {(i: number) => boolean} isSet @param {number} [above]
 */
export function draw(size, count, isSet, above = 0) {
  const bytes = new Uint8Array((size + 7) >> 3);
  for (let i = 0; i < size; i++) {
    const set = i < count ? isSet(i) : (above >> (i - count)) & 1;
    if (set) bytes[i >> 3] |= 1 << (i & 7);
  }
  return bytes;
}
