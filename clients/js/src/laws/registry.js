/** The mechanisms that a plan may name. */

import { grr } from "./choice.js";
import { laplace } from "./geometric.js";
import { hm } from "./hybrid.js";
import { subset } from "./subset.js";
import { duchi } from "./twopoint.js";
import { oue, sue } from "./unary.js";
import { pm, sw, window } from "./window.js";

/** @typedef {(size: number, level: number) => import("./law.js").Law} Mechanism */

/** @type {Readonly<Record<string, Mechanism>>} of labels */
export const MECHANISMS = { grr, sue, oue, subset };

/** @type {Readonly<Record<string, Mechanism>>} of numbers */
export const NUMBERS = { duchi, onebit: duchi, pm, sw, window, hm, laplace };

export const OPTIMAL = "optimal"; // a number's too; its tables stand in the plan
export const SECRET = "oue"; // its reports do not state the level
