/**
 * What people read about a plan: questions, labels, and who asks, in one language or several.
 *
 * No law depends on it. A device still refuses wording that could disguise something: characters that
 * change the direction of writing, labels that look alike, texts that are too long to read.
 *
 * @typedef {string | Record<string, string>} Phrase the same in all languages, or a text for each
 * @typedef {{ name: string, question?: Phrase, help?: Phrase, unit?: Phrase, labels?: Phrase[] }} AttributeWording
 *   ``labels``: one for each value, item or key of the plan
 * @typedef {{ title: Phrase, attributes: string[] }} Section
 * @typedef {{
 *   languages?: string[],
 *   sections?: Section[],
 *   attributes?: AttributeWording[],
 *   title?: Phrase,
 *   asker?: Phrase,
 *   purpose?: Phrase,
 *   contact?: Phrase,
 *   retention?: Phrase,
 *   notice?: Phrase,
 * }} Wording ``languages``: the first has every text
 */

import { visible } from "./labels.js";
import { codesOf, differ, fits, isMapping, misfit } from "./fits.js";

/** The most characters of each text. @type {Record<string, number>} */
const SURVEY = { title: 200, asker: 200, purpose: 1000, contact: 200, retention: 500, notice: 5000 };
/** @type {Record<string, number>} */
const ATTRIBUTE = { question: 300, help: 1000, unit: 20 };
const LABEL = 200;
const LANGUAGE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;
const HIDDEN = /(?![ \n\u200c\u200d])[\p{C}\p{Z}]/u;
const ALIKE = /[АВЕЅІЈКМНОРСТУХаеѕіјорсухԁһӏԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧανοικρυχ]/;

/**
 * Whether this can be the wording of a plan with these attributes.
 * @param {any} wording
 * @param {any[]} attributes as they stand in the plan
 */
export function isWording(wording, attributes) {
  const { languages = [], sections = [], attributes: asked = [] } = wording;
  const phrase = (/** @type {number} */ most) => (/** @type {any} */ value) =>
    isPhrase(value, most, languages);
  const named = new Map(attributes.map((each) => [each.name, each]));
  const inOrder = (/** @type {any[]} */ names) =>
    `${names}` === `${[...named.keys()].filter((name) => names.includes(name))}`;
  return (
    Object.keys(wording).length > 0 &&
    misfit(
      {
        ...optional(SURVEY, phrase),
        languages: absentOr([(/** @type {any} */ tag) => LANGUAGE.test(tag)]),
        sections: absentOr([{ title: phrase(LABEL), attributes: [(/** @type {any} */ name) => named.has(name)] }]),
        attributes: absentOr([
          {
            name: (/** @type {any} */ name) => named.has(name),
            ...optional(ATTRIBUTE, phrase),
            labels: absentOr([phrase(LABEL)]),
          },
        ]),
      },
      wording,
    ) === undefined &&
    differ(languages) &&
    differ(sections.flatMap((/** @type {Section} */ section) => section.attributes)) &&
    inOrder(asked.map((/** @type {AttributeWording} */ each) => each.name)) &&
    asked.every((/** @type {AttributeWording} */ each) => isAsked(each, named.get(each.name), languages))
  );
}

/** A text in a language, or in the first one. @param {Phrase} phrase @param {string} language @param {string[]} languages */
export const said = (phrase, language, languages) =>
  typeof phrase === "string" ? phrase : (phrase[language] ?? phrase[languages[0]]);

/** @param {AttributeWording} asked @param {any} attribute @param {string[]} languages */
function isAsked({ name, labels, ...texts }, attribute, languages) {
  const distinct = (/** @type {string} */ language) =>
    differ(/** @type {Phrase[]} */ (labels).map((label) => visible(said(label, language, languages))));
  if (!labels) return Object.keys(texts).length > 0;
  return labels.length === codesOf(attribute).length && (languages.length ? languages : [""]).every(distinct);
}

/** @param {any} value @param {number} most @param {string[]} languages */
function isPhrase(value, most, languages) {
  if (!isMapping(value)) return isText(value, most);
  const tags = Object.keys(value);
  return tags.includes(languages[0]) && tags.every((tag) => languages.includes(tag) && isText(value[tag], most));
}

/** @param {any} value @param {number} most */
const isText = (value, most) =>
  typeof value === "string" &&
  value === value.normalize("NFC") &&
  [...value].length <= most &&
  visible(value) !== "" &&
  !HIDDEN.test(value) &&
  !(value.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? []).some((word) => ALIKE.test(word) && /[A-Za-z]/.test(word));

/** @param {Record<string, number>} texts @param {(most: number) => any} shape */
const optional = (texts, shape) =>
  Object.fromEntries(Object.entries(texts).map(([key, most]) => [key, absentOr(shape(most))]));

/** @param {any} shape */
const absentOr = (shape) => (/** @type {any} */ value) => value === undefined || fits(shape, value);
