/**
 * The form of a report: which ``y`` a law can send at all, whatever the value.
 *
 * @typedef {{nOutputs?: number | bigint, nBits?: number, ones?: number, first?: bigint}} Form any ``nBits``
 *   low bits, of which ``ones`` are set, if that is stated; above them one of ``nOutputs`` numbers from
 *   ``first`` on
 */

/** @param {Form} form @param {Uint8Array} y */
export function admits({ nOutputs = 1, nBits = 0, ones, first = 0n }, y) {
  const value = y.reduceRight((all, byte) => (all << 8n) | BigInt(byte), 0n);
  const above = (value >> BigInt(nBits)) - first;
  const set = value.toString(2).split("1").length - 1;
  return above >= 0 && above < nOutputs && set === (ones ?? set);
}
