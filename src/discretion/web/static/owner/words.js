/**
 * What the page says about levels, questions and people: which of its texts, with which values.
 *
 * @typedef {import("../device/plan.js").Plan} Plan
 * @typedef {import("../device/meaning.js").Meaning} Meaning
 */

import { isolated, texts } from "./language.js";
import { labelOf, questionOf, stated, unitOf } from "./wording.js";

/** The largest level, in thousandths of epsilon, of each name. */
const STRENGTHS = [350, 700, 1400, 2800, 5600, Infinity];
export const BALANCED = 2; // its place among them
// People who report, with no protection, a share to two points: (1.96 / 0.02)^2 / 4; and a mean to a
// fiftieth of its range, with answers at the ends and in the middle: (1.96 / 0.02)^2 / 6.
const BARE_SHARE = 2401;
const BARE_MEAN = 1601;

/** How strong a level protects, by what it means and not by its place: 0 is strongest. @param {number} level */
export const strengthOf = (level) => STRENGTHS.findIndex((most) => level <= most);

/** @param {number} level */
export const strength = (level) => texts.words.strengths[strengthOf(level)];

/** A number as people write it. @param {number} value */
export const number = (value) => texts.number(value);

/** A level as it is added up. @param {number} level in thousandths */
export const sum = (level) => number(level / 1000);

/** @param {number} value */
export const percent = (value) => texts.percent(value);

/** Sentences that follow each other. @param {(string | false | undefined)[]} sentences */
export const joined = (...sentences) => sentences.filter(Boolean).join(" ");

/** What a question is called: a bundle by its parts. @param {Plan} plan @param {string} name */
export function called(plan, name) {
  const { parts } = plan.question(name);
  return parts.length > 1 ? texts.words.together(mentioned(plan, parts)) : questionOf(plan, name);
}

/** Questions within a sentence; names that stand for them are not quoted. @param {Plan} plan @param {string[]} parts */
export const mentioned = (plan, parts) =>
  parts.map((part) => (questionOf(plan, part) === part ? isolated(part) : quoted(questionOf(plan, part))));

/** @param {string} words */
export const quoted = (words) => texts.words.quoted(isolated(words));

/**
 * Whether the hash function of a question comes with the invitation.
 * @param {Plan} plan
 * @param {string} name
 */
export const linked = (plan, name) => !!plan.question(name).assigned;

/**
 * The ranges of a number as pairs, the whole one first.
 * @param {Plan} plan
 * @param {string} part
 * @returns {[number, number][]}
 */
export function rangesOf(plan, part) {
  const { range, ranges = [], exponent = 0 } = stated(plan, part);
  const own = (/** @type {number} */ end) => Number(`${end}e${exponent}`);
  return [range, ...ranges].map(([low, high]) => [own(low), own(high)]);
}

/** What an owner may choose by a place on its menu: a range, or a length. @param {Plan} plan @param {string} part @param {number} place */
export const choiceAt = (plan, part, place) => stated(plan, part).length?.[place] ?? rangesOf(plan, part)[place];

/** A point of a number's grid. @param {Plan} plan @param {string} part @param {number} code @param {number} place of the range */
export function pointAt(plan, part, code, place) {
  const { step, exponent = 0 } = stated(plan, part);
  const [low] = rangesOf(plan, part)[place];
  return Number((low + code * Number(`${step}e${exponent}`)).toFixed(-exponent));
}

/** @param {Plan} plan @param {string} part @param {[number, number]} ends */
export const between = (plan, part, [low, high]) =>
  texts.words.between(written(plan, part, low), measured(plan, part, high));

/** A number as people write it, or the date or time of day that it is. @param {Plan} plan @param {string} part @param {number} value */
export function written(plan, part, value) {
  const { kind } = stated(plan, part);
  if (kind === "date") return texts.date(value);
  return kind === "time" ? texts.time(value) : number(value);
}

/** A number with its unit. @param {Plan} plan @param {string} part @param {number} value */
export function measured(plan, part, value) {
  const unit = unitOf(plan, part);
  const text = written(plan, part, value);
  return unit ? `${text}\u00a0${isolated(unit)}` : text;
}

/**
 * The promise of a question whose answers are not all protected alike; nothing for any other one.
 * @param {Plan} plan
 * @param {string} name
 */
