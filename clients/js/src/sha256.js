/**
 * SHA-256 (FIPS 180-4), at once.
 *
 * The browser's own is a promise, and only in a secure context: a transaction of IndexedDB would be
 * over before it is kept, and the words of coded attributes take thousands of short digests.
 */

const PRIMES = [2];
for (let n = 3; PRIMES.length < 64; n++) if (PRIMES.every((p) => n % p)) PRIMES.push(n);

/** The first 32 bits of the fractional part of a root of each prime. @param {number} degree */
const roots = (degree) => Int32Array.from(PRIMES, (prime) => (prime ** (1 / degree) % 1) * 2 ** 32);

const [START, ROUNDS] = [roots(2), roots(3)];

/** @param {Uint8Array} message @returns {Uint8Array} */
export function sha256(message) {
  const length = ((message.length + 72) >> 6) << 6;
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  bytes.set(message);
  bytes[message.length] = 128;
  view.setUint32(length - 4, 8 * message.length); // below half a gigabyte
  const [state, w] = [START.slice(0, 8), new Int32Array(64)];
  for (let block = 0; block < length; block += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      w[i] =
        i < 16
          ? view.getInt32(block + 4 * i)
          : w[i - 16] + w[i - 7] + older(w[i - 15], 7, 18, 3) + older(w[i - 2], 17, 19, 10);
      const one =
        h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i];
      const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g;
      g = f;
      f = e;
      e = (d + one) | 0;
      d = c;
      c = b;
      b = a;
      a = (one + two) | 0;
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
  state.forEach((word, i) => view.setInt32(4 * i, word));
  return bytes.slice(0, 32);
}

/** @param {number} x @param {number} by */
const turn = (x, by) => (x >>> by) | (x << (32 - by));

/** @param {number} x @param {number} a @param {number} b @param {number} c */
const older = (x, a, b, c) => turn(x, a) ^ turn(x, b) ^ (x >>> c);
