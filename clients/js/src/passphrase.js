/**
 * Bytes under a passphrase, as a file.
 *
 *     {"format": "discretion-state-2", "kdf": "PBKDF2-HMAC-SHA-256", "iterations": 600000, "salt": hex,
 *      "cipher": "AES-256-GCM", "nonce": hex, "bytes": how many follow}
 *     a line feed, and the encrypted bytes with their tag
 *
 * The key is derived from the passphrase (NFC, UTF-8) and a salt of its own, so that no two files share
 * one. The whole first line is authenticated. The format decides everything else: a file with other
 * parameters is another format, so nobody can have a weaker key derived. PBKDF2 is the only such
 * function that browsers have.
 */

import { decoded, encoded, hex, unhex } from "./bytes.js";
import { refuse } from "./errors.js";
import { fits } from "./fits.js";
import { token } from "./randomness.js";

export const LEAST_LENGTH = 12; // characters of a passphrase
export const MOST_BYTES = 2 ** 26; // of a file
const HEADER = {
  format: "discretion-state-2",
  kdf: "PBKDF2-HMAC-SHA-256",
  iterations: 600_000,
  salt: /^[0-9a-f]{32}$/,
  cipher: "AES-256-GCM",
  nonce: /^[0-9a-f]{24}$/,
};
const LONGEST_LINE = 400;
const TAG = 16;
const LINE_FEED = 10;

/**
 * @param {Uint8Array} bytes
 * @param {string} passphrase
 * @returns {Promise<Uint8Array>}
 */
export async function locked(bytes, passphrase) {
  const phrase = passphrase.normalize("NFC");
  if ([...phrase].length < LEAST_LENGTH)
    refuse("short_passphrase", null, [...phrase].length, LEAST_LENGTH);
  const [salt, nonce] = [token(16), token(12)];
  const header = { ...HEADER, salt: hex(salt), nonce: hex(nonce), bytes: bytes.length + TAG };
  const line = encoded(JSON.stringify(header));
  const key = await keyOf(phrase, salt, "encrypt");
  const data = await subtle().encrypt(cipher(nonce, line), key, buffered(bytes));
  return joined(line, Uint8Array.of(LINE_FEED), new Uint8Array(data));
}

/**
 * The bytes of such a file; another file, and another passphrase, are refused.
 * @param {Uint8Array} file
 * @param {string} passphrase
 * @returns {Promise<Uint8Array>}
 */
export async function unlocked(file, passphrase) {
  const end = file.subarray(0, LONGEST_LINE).indexOf(LINE_FEED);
  const [line, data] = [file.slice(0, Math.max(end, 0)), file.slice(end + 1)];
  const { salt, nonce, bytes } = headerOf(line);
  if (data.length !== bytes) refuse("damaged_file", null, data.length, bytes);
  const key = await keyOf(passphrase.normalize("NFC"), unhex(salt), "decrypt");
  try {
    return new Uint8Array(await subtle().decrypt(cipher(unhex(nonce), line), key, buffered(data)));
  } catch {
    return refuse("wrong_passphrase"); // or other bytes: nothing tells the two apart
  }
}

/** @param {Uint8Array} line @returns {any} */
function headerOf(line) {
  const shape = {
    ...HEADER,
    salt: matching(HEADER.salt),
    nonce: matching(HEADER.nonce),
    bytes: Number.isSafeInteger,
  };
  try {
    const header = JSON.parse(decoded(line));
    if (fits(shape, header)) return header;
  } catch {
    // it is no such file either
  }
  return refuse("foreign_file");
}

/** @param {RegExp} pattern */
const matching = (pattern) => (/** @type {unknown} */ text) =>
  typeof text === "string" && pattern.test(text);

/** @param {string} phrase @param {Uint8Array} salt @param {"encrypt" | "decrypt"} use */
async function keyOf(phrase, salt, use) {
  const raw = await subtle().importKey("raw", encoded(phrase), "PBKDF2", false, ["deriveKey"]);
  return subtle().deriveKey(
    { name: "PBKDF2", hash: "SHA-256", iterations: HEADER.iterations, salt: buffered(salt) },
    raw,
    { name: "AES-GCM", length: 256 },
    false,
    [use],
  );
}

/** @param {Uint8Array} nonce @param {Uint8Array} line */
const cipher = (nonce, line) => ({
  name: "AES-GCM",
  iv: buffered(nonce),
  additionalData: buffered(line),
});

/** Browsers have it on pages that came by a protected address. */
const subtle = () => crypto.subtle ?? refuse("no_encryption");

/** @param {Uint8Array} bytes */
const buffered = (bytes) => /** @type {Uint8Array<ArrayBuffer>} */ (bytes);

/** @param {Uint8Array[]} parts */
function joined(...parts) {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  parts.reduce((at, part) => (all.set(part, at), at + part.length), 0);
  return all;
}
