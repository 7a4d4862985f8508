/**
 * Mechanisms of which a plan states more than the name: codewords, buckets, a variant of privacy, or that
 * their hash function is assigned.
 *
 * @typedef {{
 *   cohorts?: number,
 *   apart?: boolean,
 *   variant?: boolean,
 *   assigned?: boolean,
 *   intervals?: boolean,
 *   law: (level: number, length: number) => import("./law.js").Law,
 * }} Stated
 */

import { dbitflip, setsOf } from "./bitflip.js";
import { bloom } from "./bloom.js";
import { hashedCover } from "./cover.js";
import { encodingOf } from "./encoding.js";
import { grows, hierarchy } from "./hierarchy.js";
import { prefixes, reaches } from "./prefixes.js";
import { blh, hadamard, hcms, hrr, olh, orr } from "./hashed.js";
import { cohortsOf, lgrr, loloha, losue } from "./staged.js";
import { variantOf, VARIANTS } from "./variant.js";

/** @type {Record<string, typeof bloom>} whose codewords, or buckets, are in the plan */
export const CODED = { bloom, rappor: bloom, orr, hcms, cms: bloom, orappor: bloom };

/** @type {Record<string, import("./hashed.js").Hashes>} whose function may be assigned */
export const HASHED = { blh, olh, shist: hrr, hrr, hadamard };

/** @type {Record<string, import("./staged.js").Staged>} of which a part of the level is stated */
export const STAGED = { lgrr, losue, loloha };

/**
 * @param {string} name of the mechanism
 * @param {any} attribute as the plan states it
 * @param {number} size
 * @returns {Stated | undefined} none where a rule is broken
 */
export function statedBy(name, attribute, size) {
  if (Object.hasOwn(HASHED, name)) {
    return { assigned: true, law: (level) => HASHED[name](size, level) };
  }
  if (Object.hasOwn(STAGED, name)) {
    const stages = attribute.mechanism[name];
    return { cohorts: cohortsOf(stages), apart: !!stages.buckets, law: (level) => STAGED[name](size, level, stages) };
  }
  if (name === "dbitflip") {
    const cohorts = setsOf(size, attribute.mechanism.dbitflip);
    if (!cohorts) return;
    return { cohorts, apart: true, law: (level) => dbitflip(size, attribute.mechanism.dbitflip, level) };
  }
  if (name === "hierarchy") {
    const tree = attribute.mechanism.hierarchy;
    return grows(size, tree) ? { intervals: true, law: (level) => hierarchy(size, tree, level) } : undefined;
  }
  if (name === "prefixes") {
    const { mechanism, discover } = attribute;
    const { groups } = mechanism.prefixes;
    return discover && reaches(groups, discover.bits) ? { law: (level) => prefixes(groups, level) } : undefined;
  }
  if (Object.hasOwn(VARIANTS, name)) {
    const law = variantOf(attribute, size);
    return law ? { variant: true, law } : undefined;
  }
  if (name === "cover") {
    const { cells, cohorts } = attribute.mechanism.cover;
    const law = (/** @type {number} */ level, /** @type {number} */ length) => hashedCover({ cells, cohorts }, level, length);
    return attribute.items === "text" ? { cohorts, law } : undefined;
  }
  if (attribute.discover) return;
  const encoding = encodingOf(size, attribute.mechanism[name]);
  return encoding && { cohorts: encoding.cohorts, law: (level) => CODED[name](encoding, level) };
}
