/**
 * A report's only bytes.
 *
 * Keys stand in this order, attributes in the plan's, without spaces. The length depends on the
 * plan, the budget and the round, never on an answer.
 */

import { base64url, encoded, hex } from "./bytes.js";
import { sha256 } from "./sha256.js";

const FORMAT = 1;
const ID_BYTES = 16;
export const LAST_ROUND = 2 ** 31 - 1;

/**
 * @param {string} plan
 * @param {number} round
 * @param {Uint8Array} receipt
 * @param {string[]} answers as they are written
 * @returns {Uint8Array}
 */
export const reportOf = (plan, round, receipt, answers) =>
  encoded(
    `{"format":${FORMAT},"plan":"${plan}","round":${round},"id":"${idOf(receipt)}","answers":{${answers}}}`,
  );

/**
 * What is written about a name.
 * @param {string} name
 * @param {number | undefined} level undefined where the plan keeps it secret
 * @param {number | undefined} range undefined where there is no menu of them
 * @param {Uint8Array} y
 */
export const answered = (name, level, range, y) =>
  `${JSON.stringify(name)}:${JSON.stringify({ level, range, y: base64url(y) })}`;

/** The id that a receipt can prove: the start of its SHA-256. @param {Uint8Array} receipt */
export const idOf = (receipt) => hex(sha256(receipt).subarray(0, ID_BYTES));
