/** What went wrong, in words, by the reason that an error has. */

import { DiscretionError } from "../device/index.js";
import { isolated, texts } from "./language.js";
import { number, quoted, sum } from "./words.js";

/** Whether an error has this reason. @param {unknown} error @param {string[]} reasons */
export const is = (error, ...reasons) =>
  error instanceof DiscretionError && reasons.includes(error.reason);

/** @typedef {typeof texts.problems} Problems */
/** @type {Record<string, (say: Problems, value: any, bound: any) => string>} where it takes more than a text */
const WITH_VALUES = {
  too_few_attributes: (say, _, bound) => say.too_few_attributes(bound),
  too_many_answers: (say, value, bound) => say.too_many_answers(value, number(bound)),
  below_least: (say, value, bound) => say.below_least(sum(value), sum(bound)),
  level_off_menu: (say, value) => say.level_off_menu(sum(value)),
  over_budget: (say, value, bound) => say.over_budget(sum(value), sum(bound)),
  over_limit: (say, value, bound) => say.over_limit(sum(value), sum(bound)),
  over_window: (say, value, { rounds, level }) =>
    say.over_window(sum(value), sum(level), number(rounds)),
  not_due: (say, _, due) => say.not_due(number(due)),
  range_off_menu: (say) => say.range,
  range_not_shared: (say) => say.range,
  short_passphrase: (say, _, least) => say.short_passphrase(number(least)),
  other_site: (say, there) => say.other_site(isolated(there)),
  other_report: (say, round) => say.other_report(number(round)),
  unclear_label: (say, value, bound) =>
    bound ? say.same_labels(quoted(bound), quoted(value)) : say.blank_label,
};

/** @param {unknown} error */
export function messageFor(error) {
  const say = texts.problems;
  if (!(error instanceof DiscretionError)) return say.unexpected(`${error}`);
  const { reason, value, bound, field } = error;
  if (Object.hasOwn(WITH_VALUES, reason)) return WITH_VALUES[reason](say, value, bound);
  const plain = Object.hasOwn(say, reason) && say[/** @type {keyof Problems} */ (reason)];
  return typeof plain === "string" ? plain : say.unknown(field ? `${reason}: ${field}` : reason);
}