export function contract(plan, name) {
  const { mechanism, variant } = plan.question(name);
  if (!variant) return "";
  if (mechanism === "uldp") return texts.words.uldp(sensitiveOf(plan, name));
  return mechanism === "idldp" ? texts.words.idldp : texts.words.metric;
}

/** Whether some answers to a question may be sent openly. @param {Plan} plan @param {string} name */
export const isOpen = (plan, name) => {
  const { law, menu } = plan.question(name);
  return !!law(menu[0]).open;
};

/** The answers to an open question that are protected. @param {Plan} plan @param {string} name @returns {string[]} */
export const sensitiveOf = (plan, name) =>
  stated(plan, name).mechanism.uldp.sensitive.map((/** @type {string} */ value) =>
    isolated(labelOf(plan, name, value)),
  );

/**
 * How strongly an answer is protected, and at which level. A variant is named by what it is charged.
 * @param {Meaning} meaning
 * @param {number} level
 * @returns {[string, string]}
 */
export function protection({ cost, closed }, level) {
  const { protections, someOnly, charged, level: at } = texts.words;
  const how = protections[strengthOf(cost)];
  return [
    closed ? someOnly(how) : how,
    cost === level ? at(sum(level)) : charged(sum(level), sum(cost)),
  ];
}

/**
 * How a level is read out.
 * @param {Meaning} meaning
 * @param {number} level
 */
export const spoken = (meaning, level) =>
  texts.words.spoken(joined(...protection(meaning, level)), sureOf(meaning));

/** How sure somebody can be, but for what is sent openly. @param {import("../device/meaning.js").Revealed} revealed */
export const sureOf = ({ sure, closed }) => percent((closed ?? { sure }).sure);

/**
 * What becomes of an answer, for the sentence and the picture.
 * @param {Meaning} meaning
 * @returns {{kinds: [string, number][], text: string}}
 */
export function pictured({ sure, kept, also, form, count }) {
  const { words } = texts;
  if (form === "open") {
    const held = Math.min(Math.max(also ?? 0, 1), 99); // some are reported openly, and some are not
    return {
      kinds: [
        ["own", 100 - held],
        ["other", held],
      ],
      text: words.openPicture(number(100 - held), number(held)),
    };
  }
  if (kept !== null && also !== null) {
    return {
      kinds: [
        ["chance", also],
        ["own", kept - also],
        ["other", 100 - kept],
      ],
      text: (form === "cover" || form === "cells" ? words[form] : words.bits)(number(kept), number(also)),
    };
  }
  if (kept === null) {
    const right = Math.ceil(sure);
    return {
      kinds: [
        ["chance", 50],
        ["own", right - 50],
        ["other", 100 - right],
      ],
      text: words.guesses(number(right)),
    };
  }
  const own = Math.min(kept, 99); // no level sends the answer always
  const others = 100 - own;
  /** @type {Record<string, (own: string, others: string, count: string) => string>} */
  const texted = { one: words.one, set: words.set, group: words.group, near: words.near };
  const say = texted[count === 1 ? "one" : form] ?? words.other;
  return {
    kinds: [
      ["own", own],
      ["other", others],
    ],
    text: say(number(own), number(others), number(count ?? 0)),
  };
}

/**
 * The most that an answer can do to a guess.
 * @param {Plan} plan
 * @param {string} name
 * @param {Meaning} meaning
 */
export function worst(plan, name, meaning) {
  const { words } = texts;
  if (meaning.sensitive) return words.worstOpen(sensitiveOf(plan, name), sureOf(meaning));
  /** @type {Record<string, string>} where not all answers are protected alike */
  const apart = { parts: words.apart, places: words.farthest };
  return joined(words.worst(sureOf(meaning)), apart[meaning.form]);
}

/**
 * What a level brings to the result.
 * @param {number | null} people
 * @param {boolean} mean whether it is a number
 */
export function worth(people, mean) {
  if (people === null) return "";
  const { worthMean, worthShare } = texts.words;
  return mean
    ? worthMean(rounded(people), rounded(BARE_MEAN))
    : worthShare(rounded(people), rounded(BARE_SHARE));
}

/** To two digits. @param {number} value */
const rounded = (value) => number(Number(value.toPrecision(2)));
