/**
 * Dates and times of day as numbers: days since 1970-01-01, minutes since midnight.
 *
 * @typedef {import("./rational.js").Rational} Rational
 * @typedef {{least: number, most: number, read: (text: string) => Rational | undefined}} Moment ``least``,
 *   ``most``: what can be written; ``read``: what is written, and nothing else
 */

import { rational } from "./rational.js";

const DAY = 86_400_000; // milliseconds
const MIDNIGHT = 1440;

/** @type {Record<string, Moment>} by kind */
export const MOMENTS = {
  date: {
    least: -719_162, // 0001-01-01
    most: 2_932_896, // 9999-12-31
    read: (text) => {
      const moment = /^\d{4}-\d\d-\d\d$/.test(text) && text >= "0001" && Date.parse(`${text}T00:00Z`);
      return typeof moment === "number" && written(moment) === text ? [BigInt(moment / DAY), 1n] : undefined;
    },
  },
  time: {
    least: 0,
    most: MIDNIGHT,
    read: (text) => {
      const [, hours, minutes, seconds = 0] = (/^(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? []).map(Number);
      const all = 3600 * hours + 60 * minutes + (seconds || 0);
      return minutes < 60 && !(seconds > 59) && all <= 60 * MIDNIGHT ? rational(BigInt(all), 60n) : undefined;
    },
  },
};

/** @param {number} moment */
const written = (moment) => (moment === moment ? new Date(moment).toISOString().slice(0, 10) : "");
