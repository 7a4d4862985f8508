/**
 * Classes of codes with the same level each: the probability of sending the true code, and what
 * frequencies then cost.
 *
 * With F the matrix of e^(-min) of two codes' levels, all that is solved here is F u = right, with u
 * and right constant within classes. The difference of two rows that follow each other gives u from
 * its successors, so u is known but for the last one, and linear in that; the first row gives it.
 * (docs/proofs/variants.md, section 5.) Times the tops of their classes these rows are integers, and by
 * Cramer's rule all u are so over one determinant.
 *
 * @typedef {[bigint, bigint]} Fraction over a denominator above zero, perhaps not in lowest terms
 * @typedef {{own: Map<bigint, Fraction>, variance: () => Fraction}} Classes ``own``: the probability of
 *   sending the true code, by e to its level; may come out negative. ``variance``: of unbiased frequencies
 *   from one report, summed, at uniform ones; but for a constant
 */

import { ONE } from "../randomness.js";

/** @param {bigint[]} tops e to the level of each code, over ONE @returns {Classes} */
export function classesOf(tops) {
  const each = [...new Set(tops)].sort((a, b) => (a < b ? -1 : 1));
  const counts = each.map((top) => BigInt(tops.filter((other) => other === top).length));
  const { solve, under } = solver(each, counts);
  const own = solve(each.map(() => 1n));
  /** @returns {Fraction} */
  const variance = () => {
    let [over, below] = [0n, 1n];
    let [row, rows] = [0n, 1n]; // of F, what is left of the diagonal
    let rest = BigInt(tops.length);
    each.forEach((top, index) => {
      const n = counts[index];
      const between = solve(each.map((_, i) => BigInt(i === index)));
      const squares = between.reduce((all, u, i) => all + counts[i] * u * u, 0n);
      const [apart, sums] = [(top - ONE) ** 2n, row * top + rows * (top + (rest - 1n) * ONE)];
      const spread = (n - 1n) * n * (top * under) ** 2n + squares * apart;
      const [part, whole] = [sums * spread, rows * top * own[index] * n * apart];
      [over, below] = [over * whole + part * below, below * whole];
      [row, rows] = [row * top + n * ONE * rows, rows * top];
      rest -= n;
    });
    return [over, below * BigInt(tops.length) * under];
  };
  return { own: new Map(each.map((top, i) => [top, [own[i], under]])), variance };
}

/**
 * @param {bigint[]} tops
 * @param {bigint[]} counts
 * @returns {{solve: (right: bigint[]) => bigint[], under: bigint}} ``under``: what solutions are over
 */
function solver(tops, counts) {
  const last = tops.length - 1;
  const step = (/** @type {number} */ i) => tops[i + 1] * (tops[i] - ONE);
  const whole = tops.slice(1).reduce((all, _, i) => all * step(i), 1n);
  const back = (/** @type {bigint[]} */ right, /** @type {bigint} */ end) => {
    let found = [end];
    let [beyond, under] = [0n, 1n];
    for (let i = last; i-- > 0;) {
      beyond += counts[i + 1] * found[0];
      const value =
        tops[i] * tops[i + 1] * (right[i] - right[i + 1]) * under +
        tops[i] * (tops[i + 1] - ONE) * found[0] -
        ONE * (tops[i + 1] - tops[i]) * beyond;
      found = [value, ...found.map((u) => u * step(i))];
      [beyond, under] = [beyond * step(i), under * step(i)];
    }
    return found;
  };
  const first = (/** @type {bigint[]} */ u) =>
    u.reduce((all, each, i) => all + ONE * counts[i] * each, (tops[0] - ONE) * u[0]);
  const more = back(tops.map(() => 0n), 1n);
  const [slope, sign] = [first(more), first(more) < 0n ? -1n : 1n];
  return {
    solve: (right) => {
      const some = back(right, 0n);
      const end = right[0] * tops[0] * whole - first(some);
      return some.map((u, i) => (sign * (u * slope + end * more[i])) / whole); // nothing is left
    },
    under: sign * slope,
  };
}
