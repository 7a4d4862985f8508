/**
 * Step 1: what is asked, by whom, what for, how long it is kept, and who can learn what.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./session.js").Plan} Plan
 */

import { together } from "../device/meaning.js";
import { button, el, step } from "./elements.js";
import { asked } from "./fields.js";
import { texts } from "./language.js";
import { MIDDLE } from "./presets.js";
import { helpOf, questionOf, sectionsOf, surveyText, worded } from "./wording.js";
import { called, contract, isOpen, linked, number, percent, quoted } from "./words.js";

/**
 * @param {Session} session
 * @param {{next: () => void, share: (() => void) | null}} go ``share``: all of it with balanced
 *   protection, where the survey takes that
 * @param {(Node | null)[]} more what stands at the end
 */
export function about({ survey, plan, names }, { next, share }, ...more) {
  const say = texts.about;
  const open = survey.round !== null;
  const bare = names.filter((name) => isOpen(plan, name));
  return step(
    say.title,
    open ? 1 : null,
    ...sectionsOf(plan, names).flatMap((section) => [
      section.title ? worded(plan, "h3", {}, section.title) : null,
      el("ul", { class: "asked" }, ...section.names.map((name) => question(plan, name))),
    ]),
    plan.sample
      ? el("p", {}, say.drawn(plan.offered.length, number(names.length)))
      : null,
    el("p", {}, say.choose),
    facts(plan, survey),
    notice(plan),
    el("h3", {}, say.learn),
    el("p", {}, say.others),
    learnt(plan, names, bare),
    el("p", {}, bare.length ? say.chanceOpen : say.chance),
    el("details", {}, el("summary", {}, say.trust), el("p", {}, say.trustWhy)),
    open && share && el("p", {}, say.balanced(percent(together([MIDDLE]).sure))),
    open
      ? el(
          "p",
          { class: "actions" },
          button(say.next, next, "main"),
          share && button(texts.choosing.balanced, share),
        )
      : el("p", { class: "notice", role: "status" }, say.closed),
    published(survey),
    ...more,
  );
}

/** A link to the public results; the language that was chosen here is in no request. @param {import("./session.js").Survey} survey */
export const published = ({ results }) =>
  results && el("p", {}, el("a", { href: "results" }, texts.about.results));

/** @param {Plan} plan @param {string} name */
const question = (plan, name) =>
  el(
    "li",
    {},
    worded(plan, "strong", {}, called(plan, name)),
    ...plan.question(name).parts.map((part) => help(plan, part)),
    ...asked(plan, name).map((kind) => el("span", { class: "note" }, kind)),
    contract(plan, name) && el("span", { class: "note" }, contract(plan, name)),
  );

/** @param {Plan} plan @param {string} part */
const help = (plan, part) =>
  helpOf(plan, part) && worded(plan, "span", { class: "help" }, helpOf(plan, part));

/** Who asks, in the plan's words or else in those of whoever runs the page. @param {Plan} plan @param {import("./session.js").Survey} survey */
function facts(plan, { asker, purpose, retention }) {
  const say = texts.about;
  const kept = retention ? say.removed(retention) : say.kept;
  return el(
    "dl",
    { class: "facts card" },
    ...stated(plan, say.asker, surveyText(plan, "asker") || asker, say.noAsker),
    ...stated(plan, say.purpose, surveyText(plan, "purpose") || purpose, say.noPurpose),
    ...stated(plan, say.retention, surveyText(plan, "retention"), kept),
    ...stated(plan, say.contact, surveyText(plan, "contact"), ""),
  );
}

/** @param {Plan} plan @param {string} term @param {string} words @param {string} else_ where there are none */
const stated = (plan, term, words, else_) =>
  words || else_
    ? [el("dt", {}, term), words ? worded(plan, "dd", { class: "words" }, words) : el("dd", {}, else_)]
    : [];

/** @param {Plan} plan */
function notice(plan) {
  const words = surveyText(plan, "notice");
  return words
    ? el(
        "details",
        {},
        el("summary", {}, texts.about.notice),
        worded(plan, "p", { class: "words" }, words),
      )
    : null;
}

/** @param {Plan} plan @param {string[]} names @param {string[]} bare those with answers that may be sent openly */
function learnt(plan, names, bare) {
  const say = texts.about;
  return el(
    "dl",
    { class: "learn card" },
    ...fact(
      say.exact,
      bare.length ? say.exactOpen : say.exactNo,
      say.exactNearly,
      bare.length > 0 && say.openOnes(bare.map((name) => quoted(questionOf(plan, name)))),
    ),
    ...fact(say.guess, bare.length ? say.guessOpen : say.guessYes, say.guessNext),
    ...fact(say.again, ...later(plan)),
    ...fact(say.leftOut, say.yes, plan.secret ? say.levelsSecret : say.levelsSent),
    ...(names.some((name) => linked(plan, name)) ? fact(say.whose, say.whoseCode, say.whoseWhy) : []),
  );
}

/** What answers in later rounds add. @param {Plan} plan @returns {[string, ...(string | false)[]]} */
function later({ cohorts, document: { again, attributes, groups, owners } }) {
  const say = texts.about;
  const kept = attributes.some((/** @type {any} */ { rounding }) => rounding);
  const shared = !!groups && say.grouped(number(groups), number(Math.floor(owners / groups)));
  const own = cohorts > 1 && say.cohorted(number(cohorts));
  if (!again) return [say.repeats, say.repeatsWhy, kept && say.rounded, shared, own];
  return again.rotate ? [say.rotates, say.rotatesWhy, own] : [say.fresh, say.freshWhy, own];
}

/** @param {string} term @param {string} short @param {(string | false)[]} more */
const fact = (term, short, ...more) => [
  el("dt", {}, term),
  el("dd", {}, el("strong", {}, short), ...more.map((each) => each && ` ${each}`)),
];
