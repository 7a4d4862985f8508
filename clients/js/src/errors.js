/**
 * The one exception that this package throws on purpose.
 *
 * Python says what went wrong in sentences; here a page has the words. So an error has a
 * ``reason``, a stable name; the ``field`` it belongs to, where there is one: an attribute, a part of
 * the plan, an address; the ``value`` that was refused, and the ``bound`` that it broke: a menu, say.
 *
 *     plans       not_canonical, not_allowed; unclear_label, of a plan that is new to a store: a name or
 *                 label that is blank, or equal to another one, the bound, after NFKC
 *     budgets     unknown_attribute, repeated_attribute, too_few_attributes, too_many_answers,
 *                 level_off_menu, below_least, over_budget, not_thousandths, no_even_level,
 *                 range_not_shared, range_off_menu, not_above_zero, no_sampling, no_sensitivity,
 *                 not_drawn, other_plan, over_limit, open_outputs; over_window: a limit over some rounds;
 *                 bad_rounds, of such a limit; rhythm_off_menu, other_rhythm: than the one chosen before;
 *                 no_rhythm: chosen yet; not_due: the bound is the next round that is the owner's
 *     records     missing_value, not_a_number, not_a_date, not_a_time, bad_round, no_report, other_record
 *     states      unreadable: what it spent counts as spent; no_predecessor: a plan that words none anew
 *                 that was answered here; moved: to a file, and not here any more
 *     files       foreign_file, damaged_file: not as long as it says; wrong_passphrase: or other bytes;
 *                 short_passphrase, no_encryption: the page did not come by https; other_site: its
 *                 origin; older_state, forked_state: than the one that is known here; other_report: of a
 *                 round that is sealed
 *     collectors  bad_address, bad_token, not_https, no_answer, token_needed, redirect, no_plan, bad_tag,
 *                 plan_changed; what was to be sent is kept
 */
export class DiscretionError extends Error {
  name = "DiscretionError";

  /**
   * @param {string} reason
   * @param {string | null} [field]
   * @param {unknown} [value]
   * @param {unknown} [bound]
   */
  constructor(reason, field = null, value, bound) {
    super((field === null ? "" : field + ": ") + reason);
    this.reason = reason;
    this.field = field;
    this.value = value;
    this.bound = bound;
  }
}

/**
 * @param {string} reason
 * @param {string | null} [field]
 * @param {unknown} [value]
 * @param {unknown} [bound]
 * @returns {never}
 */
export function refuse(reason, field, value, bound) {
  throw new DiscretionError(reason, field, value, bound);
}

/**
 * Refuse a plan that breaks a rule.
 * @param {unknown} kept whether it is
 * @param {string} field
 * @param {unknown} [value]
 */
export function need(kept, field, value) {
  if (!kept) refuse("not_allowed", field, value);
}
