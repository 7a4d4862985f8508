/**
 * SHA-256 (FIPS 180-4), at once.
 *
 * The browser's own is a promise, and only in a secure context: a transaction of IndexedDB would be
 * over before it is kept, and the words of coded attributes take thousands of short digests.
 */

/** The first 32 bits of the fractional part of a root of each of the first primes. */
const [START, ROUNDS] = constants();

/** @param {Uint8Array} message @returns {Uint8Array} */
export function sha256(message) {
  const blocks = (message.length + 72) >> 6;
  const padded = new Uint8Array(blocks << 6);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const state = Int32Array.from(START);
  const w = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) compress(state, w, view, block);
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((word, i) => digest.setInt32(4 * i, word));
  return new Uint8Array(digest.buffer);
}

/** @param {Int32Array} state @param {Int32Array} w @param {DataView} view @param {number} block */
function compress(state, w, view, block) {
  for (let i = 0; i < 64; i++) {
    if (i < 16) {
      w[i] = view.getInt32(block + 4 * i);
      continue;
    }
    const [x, y] = [w[i - 15], w[i - 2]];
    const s0 = turn(x, 7) ^ turn(x, 18) ^ (x >>> 3);
    const s1 = turn(y, 17) ^ turn(y, 19) ^ (y >>> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  let [a, b, c, d, e, f, g, h] = state;
  for (let i = 0; i < 64; i++) {
    const s1 = turn(e, 6) ^ turn(e, 11) ^ turn(e, 25);
    const one = (h + s1 + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i]) | 0;
    const s0 = turn(a, 2) ^ turn(a, 13) ^ turn(a, 22);
    const two = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
}

/** @param {number} x @param {number} by */
const turn = (x, by) => (x >>> by) | (x << (32 - by));

/** @returns {[number[], number[]]} the square roots of 8 primes, the cube roots of 64 */
function constants() {
  const primes = /** @type {number[]} */ ([]);
  for (let n = 2; primes.length < 64; n++) if (primes.every((p) => n % p)) primes.push(n);
  return [primes.slice(0, 8).map((p) => root(p, 2n)), primes.map((p) => root(p, 3n))];
}

/** @param {number} prime @param {bigint} degree */
function root(prime, degree) {
  const target = BigInt(prime) << (32n * degree);
  let found = 0n;
  for (let i = 1n << 36n; i; i >>= 1n) if ((found + i) ** degree <= target) found += i;
  return Number(BigInt.asIntN(32, found));
}
