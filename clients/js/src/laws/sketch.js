/**
 * Sketches: texts of which there is no list, put by each cohort into a few cells of its own.
 *
 * Cohort j puts the fingerprint u, w of a text into the cell of ``(a u + b w + c) mod P``, of which each
 * cell has an interval; a, b and c come from the SHA-256 of j. Further functions of the cohort give
 * further cells.
 *
 * @typedef {import("./hashing.js").Hashing} Hashing
 */

import { hashedIntegers, PRIME } from "../text.js";
import { parity } from "./hashing.js";

/**
 * The cell into which a function of a cohort, as a rule its first, puts a text.
 * @param {number | bigint} cohort
 * @param {bigint} code
 * @param {bigint} cells
 * @param {number} place
 */
export function bucket(cohort, code, cells, place = 0) {
  const [a, b, c] = hashedIntegers(`cohort ${cohort} ${place}`, 3);
  return (((a * (code / PRIME) + b * (code % PRIME) + c) % PRIME) * cells) / PRIME;
}

/** The cells of each cohort. @param {bigint} cohorts @param {bigint} cells @returns {Hashing} */
export const buckets = (cohorts, cells) => ({
  cohorts,
  cells,
  functions: cohorts,
  room: cohorts * cells,
  cell: (drawn, code) => bucket(drawn, code, cells),
});

/**
 * Parities of the number of a text's cell, by a cohort and a row of parities.
 * @param {bigint} cohorts
 * @param {bigint} cells a power of two
 * @returns {Hashing}
 */
export const signs = (cohorts, cells) => ({
  cohorts,
  cells: 2n,
  functions: cohorts * cells,
  room: 2n * cohorts * cells,
  cell: (drawn, code) => parity((drawn % cells) & bucket(drawn / cells, code, cells)),
});
