/** Layered: a layer that is drawn in public, and there a law on the part of the code that it shows. */

import { little } from "../bytes.js";
import { oneStage, sum } from "./law.js";

export const WHOLE = 1 << 16; // of the weights of layers

/**
 * @param {import("./law.js").Sends} sends
 * @param {number[]} weights of layers
 * @param {import("./law.js").Law[]} laws
 * @param {(code: any, layer: number) => any} part of a code that a layer shows
 * @returns {import("./law.js").Law}
 */
export function layered(sends, weights, laws, part) {
  const inner = Math.max(...laws.map(({ nBytes }) => nBytes));
  const form = { nBits: 8 * inner, nOutputs: laws.length, inner: laws.map(({ form }) => form) };
  return oneStage(sends, inner + 1, form, (code, source) => {
    const drawn = source.below(WHOLE);
    const layer = weights.findIndex((_, i) => drawn < sum(weights.slice(0, i + 1)));
    const z = laws[layer].respond(part(code, layer), source, 0);
    const y = new Uint8Array(inner + 1);
    y.set(typeof z === "number" ? little(z, inner) : z);
    y[inner] = layer;
    return y;
  });
}
