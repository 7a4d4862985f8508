/**
 * Cover: a set of ``count`` codes that meets the owner's own set if a coin says so, or misses it.
 *
 * Codes are the items, then ``length`` blanks. A set with fewer than ``length`` items gets blank i for each i
 * above its size; of one with more a uniform part is drawn. So a prepared set has ``length`` codes. Of all
 * reports hit meet it, and miss = (items over count) do not: the same numbers for every set.
 */

import { bit, draw } from "../bytes.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { oneStage, sample, share } from "./law.js";
import { bucket } from "./sketch.js";

/**
 * The law with the best number of codes; what it perturbs are the items of a set, rising.
 * @param {number} items @param {number} level @param {number} [length] of a prepared set
 * @returns {import("./law.js").Law}
 */
export function cover(items, level, length = 1) {
  const [codes, top] = [items + length, odds(level)];
  const count = bestCount(items, length, top);
  const miss = choose(items, count);
  const hit = choose(codes, count) - miss;
  const keep = share(top * hit, ONE * miss);
  const lacking = choose(items - 1, count - 1); // of the reports with a given code, those that miss a set without it
  const every = choose(codes - 1, count - 1);
  const form = { nBits: codes, ones: count };
  const respond = (/** @type {any} */ code, /** @type {import("../randomness.js").Source} */ source) => {
    const held = prepared(code, items, length, source);
    const overlap = source.coin(keep) ? overlapOf(source.below(hit), items, length, count, miss) : 0;
    const inside = sample(length, overlap, source);
    const outside = others(held, sample(items, count - overlap, source));
    const chosen = new Set([...outside, ...[...inside].map((place) => held[place])]);
    return draw(codes, codes, (i) => chosen.has(i));
  };
  return {
    ...oneStage("cover", (codes + 7) >> 3, form, respond, (keep * every) / hit),
    also: (keep * (every - lacking)) / hit + ((ONE - keep) * lacking) / miss,
  };
}

/**
 * The law of sets of texts that nobody lists: a cohort puts each text into one of its cells, and the set of
 * these, each once, is reported by the law above. The cohort is in the bits above.
 * @param {{cells: number, cohorts: number}} stated @param {number} level @param {number} length
 * @returns {import("./law.js").Law}
 */
export function hashedCover({ cells, cohorts }, level, length) {
  const whole = cover(cells, level, length);
  const nBits = cells + length;
  const nBytes = (nBits + 39 - Math.clz32(cohorts - 1)) >> 3;
  const respond = (/** @type {any} */ texts, /** @type {import("../randomness.js").Source} */ source, /** @type {number} */ cohort) => {
    const held = new Set(texts.map((/** @type {bigint} */ text) => Number(bucket(cohort, text, BigInt(cells)))));
    const y = /** @type {Uint8Array} */ (whole.respond(/** @type {any} */ ([...held].sort((a, b) => a - b)), source, 0));
    return draw(8 * nBytes, nBits, (i) => bit(y, i) > 0, cohort);
  };
  return { ...whole, sends: "cells", nBytes, cohorts, form: { ...whole.form, nOutputs: cohorts }, respond };
}

/**
 * The codes of a prepared set, rising.
 * @param {number[]} held @param {number} items @param {number} length
 * @param {import("../randomness.js").Source} source
 */
function prepared(held, items, length, source) {
  if (held.length <= length)
    return Array.from({ length }, (_, i) => held[i] ?? items + i);
  const chosen = sample(held.length, length, source);
  return held.filter((_, place) => chosen.has(place));
}

/**
 * How many codes of the prepared set a report has that meets it, by a number below all such reports.
 * @param {bigint} left @param {number} items @param {number} length @param {number} count
 * @param {bigint} ways to choose all codes among the others
 */
function overlapOf(left, items, length, count, ways) {
  let overlap = 0;
  for (let own = 1n; left >= 0n; left -= own * ways) {
    overlap++;
    own = (own * BigInt(length - overlap + 1)) / BigInt(overlap);
    ways = (ways * BigInt(count - overlap + 1)) / BigInt(items - count + overlap);
  }
  return overlap;
}

/** The codes at these places of all but the held ones. @param {number[]} held @param {Set<number>} places */
function others(held, places) {
  let passed = 0;
  return [...places]
    .sort((a, b) => a - b)
    .map((place) => {
      while (held[passed] <= place + passed) passed++;
      return place + passed;
    });
}

/**
 * How many codes a report has: minimise q (1 - q) / (p - q)^2 in integers, which falls and then rises.
 * @param {number} items @param {number} length @param {bigint} top
 */
function bestCount(items, length, top) {
  const better = (/** @type {number} */ one, /** @type {number} */ other) => {
    const [[a, b], [c, d]] = [one, other].map((count) => costOf(items, length, count, top));
    return a * d < c * b;
  };
  const near = Number((BigInt(items + length) * ONE) / (BigInt(length) * (top + ONE)));
  let count = Math.max(1, Math.min(items, near));
  while (count > 1 && !better(count, count - 1)) count--;
  while (count < items && better(count + 1, count)) count++;
  return count;
}

/** @param {number} items @param {number} length @param {number} count @param {bigint} top */
function costOf(items, length, count, top) {
  const [miss, lacking] = [choose(items, count), choose(items - 1, count - 1)];
  const every = choose(items + length - 1, count - 1);
  const q = top * (every - lacking) + ONE * lacking;
  const whole = top * (choose(items + length, count) - miss) + ONE * miss;
  return [q * (whole - q), lacking * lacking];
}

/** n over k. @param {number} n @param {number} k */
function choose(n, k) {
  let found = 1n;
  for (let i = 1; i <= k; i++) found = (found * BigInt(n - k + i)) / BigInt(i);
  return found;
}
