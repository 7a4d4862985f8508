/**
 * What the plan says to people, in the language that suits its reader best; names and codes where it
 * says nothing.
 *
 * @typedef {import("../device/plan.js").Plan} Plan
 * @typedef {import("../device/wording.js").Wording} Wording
 * @typedef {import("../device/wording.js").Phrase} Phrase
 * @typedef {"title" | "asker" | "purpose" | "contact" | "retention" | "notice"} Key
 * @typedef {{title: string, names: string[]}} Section
 */

import { codesOf } from "../device/fits.js";
import { said } from "../device/wording.js";
import { el } from "./elements.js";
import { bestOf, language, texts } from "./language.js";

/** @param {Plan} plan @returns {Wording} */
const wordingOf = ({ document }) => document.wording ?? {};

/** @param {Plan} plan @param {Phrase | undefined} phrase */
function spoken(plan, phrase) {
  const { languages = [] } = wordingOf(plan);
  return phrase === undefined ? "" : said(phrase, bestOf(languages), languages);
}

/** @param {Plan} plan @param {string} part */
const about = (plan, part) => wordingOf(plan).attributes?.find(({ name }) => name === part);

/** The languages that a plan has. @param {Plan} plan */
export const languagesOf = (plan) => wordingOf(plan).languages ?? [];

/** What is said of the whole survey. @param {Plan} plan @param {Key} key */
export const surveyText = (plan, key) => spoken(plan, wordingOf(plan)[key]);

/** @param {Plan} plan */
export const titleOf = (plan) => surveyText(plan, "title") || plan.document.name;

/** What is asked. @param {Plan} plan @param {string} part */
export const questionOf = (plan, part) => spoken(plan, about(plan, part)?.question) || part;

/** @param {Plan} plan @param {string} part */
export const helpOf = (plan, part) => spoken(plan, about(plan, part)?.help);

/** @param {Plan} plan @param {string} part */
export const unitOf = (plan, part) => spoken(plan, about(plan, part)?.unit);

/** The answers to choose from, by code. @param {Plan} plan @param {string} part @returns {string[]} */
export function labelsOf(plan, part) {
  return about(plan, part)?.labels?.map((label) => spoken(plan, label)) ?? codesOf(stated(plan, part));
}

/** @param {Plan} plan @param {string} part @param {string} value */
export const labelOf = (plan, part, value) =>
  labelsOf(plan, part)[stated(plan, part).values.indexOf(value)] ?? value;

/** An attribute as the plan states it. @param {Plan} plan @param {string} part @returns {any} */
export const stated = (plan, part) =>
  plan.document.attributes.find((/** @type {any} */ item) => item.name === part);

/**
 * What is asked, in sections: a bundle stands where its first attribute does.
 * @param {Plan} plan
 * @param {string[]} names
 * @returns {Section[]}
 */
export function sectionsOf(plan, names) {
  const sections = wordingOf(plan).sections ?? [];
  const place = (/** @type {string} */ name) => plan.question(name).parts[0];
  const inside = sections.map(({ title, attributes }) => ({
    title: spoken(plan, title),
    names: names
      .filter((name) => attributes.includes(place(name)))
      .sort((a, b) => attributes.indexOf(place(a)) - attributes.indexOf(place(b))),
  }));
  const seen = inside.flatMap((section) => section.names);
  const title = seen.length ? texts.about.further : "";
  const rest = { title, names: names.filter((name) => !seen.includes(name)) };
  return [...inside, rest].filter((section) => section.names.length);
}

/**
 * An element with words of the plan alone in it: they have their own direction and language.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {Plan} plan @param {K} name @param {Record<string, any>} attributes @param {string} words
 */
export function worded(plan, name, attributes, words) {
  const own = bestOf(languagesOf(plan));
  return el(name, { dir: "auto", lang: own !== language && own, ...attributes }, words);
}

