/**
 * Exact draws from random words, in the order that every language repeats.
 *
 * Randomness is always an argument. A device passes ``system()``; a test passes recorded words.
 */

/** @typedef {(count: number) => Uint8Array} Read */

export const ONE = 1n << 64n; // the probability of a coin is an integer over ONE
const STOCK = 1024; // bytes that are fetched from the system at a time

/** Uniform draws from bytes: the fewest, big-endian, excess top bits masked, rejection. */
export class Words {
  /** @param {Read} read */
  constructor(read) {
    this.read = read;
  }

  /** A uniform integer from 0 to n - 1, for n up to 2^53. @param {number} n @returns {number} */
  below(n) {
    const high = Math.floor((n - 1) / 2 ** 32);
    const bits = high ? 64 - Math.clz32(high) : 32 - Math.clz32(n - 1);
    for (;;) {
      const bytes = this.read((bits + 7) >> 3);
      let value = 0;
      for (let i = 0; i < bytes.length; i++) {
        value = value * 256 + (i ? bytes[i] : bytes[i] & (255 >> (-bits & 7)));
      }
      if (value < n) return value;
    }
  }

  /** The same for any n. @param {bigint} n @returns {bigint} */
  under(n) {
    const bits = n > 1n ? (n - 1n).toString(2).length : 0;
    for (;;) {
      let value = 0n;
      for (const byte of this.read((bits + 7) >> 3)) value = (value << 8n) | BigInt(byte);
      value = BigInt.asUintN(bits, value);
      if (value < n) return value;
    }
  }

  /** True with probability ``heads / ONE``. @param {bigint} heads */
  coin(heads) {
    const { buffer, byteOffset } = this.read(8);
    return new DataView(buffer, byteOffset).getBigUint64(0) < heads;
  }
}

/** Words from the browser's cryptographic generator: what a device uses. */
export function system() {
  let stock = token(STOCK);
  let used = 0;
  return new Words((count) => {
    if (count > STOCK) return token(count);
    if (used + count > STOCK) [stock, used] = [token(STOCK), 0];
    const bytes = stock.slice(used, used + count);
    stock.fill(0, used, (used += count)); // what was used once cannot be used, or read, again
    return bytes;
  });
}

/** Fresh random bytes. @param {number} count */
export function token(count) {
  const bytes = new Uint8Array(count);
  for (let i = 0; i < count; i += 65536) crypto.getRandomValues(bytes.subarray(i, i + 65536));
  return bytes;
}
