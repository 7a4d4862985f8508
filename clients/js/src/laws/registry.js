/** The mechanisms that a plan may name. */

import { grr } from "./choice.js";
import { laplace } from "./geometric.js";
import { hm } from "./hybrid.js";
import { subset } from "./subset.js";
import { duchi } from "./twopoint.js";
import { oue, sue } from "./unary.js";
import { pm, sw, window } from "./window.js";

/**
 * @typedef {Record<string, ((size: number, level: number, length?: number) => import("./law.js").Law) | undefined>} Mechanisms
 * @typedef {typeof import("./further.js")} Further
 */

/** @type {Mechanisms} of labels */
export const LABELS = { grr, sue, oue, subset };

/** Of labels too, in a module that few plans need; it also has those of which more is stated. */
export const HASHING = ["blh", "olh", "shist", "hrr", "hadamard"];
export const FURTHER = ["the", ...HASHING, "she"];

/** @type {Mechanisms} of numbers */
export const NUMBERS = { duchi, onebit: duchi, pm, sw, window, hm, laplace };

const OWN = [...Object.keys(LABELS), ...Object.keys(NUMBERS), "optimal"];

/**
 * That module, if attributes name any other mechanism.
 * @param {{mechanism: any}[]} attributes
 * @returns {Promise<Partial<Further>>}
 */
export const furtherFor = async (attributes) =>
  attributes.some(({ mechanism }) => !OWN.includes(mechanism))
    ? import("./further.js")
    : {};
