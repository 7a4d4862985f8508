/** Metric privacy: values have places, and near ones are told apart less than far ones. */

import { odds } from "../odds.js";
import { ONE } from "../randomness.js";
import { sum } from "./law.js";
import { FINE, least, rounded } from "./matrix.js";

export const HAIR = 10 ** 8; // bounds are in units of one over this, and each is less by one
const MOST_TIGHT = 64; // places whose c is worked out
const FAR = 20n; // epsilons beyond which codes need not be further apart

/** @param {number[][]} places in thousandths of the scale @param {number} level */
export const metric = (places, level) =>
  places[0].length > 1 ? plane(places, level) : line(places.flat(), level);

/**
 * The geometric law from place to place, whatever the gaps.
 * @param {number[]} places
 * @param {number} level
 */
function line(places, level) {
  const order = places.map((_, code) => code).sort((a, b) => places[a] - places[b]);
  const tops = order.slice(1).map((code, i) => {
    const gap = places[code] - places[order[i]];
    return oddsOf(less(level, gap, gap));
  });
  const probabilities = places.map(() => places.map(() => 0n));
  order.forEach((y, place) => {
    const [before, after] = [tops[place - 1], tops[place]];
    const own =
      before && after
        ? ((before * after - ONE * ONE) << FINE) / ((before + ONE) * (after + ONE))
        : ((before ?? after) << FINE) / ((before ?? after) + ONE);
    probabilities[y][y] = own;
    for (let i = place, probability = own; i < tops.length; i++)
      probabilities[order[i + 1]][y] = probability = (probability * ONE) / tops[i];
    for (let i = place, probability = own; i-- > 0;)
      probabilities[order[i]][y] = probability = (probability * ONE) / tops[i];
  });
  return rounded(probabilities);
}

/**
 * The law with tight constraints, or else the exponential one.
 * @param {number[][]} places
 * @param {number} level
 */
function plane(places, level) {
  const distances = places.map((one) => places.map((other) => distance(one, other)));
  const nearest = Math.min(...distances.map((row) => Math.min(...row.filter(Boolean))));
  const falls = (/** @type {bigint} */ parts) =>
    distances.map((row) =>
      row.map((far) => {
        const [bound, per] = less(level, far, nearest);
        return (ONE << FINE) / oddsOf([bound, parts * per]);
      }),
    );
  if (places.length <= MOST_TIGHT) {
    const tight = falls(1n);
    const own = solved(tight);
    if (least(own) > 0n) return rounded(tight.map((row) => row.map((g, y) => (own[y] * g) >> FINE)));
  }
  return rounded(
    falls(2n).map((row) => {
      const whole = row.reduce((all, weight) => all + weight);
      return row.map((weight) => (weight << FINE) / whole);
    }),
  );
}

/** Rounded up: still a metric. @param {number[]} one @param {number[]} other */
const distance = (one, other) => Math.ceil(Math.sqrt(sum(one.map((x, i) => (x - other[i]) ** 2))));

/**
 * c with falls c = 1, in fixed point, by elimination; zero where there is not one.
 * @param {bigint[][]} falls
 */
function solved(falls) {
  const rows = falls.map((row) => [...row, 1n << FINE]);
  for (const [i, above] of rows.entries()) {
    if (!above[i]) return [0n];
    for (const row of rows.slice(i + 1)) {
      const factor = floor(row[i] << FINE, above[i]);
      for (let j = i; j < row.length; j++) row[j] -= (factor * above[j]) >> FINE;
    }
  }
  const found = falls.map(() => 0n);
  for (let i = falls.length; i-- > 0;) {
    const rest = found.reduce((all, c, j) => all + rows[i][j] * c, 0n) >> FINE;
    found[i] = floor((rows[i][falls.length] - rest) << FINE, rows[i][i]);
  }
  return found;
}

/** A quotient, rounded down. @param {bigint} over @param {bigint} under */
const floor = (over, under) =>
  over / under - BigInt(over % under !== 0n && over < 0n !== under < 0n);

/**
 * A level times a distance as a fraction, so much less that the nearest are by one.
 * @param {number} level @param {number} far @param {number} nearest @returns {[bigint, bigint]}
 */
function less(level, far, nearest) {
  const hairs = BigInt(level) * BigInt(nearest) * BigInt(HAIR / 10 ** 6) - 1n;
  const [bound, per] = [hairs * BigInt(far), BigInt(nearest) * BigInt(HAIR)];
  return bound <= FAR * per ? [bound, per] : [FAR, 1n];
}

/** @param {[bigint, bigint]} epsilon */
const oddsOf = ([bound, per]) => odds(bound, per);
