/** What a device loads for a plan that names one of these: mechanisms of labels, and words. */

import { blh, hadamard, hrr, olh } from "./hashed.js";
import { the } from "./threshold.js";

export { bloom } from "./bloom.js";
export { codingOf } from "./coding.js";

/** @type {import("./registry.js").Mechanisms} */
export const MORE = { the, blh, olh, shist: hrr, hrr, hadamard };
