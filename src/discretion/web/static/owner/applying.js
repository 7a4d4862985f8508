/**
 * Questions for some people only: to whom they apply, in words, and as far as answers show it.
 *
 * @typedef {import("./session.js").Plan} Plan
 * @typedef {Record<string, string>} Answers by attribute
 * @typedef {"yes" | "no" | "open"} Applies ``open``: an answer that decides it is not there yet
 */

import { deciding, NOT_APPLICABLE, valueIn } from "../device/applies.js";
import { el, say } from "./elements.js";
import { isolated, texts } from "./language.js";
import { is } from "./problems.js";
import { labelOf, questionOf, stated, worded } from "./wording.js";
import { between, mentioned } from "./words.js";

/** To whom a question applies; nothing where that is everybody. @param {Plan} plan @param {string} part */
export function audience(plan, part) {
  const { conditions } = plan.question(part);
  return conditions.length
    ? texts.words.applies(
        conditions.map(({ attribute, values, range }) => {
          const [question] = mentioned(plan, [attribute]);
          if (values) return texts.words.answered(question, values.map((each) => labelled(plan, attribute, each)));
          const { exponent = 0 } = stated(plan, attribute);
          const [low, high] = /** @type {number[]} */ (range).map((end) => Number(`${end}e${exponent}`));
          return texts.words.answered(question, [between(plan, attribute, [low, high])]);
        }),
      )
    : "";
}

/** @param {Plan} plan @param {string} part @param {string} value */
const labelled = (plan, part, value) =>
  value === NOT_APPLICABLE ? texts.words.notApplicable : isolated(labelOf(plan, part, value));

/**
 * The attributes that decide whether shared questions apply and are not shared themselves.
 * @param {Plan} plan
 * @param {string[]} names
 */
export function undisclosed(plan, names) {
  const shared = names.flatMap((name) => plan.question(name).parts);
  const found = new Set(names.flatMap((name) => [...deciding(plan, name)]));
  return [...plan.questions.keys()].filter((name) => found.has(name) && !shared.includes(name));
}

/**
 * Whether a question applies, as far as answers show.
 * @param {Plan} plan @param {string} part @param {Answers} answers
 * @returns {Applies}
 */
export function applies(plan, part, answers) {
  const known = Object.entries({ ...answers, [part]: " " }).filter(([, value]) => value !== "");
  try {
    return valueIn(plan, Object.fromEntries(known), part) === NOT_APPLICABLE ? "no" : "yes";
  } catch (error) {
    if (is(error, "missing_value", "not_a_number", "not_a_date", "not_a_time")) return "open";
    throw error;
  }
}

/**
 * The attributes that decide about several answers, or about one that is shared without them.
 * @param {Plan} plan
 * @param {string[]} names that are shared
 * @returns {[string, string[]][]} each with the names of the answers that it may change
 */
export function linkedAnswers(plan, names) {
  const decided = names.map((name) => deciding(plan, name));
  return [...plan.questions.keys()]
    .filter((part) => decided.some((own) => own.has(part)))
    .map((part) => [
      part,
      names.filter((name, i) => decided[i].has(part) || plan.question(name).parts.includes(part)),
    ]);
}

/**
 * Where a field stands, and in its place what becomes of its question as long as it is not asked.
 * @param {Plan} plan
 * @param {import("./fields.js").Field} field
 * @returns {{element: HTMLElement, applies: () => Applies, adapt: (answers: Answers) => string}} ``adapt``
 *   gives what is to be said of a change
 */
export function placeOf(plan, { part, element }) {
  if (!plan.question(part).conditions.length)
    return { element, applies: () => "yes", adapt: () => "" };
  /** @type {Applies | undefined} */
  let now;
  const { later, away, appeared, gone } = texts.answering;
  const [question] = mentioned(plan, [part]);
  const why = el("p", { class: "note" });
  const instead = el(
    "div",
    { class: "card absent" },
    worded(plan, "p", { class: "question" }, questionOf(plan, part)),
    why,
  );
  return {
    element: el("div", {}, element, instead),
    applies: () => now ?? "open",
    adapt(answers) {
      const before = now;
      now = applies(plan, part, answers);
      if (now === before) return "";
      element.hidden = now !== "yes";
      instead.hidden = now === "yes";
      const others = mentioned(plan, plan.question(part).conditions.map(({ attribute }) => attribute));
      say(why, now === "no" ? away : later(others));
      return now === "yes" ? appeared(question) : now === "no" ? gone(question) : "";
    },
  };
}
