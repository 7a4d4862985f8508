/**
 * What went wrong, in words, by the reason that an error has.
 *
 * @typedef {import("../device/plan.js").Plan} Plan
 */

import { DiscretionError } from "../device/index.js";
import { counted, number, protection, sum } from "./words.js";

/** Whether an error has this reason. @param {unknown} error @param {string[]} reasons */
export const is = (error, ...reasons) =>
  error instanceof DiscretionError && reasons.includes(error.reason);

/** @type {Record<string, (value: any, bound: any) => string>} */
const WORDS = {
  // choosing
  too_few_attributes: (_, bound) =>
    `To take part, share at least ${counted(bound, "answer")}. Or close this page: nothing was sent.`,
  too_many_answers: (value, bound) =>
    `You share ${counted(value, "answer")}, and this survey takes at most ${number(bound)}. Leave some out.`,
  repeated_attribute: () =>
    "This would be reported twice, here and in another question. Leave one of the two out.",
  below_least: (value, bound) =>
    `With so few answers shared, this survey asks for a level of at least ${sum(bound)} each, and this is ${sum(value)}. Move the slider to the right, share another answer as well, or leave this one out.`,
  level_off_menu: (value) =>
    `This survey does not take the level ${sum(value)}. Choose another one.`,
  over_budget: (value, bound) =>
    `Your levels add up to ${sum(value)}, and this survey allows ${sum(bound)} for the answers you share. Choose a stronger protection for one of them, or leave one out.`,
  over_limit: (value, bound) =>
    `This report would bring what you have spent to ${sum(value)}, and you allowed at most ${sum(bound)}. Choose stronger protection, or leave more out.`,
  open_outputs: () =>
    "Some answers to this question may be sent openly. Allow that, or leave the question out.",
  not_thousandths: () => "Write a number above zero, such as 8 or 2.5.",
  range_off_menu: () => "Choose one of the ranges.",
  range_not_shared: () => "Choose one of the ranges.",
  not_drawn: () => "This device was not asked this question.",
  // answering
  missing_value: () => "Please answer this, or go back and leave it out.",
  not_a_number: () => "Write this as a number, such as 31257 or 12.5.",
  // keeping
  unreadable: () =>
    "This browser did not let the page keep anything. Perhaps its storage is full or switched off.",
  bad_copy: () => "This file is not a copy that this page saved, or it is damaged. Nothing was changed.",
  other_report: (round) =>
    `This copy has another report of round ${number(round)} than this browser: one of the two would be lost. Nothing was changed.`,
  other_record: () =>
    "Your report of this round was sealed before, perhaps in another window. It is shown as it is.",
  // the collector
  no_answer: () => "The collector cannot be reached at the moment.",
  no_plan: () => "The collector did not say what it asks.",
  token_needed: () =>
    "The collector asks for an invitation. Open the link of your invitation again, or paste its code.",
  bad_token: () => "This is no invitation code: it has a space or another character too many.",
  plan_changed: () => "What is asked has changed since you were here first.",
  not_https: () => "This page was not opened by a protected address (https), so it sends nothing.",
  bad_tag: () => "What the collector sent was damaged on its way.",
  redirect: () => "The collector points to another address, which this page does not follow.",
  not_canonical: () => "The collector's plan cannot be read.",
  unclear_label: (value, bound) =>
    `In this survey ${bound ? `two names or answers look the same (“${bound}” and “${value}”)` : "a name or an answer is blank"}. You could not see what you choose, so this page does not take part in it.`,
  not_allowed: () => "The collector's plan has something in it that this page does not know.",
};

/** @param {unknown} error */
export function messageFor(error) {
  if (!(error instanceof DiscretionError)) return `Something went wrong here: ${error}`;
  const { reason, value, bound, field } = error;
  return (
    WORDS[reason]?.(value, bound) ?? `Something went wrong (${reason}${field ? `: ${field}` : ""}).`
  );
}

/**
 * How a level is read out.
 * @param {import("../device/meaning.js").Meaning} meaning
 * @param {number} level
 */
export const spoken = (meaning, level) =>
  `${protection(meaning, level).join("")}: at most ${number((meaning.closed ?? meaning).sure)} % sure`;
