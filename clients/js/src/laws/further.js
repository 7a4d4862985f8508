/** What a device loads for a plan that names one of these: mechanisms of labels, words, and texts. */

import { bloom } from "./bloom.js";
import { blh, hadamard, hcms, hrr, olh, orr } from "./hashed.js";
import { the } from "./threshold.js";

export { text } from "../text.js";
export { codingOf } from "./coding.js";

/** @type {import("./registry.js").Mechanisms} */
export const MORE = { the, blh, olh, shist: hrr, hrr, hadamard };

/** @type {Record<string, typeof bloom>} whose words, or cells, stand in the plan */
export const CODED = { bloom, rappor: bloom, orr, hcms, cms: bloom, orappor: bloom };
