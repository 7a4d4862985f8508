/** Sliding window: a cell of a finer line, in a window that the number moves, or anywhere else. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { integers, share, up } from "./law.js";

const FINE = 1024; // cells on the line, at least

/** @param {number} size */
const cellsOf = (size) => Math.ceil(FINE / (size - 1));

/** The cells that the window's start moves over. @param {number} size */
export const lineOf = (size) => (size - 1) * cellsOf(size);

/**
 * @param {number} size
 * @param {number} level
 * @param {(line: bigint) => bigint} wanted cells of the window
 */
function sliding(size, level, wanted) {
  const [cells, line] = [cellsOf(size), lineOf(size)];
  const span = Math.min(Math.max(Number(wanted(BigInt(line))), 1), line);
  const keep = keepOf(level, BigInt(span), BigInt(line));
  return integers(
    "near",
    line + span,
    2 * line - 1,
    (code, source) => {
      const start = code * cells;
      if (source.coin(keep)) return start + source.below(span);
      const other = source.below(line);
      return other + (other < start ? 0 : span);
    },
    keep,
  );
}

/** @param {number} level @param {bigint} span @param {bigint} line */
const keepOf = (level, span, line) => share(span * odds(level), line * ONE);

/**
 * The cells of the piecewise mechanism's window: e^(-epsilon / 2) of the line.
 * @param {number} size
 * @param {number} level
 */
export const pm = (size, level) =>
  sliding(size, level, (line) => up(line * ONE, odds(level, 2000)));

/** The square wave. @param {number} size @param {number} level */
export function sw(size, level) {
  const [top, l] = [odds(level), BigInt(level)];
  const above = (l * top - 1000n * top + 1000n * ONE) * ONE;
  const below = top * (1000n * top - (1000n + l) * ONE);
  return sliding(size, level, (line) => (2n * line * above + below) / (2n * below));
}

/**
 * The window with the smallest variance at the ends of the grid.
 * @param {number} size
 * @param {number} level
 */
export const window = (size, level) =>
  sliding(size, level, (line) => {
    let [low, high] = [1n, line];
    while (low < high) {
      const middle = (low + high) / 2n;
      const [a, b] = spread(size, level, middle, line);
      const [c, d] = spread(size, level, middle + 1n, line);
      if (a * d <= c * b) high = middle;
      else low = middle + 1n;
    }
    return low;
  });

/**
 * The variance of the decoded number at the lower end, as a fraction.
 * @param {number} size
 * @param {number} level
 * @param {bigint} span
 * @param {bigint} line
 */
function spread(size, level, span, line) {
  const keep = keepOf(level, span, line);
  const moment = (/** @type {bigint} */ start, /** @type {(m: bigint) => bigint} */ total) => {
    const inside = total(start + span) - total(start);
    return keep * inside * line + (ONE - keep) * (total(line + span) - inside) * span;
  };
  const mean = moment(0n, numbers);
  const pitch = moment(BigInt(cellsOf(size)), numbers) - mean;
  return [moment(0n, squares) * ONE * span * line - mean ** 2n, pitch ** 2n];
}

/** The sum of 0 to m - 1. @param {bigint} m */
const numbers = (m) => (m * (m - 1n)) / 2n;

/** The sum of their squares. @param {bigint} m */
const squares = (m) => (m * (m - 1n) * (2n * m - 1n)) / 6n;
