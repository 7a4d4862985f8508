/** What a device loads for a plan that names one of these: of labels, words, texts, and variants. */

import { cover } from "./cover.js";
import { she } from "./histogram.js";
import { HASHED } from "./stated.js";
import { the } from "./threshold.js";

export { codedText, isCode } from "../coded-text.js";
export { planeOf } from "../plane.js";
export { text } from "../text.js";
export { itemSet, keyMap, textSet } from "../entries.js";
export { statedBy } from "./stated.js";

/** @type {import("./registry.js").Mechanisms} of sets and maps */
export const SETS = { cover };

/** @type {import("./registry.js").Mechanisms} */
export const MORE = { the, ...HASHED, she };
