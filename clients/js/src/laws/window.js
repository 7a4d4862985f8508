/** Sliding window: a cell of a finer line, in a window that the number moves, or anywhere else. */

import { whole, widthOf } from "../encoding.js";
import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { up } from "./law.js";

const FINE = 1024; // cells on the line, at least

/** @typedef {import("./law.js").Law} Law */

/** @implements {Law} */
export class Window {
  /** @param {number} size @param {number} cells of a step @param {number} span cells of the window @param {bigint} keep of ONE */
  constructor(size, cells, span, keep) {
    this.size = size;
    this.cells = cells;
    this.span = span;
    this.keep = keep;
    this.line = (size - 1) * cells; // the cells that the window's start moves over
    this.reach = this.line + span;
    this.width = widthOf(2 * this.line - 1);
  }

  /** @param {number} code @param {import("./law.js").Words} source */
  perturb(code, source) {
    const start = code * this.cells;
    if (source.coin(this.keep)) return start + source.below(this.span);
    const other = source.below(this.line);
    return other + (other >= start ? this.span : 0);
  }

  /** @param {Uint8Array} y */
  possible(y) {
    return whole(y) < this.reach;
  }
}

/** The piecewise mechanism: e^(-epsilon / 2) of the line. @param {number} size @param {number} level */
export function pm(size, level) {
  return sliding(size, level, up(BigInt(lineOf(size)) * ONE, odds(level, 2000)));
}

/** The square wave. @param {number} size @param {number} level */
export function sw(size, level) {
  const [line, top, l] = [BigInt(lineOf(size)), odds(level), BigInt(level)];
  const above = (l * top - 1000n * top + 1000n * ONE) * ONE;
  const below = top * (1000n * top - (1000n + l) * ONE);
  return sliding(size, level, (2n * line * above + below) / (2n * below));
}

/** The window with the smallest variance at the ends of the grid. @param {number} size @param {number} level */
export function window(size, level) {
  let [low, high] = [1, lineOf(size)];
  while (low < high) {
    const middle = (low + high) >> 1;
    const [a, b] = spread(sliding(size, level, BigInt(middle)));
    const [c, d] = spread(sliding(size, level, BigInt(middle + 1)));
    if (a * d <= c * b) high = middle;
    else low = middle + 1;
  }
  return sliding(size, level, BigInt(low));
}

/** @param {number} size */
const cellsOf = (size) => Math.ceil(FINE / (size - 1));

/** @param {number} size */
const lineOf = (size) => (size - 1) * cellsOf(size);

/** @param {number} size @param {number} level @param {bigint} span */
function sliding(size, level, span) {
  const line = BigInt(lineOf(size));
  span = span < 1n ? 1n : span > line ? line : span;
  const inside = span * odds(level);
  return new Window(size, cellsOf(size), Number(span), (ONE * inside) / (inside + line * ONE));
}

/** The variance of the decoded number at the lower end, as a fraction. @param {Window} law */
function spread(law) {
  const [span, line, reach] = [BigInt(law.span), BigInt(law.line), BigInt(law.reach)];
  const whole = ONE * span * line;
  const moment = (/** @type {bigint} */ start, /** @type {(m: bigint) => bigint} */ total) => {
    const inside = total(start + span) - total(start);
    return law.keep * inside * line + (ONE - law.keep) * (total(reach) - inside) * span;
  };
  const mean = moment(0n, numbers);
  const pitch = moment(BigInt(law.cells), numbers) - mean;
  return [moment(0n, squares) * whole - mean ** 2n, pitch ** 2n];
}

/** The sum of 0 to m - 1. @param {bigint} m */
const numbers = (m) => (m * (m - 1n)) / 2n;

/** The sum of their squares. @param {bigint} m */
const squares = (m) => (m * (m - 1n) * (2n * m - 1n)) / 6n;
