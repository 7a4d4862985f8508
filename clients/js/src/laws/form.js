/**
 * The form of a report: which ``y`` a law can send at all, whatever the value.
 *
 * @typedef {{nOutputs?: number | bigint, nBits?: number, ones?: number, first?: bigint, inner?: Form[]}} Form any
 *   ``nBits`` low bits, of which ``ones`` are set, if that is stated; above them one of ``nOutputs`` numbers from
 *   ``first`` on, which says of which ``inner`` form the low bits are, where there are several
 */

/** @param {Form} form @param {Uint8Array} y */
export const admits = (form, y) =>
  allows(form, y.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n));

/** @param {Form} form @param {bigint} value */
function allows({ nOutputs = 1, nBits = 0, ones, first = 0n, inner }, value) {
  const above = (value >> BigInt(nBits)) - first;
  if (above < 0 || above >= nOutputs) return false;
  const bits = value & ((1n << BigInt(nBits)) - 1n);
  if (inner) return allows(inner[Number(above)], bits);
  const set = bits.toString(2).split("1").length - 1;
  return set === (ones ?? set);
}
