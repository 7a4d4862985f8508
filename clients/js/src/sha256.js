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
  const view = new DataView(new ArrayBuffer(length));
  new Uint8Array(view.buffer).set(message);
  view.setUint8(message.length, 128);
  view.setUint32(length - 4, 8 * message.length); // below half a gigabyte
  const [state, w] = [START.slice(0, 8), new Int32Array(64)];
  for (let block = 0; block < length; block += 64) {
    let [a, b, c, d, e, f, g, h] = state;
    for (let i = 0; i < 64; i++) {
      const [x, y] = [w[i - 15], w[i - 2]];
      w[i] =
        i < 16
          ? view.getInt32(block + 4 * i)
          : w[i - 16] + w[i - 7] + (turn(x, 7, 18) ^ (x >>> 3)) + (turn(y, 17, 19) ^ (y >>> 10));
      const one = h + turn(e, 6, 11, 25) + ((e & f) ^ (~e & g)) + ROUNDS[i] + w[i];
      const two = turn(a, 2, 13, 22) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] += word));
  }
  state.forEach((word, i) => view.setInt32(4 * i, word));
  return new Uint8Array(view.buffer.slice(0, 32));
}

/** A word turned right by each of these, all together by exclusive or. @param {number} x @param {number[]} by */
const turn = (x, ...by) => by.reduce((all, n) => all ^ (x >>> n) ^ (x << (32 - n)), 0);
