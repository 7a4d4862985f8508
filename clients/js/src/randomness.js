/**
 * Exact draws from random words, in the order that every language repeats.
 *
 * Randomness is always an argument. A device passes ``system()``; a test passes recorded words.
 *
 * @typedef {{
 *   below: <N extends number | bigint>(n: N) => N,
 *   coin: (heads: bigint) => boolean,
 * }} Source ``below``: a uniform integer from 0 to n - 1; ``coin``: true with probability heads / ONE
 */

export const ONE = 1n << 64n; // the probability of a coin is an integer over ONE
const STOCK = 1024; // bytes that are fetched from the system at a time

/**
 * Uniform draws from bytes: the fewest, big-endian, excess top bits masked, rejection.
 * @param {(count: number) => Uint8Array} read
 * @returns {Source}
 */
export function sourceFrom(read) {
  /** @param {any} n @returns {any} */
  const below = (n) => {
    const bits = n > 1 ? (BigInt(n) - 1n).toString(2).length : 0;
    for (;;) {
      let value = 0n;
      for (const byte of read((bits + 7) >> 3)) value = (value << 8n) | BigInt(byte);
      value = BigInt.asUintN(bits, value);
      if (value < n) return typeof n === "bigint" ? value : Number(value);
    }
  };
  const coin = (/** @type {bigint} */ heads) => {
    const { buffer, byteOffset } = read(8);
    return new DataView(buffer, byteOffset).getBigUint64(0) < heads;
  };
  return { below, coin };
}

/** Draws from the browser's cryptographic generator: what a device uses. */
export function system() {
  let [stock, used] = [token(STOCK), 0];
  return sourceFrom((count) => {
    if (used + count > STOCK) [stock, used] = [token(STOCK + count), 0];
    const bytes = stock.slice(used, used + count);
    stock.fill(0, used, (used += count)); // what was used once cannot be used, or read, again
    return bytes;
  });
}

/** Fresh random bytes. @param {number} count */
export const token = (count) => crypto.getRandomValues(new Uint8Array(count));
