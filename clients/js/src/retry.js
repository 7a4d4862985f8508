/**
 * When to try again: exponential back-off with full jitter, as far as the collector allows.
 *
 * Before the n-th retry a device waits a uniform time between 0 and ``first * 2^(n - 1)`` seconds,
 * at most ``ceiling``. What a collector asks for (Retry-After) is added in full.
 *
 * @typedef {typeof RETRY_POLICY} RetryPolicy
 * @typedef {{again: (tried: number, retryAfter?: string | null) => Promise<boolean>, over: string}} Attempts
 *   ``again``: wait for the next try; false, at once, if there is none; ``over``: why it ended
 */

import { token } from "./randomness.js";

/** How often and how long a device tries, in seconds; its clocks, its sleep and its dice. */
export const RETRY_POLICY = {
  tries: 5, // of one message
  first: 1, // the longest first wait
  ceiling: 60, // the longest wait that is not asked for
  total: 180, // for all messages sent together; a wait that ends later is not begun
  clock: () => performance.now() / 1000,
  now: () => Date.now() / 1000, // what dates are compared with
  dice: () => token(1)[0] / 256, // uniform on [0, 1)
  /** @param {number} seconds */
  sleep: (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds)),
};

/**
 * The attempts that a retry policy still allows, over all messages that are sent together.
 * @param {RetryPolicy} policy
 * @returns {Attempts}
 */
export function attemptsOf({ tries, first, ceiling, total, clock, now, dice, sleep }) {
  const end = clock() + total;
  return {
    over: "",
    async again(tried, retryAfter) {
      const header = retryAfter ?? "0";
      const asked = /^\d+$/.test(header)
        ? Number(header)
        : Math.max(0, Date.parse(header) / 1000 - now() || 0);
      const wait = asked + Math.min(ceiling, first * 2 ** (tried - 1)) * dice();
      if (tried >= tries || clock() + wait > end) return false;
      await sleep(wait);
      return true;
    },
  };
}
