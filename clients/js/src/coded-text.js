/**
 * A text that is reported by the bits of a prefix code, which stands in the plan.
 *
 * Its code is the codeword, padded with zeros. Texts whose codeword is too long all have the one that is
 * no text's.
 *
 * @typedef {[value: bigint, length: number]} Bits
 */

import { encoded } from "./bytes.js";
import { differ, label, rise } from "./fits.js";
import { text } from "./text.js";

const START = "\n"; // what stands before the first character, in the name of a context
const LONGEST = 15; // bits of a symbol
const MOST_ALPHABET = 256;
const [MOST_CONTEXT, MOST_CONTEXTS] = [2, 1024]; // characters of one, and how many there may be
const POINT_BITS = 21; // of a character by its number in Unicode
const NO_POINT = 2 ** POINT_BITS - 1; // no character has it
const BYTES = "bits"; // what a plan calls the code of bytes

/** Whether a plan may state such a code. @param {any} code */
export function isCode(code) {
  if (code === BYTES) return true;
  const { alphabet, contexts } = code ?? {};
  if (Object.keys(code ?? {}).length !== 2 || !Array.isArray(contexts) || typeof alphabet !== "string") return false;
  const characters = [...alphabet];
  const points = characters.map((each) => /** @type {number} */ (each.codePointAt(0)));
  return (
    characters.length > 0 &&
    characters.length <= MOST_ALPHABET &&
    rise(points) &&
    characters.every((each) => each === " " || label(each)) &&
    alphabet.normalize("NFC") === alphabet &&
    contexts.length <= MOST_CONTEXTS &&
    contexts.every((each) => Array.isArray(each) && isContext(each, characters)) &&
    contexts[0]?.[0] === "" &&
    differ(contexts.map(([context]) => context)) &&
    contexts.every(([context], i) => !i || before(contexts[i - 1][0], context))
  );
}

/** @param {any[]} pair @param {string[]} characters */
const isContext = ([context, lengths, ...rest], characters) =>
  !rest.length &&
  typeof context === "string" &&
  typeof lengths === "string" &&
  [...context].length <= MOST_CONTEXT &&
  [...context.replace(/^\n/, "")].every((each) => characters.includes(each)) &&
  lengths.length === characters.length + 2 &&
  /^[1-9a-f]+$/.test(lengths) &&
  [...lengths].reduce((sum, each) => sum + 2 ** (LONGEST - parseInt(each, 16)), 0) === 2 ** LONGEST;

/** Whether a context comes before another one: shorter, or of smaller points. @param {string} one @param {string} other */
function before(one, other) {
  const [a, b] = [[...one], [...other]];
  if (a.length !== b.length) return a.length < b.length;
  const i = a.findIndex((each, at) => each !== b[at]);
  return i >= 0 && Number(a[i].codePointAt(0)) < Number(b[i].codePointAt(0));
}

/**
 * @param {{code: any, bits: number}} stated
 * @returns {import("./schema.js").Attribute}
 */
export function codedText({ code, bits }) {
  const { codewords, other } = code === BYTES ? byBytes : bySymbols(code);
  /** @param {string} said */
  function codeword(said) {
    /** @type {Bits} */
    let found = [0n, 0];
    for (const bitsOf of codewords(said)) {
      found = joined(found, bitsOf);
      if (found[1] > bits) return other;
    }
    return found;
  }
  /** @param {string} said */
  const encode = (said) => {
    const [value, length] = codeword(said);
    return value << BigInt(bits - length);
  };
  return { ...text, size: 2 ** bits, encode };
}

/** @type {Bits} */
const NO_BYTE = [0xffn, 8]; // which no UTF-8 begins with

const byBytes = {
  other: NO_BYTE,
  /** @param {string} said @returns {Iterable<Bits>} */
  *codewords(said) {
    if (said.includes("\0")) return yield NO_BYTE;
    for (const byte of encoded(said)) yield [BigInt(byte), 8];
    yield [0n, 8];
  },
};

/** @param {{alphabet: string, contexts: [string, string][]}} code */
function bySymbols({ alphabet, contexts }) {
  const symbols = new Map([...alphabet].map((character, i) => [character, i]));
  const known = new Map(contexts);
  /** @type {Map<string, Bits[]>} */
  const tables = new Map();
  /** @param {string[]} seen the last characters */
  function tableOf(seen) {
    const longest = seen.length < MOST_CONTEXT ? [START, ...seen] : seen;
    const starts = longest.map((_, i) => longest.slice(i).join(""));
    const context = starts.find((each) => known.has(each)) ?? "";
    if (!tables.has(context)) tables.set(context, canonical(/** @type {string} */ (known.get(context))));
    return /** @type {Bits[]} */ (tables.get(context));
  }
  /** @param {Bits[]} table @param {number} point @returns {Bits} */
  const escaped = (table, point) => joined(table[symbols.size + 1], [BigInt(point), POINT_BITS]);
  return {
    other: escaped(tableOf([]), NO_POINT),
    /** @param {string} said @returns {Iterable<Bits>} */
    *codewords(said) {
      /** @type {string[]} */
      let seen = [];
      for (const character of said) {
        const table = tableOf(seen);
        const symbol = symbols.get(character);
        yield symbol === undefined ? escaped(table, Number(character.codePointAt(0))) : table[symbol];
        seen = [...seen, character].slice(-MOST_CONTEXT);
      }
      yield tableOf(seen)[symbols.size];
    },
  };
}

/**
 * The codewords of symbols whose lengths are these digits: shorter ones first, then in their order.
 * @param {string} lengths
 */
function canonical(lengths) {
  const each = [...lengths].map((digit) => parseInt(digit, 16));
  const order = each.map((_, i) => i).sort((i, j) => each[i] - each[j] || i - j);
  let [value, length] = [0n, 0];
  /** @type {Bits[]} */
  const found = [];
  for (const symbol of order) {
    value <<= BigInt(each[symbol] - length);
    length = each[symbol];
    found[symbol] = [value++, length];
  }
  return found;
}

/** @param {Bits} one @param {Bits} other @returns {Bits} */
const joined = ([a, m], [b, n]) => [(a << BigInt(n)) | b, m + n];
