/**
 * A plan that words another one anew: both wordings side by side, and whether it still asks the same.
 *
 * No is the answer unless she says yes: a response that is repeated reveals that two answers are equal,
 * so going on with answers to another question would leak without a bound.
 *
 * @typedef {import("./session.js").Plan} Plan
 */

import { button, el, step } from "./elements.js";
import { texts } from "./language.js";
import {
  helpOf,
  labelsOf,
  questionOf,
  sectionsOf,
  surveyText,
  titleOf,
  unitOf,
  worded,
} from "./wording.js";

/** @type {import("./wording.js").Key[]} what is said of the survey, beside its title */
const SAID = ["asker", "purpose", "contact", "retention", "notice"];

/**
 * @param {Plan} plan
 * @param {import("../device/wording.js").Wording} before how it was worded
 * @param {{same: () => void, other: () => void}} go
 */
export function rewording(plan, before, { same, other }) {
  const say = texts.rewording;
  const former = { ...plan, document: { ...plan.document, wording: before } };
  const names = [...plan.questions.keys()].filter((name) => plan.question(name).parts.length < 2);
  const parts = [survey, ...names.map((name) => (/** @type {Plan} */ of) => question(of, name))];
  const changed = parts
    .map((part) => [part(former), part(plan)])
    .filter(([old, now]) => `${old}` !== `${now}`);
  return step(
    say.title,
    null,
    el("p", {}, say.how),
    ...changed.map(([old, now]) =>
      el("div", { class: "versions card" }, side(say.before, former, old), side(say.now, plan, now)),
    ),
    !changed.length && el("p", {}, say.elsewhere),
    el("p", {}, say.ask),
    el("p", { class: "actions" }, button(say.no, other, "main"), button(say.yes, same)),
  );
}

/** @param {Plan} plan */
const survey = (plan) => [titleOf(plan), ...SAID.map((key) => surveyText(plan, key))];

/** All that is said of a question, its heading included. @param {Plan} plan @param {string} name */
const question = (plan, name) => [
  questionOf(plan, name),
  sectionsOf(plan, [name])[0].title,
  helpOf(plan, name),
  unitOf(plan, name),
  ...(labelsOf(plan, name) ?? []),
];

/** @param {string} title @param {Plan} plan @param {string[]} words the first is what it is about */
const side = (title, plan, [first, ...more]) =>
  el(
    "div",
    {},
    el("h3", {}, title),
    worded(plan, "p", { class: "words first" }, first),
    ...more.filter(Boolean).map((each) => worded(plan, "p", { class: "words" }, each)),
  );
