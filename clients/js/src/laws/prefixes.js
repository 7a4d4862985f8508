/** Prefixes: a public random group, and parities of so many first bits of a code as it reports. */

import { parityRows } from "./hashed.js";
import { layered, WHOLE } from "./layered.js";
import { sum } from "./law.js";

const MOST_ROWS = 6n; // parities of a report, at any level
const [LEAST_FIRST, FIRST, MOST_STEP] = [8, 22, 14]; // bits of the first group, and beyond the one before

const MOST_GROUPS = 32; // the last one may stand there several times

/**
 * The law at a level, of groups that report so many first bits.
 * @param {number[]} groups @param {number} level
 */
export function prefixes(groups, level) {
  const even = Math.floor(WHOLE / groups.length);
  const rest = groups.slice(1).map(() => even);
  const laws = groups.map((bits) => parityRows(BigInt(bits), level, MOST_ROWS));
  const all = groups[groups.length - 1];
  return layered("prefix", [WHOLE - sum(rest), ...rest], laws, (code, group) => code >> BigInt(all - groups[group]));
}

/** Whether a plan may state such groups, of codes of so many bits. @param {number[]} groups @param {number} bits */
export const reaches = (groups, bits) =>
  groups[0] >= LEAST_FIRST &&
  groups[0] <= FIRST &&
  groups[groups.length - 1] === bits &&
  groups.length <= MOST_GROUPS &&
  groups.every(
    (own, i) => own <= bits && (!i || ((own > groups[i - 1] || own === bits) && own <= groups[i - 1] + MOST_STEP)),
  );
