/** The mechanisms that a plan may name. */

import { grr } from "./choice.js";
import { laplace } from "./geometric.js";
import { hm } from "./hybrid.js";
import { subset } from "./subset.js";
import { duchi } from "./twopoint.js";
import { oue, sue } from "./unary.js";
import { pm, sw, window } from "./window.js";

/** @typedef {Record<string, ((size: number, level: number) => import("./law.js").Law) | undefined>} Mechanisms */

/** @type {Mechanisms} of labels */
export const LABELS = { grr, sue, oue, subset };

/** @type {Mechanisms} of numbers */
export const NUMBERS = { duchi, onebit: duchi, pm, sw, window, hm, laplace };
