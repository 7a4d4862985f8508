/**
 * How an answer is asked for and named: for each kind of attribute, a sentence, a field, and what
 * people call a code.
 *
 * @typedef {import("./session.js").Plan} Plan
 * @typedef {{part: string, element: HTMLElement, entered: () => string, value: () => any,
 *   fail: (text: string) => void, focus: () => void, check?: () => void}} Field ``entered``: as it stands in the field;
 *   ``value``: as a device takes it; ``check``: refuse what a device would leave out
 * @typedef {{
 *   asked: (plan: Plan, part: string) => string,
 *   field: (plan: Plan, part: string, place: number, entered: string) => Field,
 *   label: (plan: Plan, part: string, code: number, place: number) => string,
 * }} Kind ``asked``: what kind of answer it takes; ``field``: for an answer in a range, by its place, with
 *   what was entered before; ``label``: of a code, within a sentence
 */

import { audience } from "./applying.js";
import { el, errorPlace, newId, showError } from "./elements.js";
import { items, keys, lines } from "./entries.js";
import { isolated, texts } from "./language.js";
import { helpOf, labelsOf, questionOf, stated, unitOf, worded } from "./wording.js";
import { between, joined, measured, mentioned, number, pointAt, rangesOf, written } from "./words.js";

const MOST_LISTED = 12; // answers of a question
const MOST_RADIOS = 7; // answers that are shown side by side
const LONGEST = 500; // characters of a text

/** @type {Kind} an answer from a list */
const listed = {
  asked: (plan, part) => {
    const labels = labelsOf(plan, part).map(isolated);
    const [all, rest] = [number(labels.length), labels.length - MOST_LISTED];
    const { oneOf, oneOfMany } = texts.words;
    return rest > 1
      ? oneOfMany(all, labels.slice(0, MOST_LISTED), number(rest))
      : oneOf(all, labels);
  },
  field: (plan, part, _, entered) =>
    (valuesOf(plan, part).length > MOST_RADIOS ? menuField : radioField)(plan, part, entered),
  label: (plan, part, code) => isolated(labelsOf(plan, part)[code]),
};

/** @type {Record<string, Kind>} */
const KINDS = {
  categorical: listed,
  ordinal: listed,
  numeric: { asked: numberAsked, field: numberField, label: numberLabel },
  date: { asked: numberAsked, field: momentField, label: numberLabel },
  time: { asked: numberAsked, field: momentField, label: numberLabel },
  text: {
    asked: () => texts.words.text,
    field: (plan, part, _, entered) => textField(plan, part, entered),
    label: () => "",
  },
  set: items,
  map: keys,
};

/** @param {Plan} plan @param {string} part */
function numberAsked(plan, part) {
  const { kind } = stated(plan, part);
  const whole = between(plan, part, rangesOf(plan, part)[0]);
  const edges = edgesOf(plan, part)?.map((edge) => written(plan, part, edge));
  if (kind !== "numeric")
    return joined(texts.words[kind === "date" ? "date" : "time"](whole), edges && texts.words.grouped(number(edges.length - 1), edges.slice(0, -1)));
  return edges
    ? texts.words.numberInGroups(whole, number(edges.length - 1), edges.slice(0, -1))
    : texts.words.number(whole);
}

/** @param {Plan} plan @param {string} part @param {number} code @param {number} place */
function numberLabel(plan, part, code, place) {
  const edges = edgesOf(plan, part);
  return edges
    ? between(plan, part, [edges[code], edges[code + 1]])
    : measured(plan, part, pointAt(plan, part, code, place));
}

/** @param {Plan} plan @param {string} part */
const kindOf = (plan, part) => (stated(plan, part).items === "text" ? lines : KINDS[stated(plan, part).kind]);

/** What kinds of answers a question asks for, each with its part where there are several. @param {Plan} plan @param {string} name */
export function asked(plan, name) {
  const { parts } = plan.question(name);
  const names = mentioned(plan, parts);
  return parts.map((part, i) => {
    const kind = joined(kindOf(plan, part).asked(plan, part), audience(plan, part));
    return parts.length > 1 ? texts.words.part(names[i], kind) : kind;
  });
}

/**
 * The field for an answer.
 * @param {Plan} plan
 * @param {string} part
 * @param {number} place of the range on its menu
 * @param {string} entered
 */
export const fieldOf = (plan, part, place, entered) =>
  kindOf(plan, part).field(plan, part, place, entered);

/** What people call a code. @param {Plan} plan @param {string} part @param {number} code @param {number} place */
export const labelAt = (plan, part, code, place) =>
  stated(plan, part).applies && code === plan.question(part).within(place).size - 1
    ? texts.words.notApplicable
    : kindOf(plan, part).label(plan, part, code, place);

/** @param {Plan} plan @param {string} part @param {string} entered @returns {Field} */
function radioField(plan, part, entered) {
  const [name, error, help] = [newId("answer"), errorPlace(), helpFor(plan, part)];
  const labels = labelsOf(plan, part);
  const inputs = valuesOf(plan, part).map((value) =>
    el("input", { type: "radio", name, value, checked: value === entered }),
  );
  const element = el(
    "fieldset",
    { class: "card answer", role: "radiogroup", "aria-required": "true", "aria-describedby": help?.id },
    worded(plan, "legend", {}, questionOf(plan, part)),
    help,
    el(
      "div",
      { class: "options" },
      ...inputs.map((input, i) => el("label", {}, input, worded(plan, "span", {}, labels[i]))),
    ),
    error,
  );
  const value = () => inputs.find(({ checked }) => checked)?.value ?? "";
  return {
    part,
    element,
    entered: value,
    value,
    fail: (text) => showError(error, text, { control: element, hint: help?.id }),
    focus: () => inputs[0].focus(),
  };
}

/** @param {Plan} plan @param {string} part @param {string} entered @returns {Field} */
function menuField(plan, part, entered) {
  const [id, error, help] = [newId("answer"), errorPlace(), helpFor(plan, part)];
  const labels = labelsOf(plan, part);
  const select = el(
    "select",
    { id, "aria-required": "true", autocomplete: "off", "aria-describedby": help?.id },
    el("option", { value: "" }, texts.answering.menu),
    ...valuesOf(plan, part).map((value, i) =>
      worded(plan, "option", { value, selected: value === entered }, labels[i]),
    ),
  );
  return {
    part,
    element: el(
      "div",
      { class: "card field answer" },
      worded(plan, "label", { for: id }, questionOf(plan, part)),
      help,
      select,
      error,
    ),
    entered: () => select.value,
    value: () => select.value,
    fail: (text) => showError(error, text, { control: select, hint: help?.id }),
    focus: () => select.focus(),
  };
}

/**
 * The browser is to change nothing that is typed, and to ask no service of its own how it is spelled.
 * @param {Plan} plan
 * @param {string} part
 * @param {string} entered
 * @returns {Field}
 */
function textField(plan, part, entered) {
  const off = { autocapitalize: "off", autocorrect: "off", spellcheck: "false" };
  const attributes = { maxlength: LONGEST, dir: "auto", ...off };
  const field = typedField(plan, part, entered, attributes, texts.answering.textNote);
  return { ...field, value: () => field.entered().trim() };
}

/**
 * @param {Plan} plan
 * @param {string} part
 * @param {number} place
 * @param {string} entered
 * @returns {Field}
 */
function numberField(plan, part, place, entered) {
  const { step: stride, exponent, bins } = stated(plan, part);
  const ends = between(plan, part, rangesOf(plan, part)[place]);
  const { inGroups, onSteps } = texts.answering;
  const note = bins ? inGroups(ends) : onSteps(ends, number(Number(`${stride}e${exponent}`)));
  const field = typedField(plan, part, entered, { inputmode: "decimal", dir: "ltr" }, note);
  return { ...field, value: () => texts.typed(field.entered()) };
}

/**
 * A date, or a time of day, as the browser lets people choose one.
 * @param {Plan} plan
 * @param {string} part
 * @param {number} place
 * @param {string} entered
 * @returns {Field}
 */
function momentField(plan, part, place, entered) {
  const { kind, bins } = stated(plan, part);
  const [low, high] = rangesOf(plan, part)[place];
  const whole = texts.words[kind === "date" ? "date" : "time"](between(plan, part, [low, high]));
  const { outside, grouped } = texts.answering;
  return typedField(plan, part, entered, { type: kind, dir: "ltr" }, joined(whole, outside, bins && grouped));
}

/**
 * @param {Plan} plan
 * @param {string} part
 * @param {string} entered
 * @param {Record<string, string | number>} attributes
 * @param {string} note
 * @returns {Field}
 */
function typedField(plan, part, entered, attributes, note) {
  const [id, error, help] = [newId("answer"), errorPlace(), helpFor(plan, part)];
  const [noted, unit] = [`${id}-hint`, unitOf(plan, part)];
  const hint = [help?.id, unit && `${id}-unit`, noted].filter(Boolean).join(" ");
  const input = el("input", {
    id,
    type: "text",
    autocomplete: "off",
    ...attributes,
    "aria-required": "true",
    "aria-describedby": hint,
  });
  input.value = entered;
  const element = el(
    "div",
    { class: "card field answer" },
    worded(plan, "label", { for: id }, questionOf(plan, part)),
    help,
    el("div", { class: "measured" }, input, unit && worded(plan, "span", { id: `${id}-unit` }, unit)),
    error,
    el("p", { class: "note", id: noted }, note),
  );
  return {
    part,
    element,
    entered: () => input.value,
    value: () => input.value,
    fail: (text) => showError(error, text, { control: input, hint }),
    focus: () => input.focus(),
  };
}

/** @param {Plan} plan @param {string} part */
function helpFor(plan, part) {
  const words = helpOf(plan, part);
  return words ? worded(plan, "p", { class: "help", id: newId("help") }, words) : null;
}

/** @param {Plan} plan @param {string} part @returns {string[]} */
const valuesOf = (plan, part) => stated(plan, part).values;

/** Where the groups of a number begin and end. @param {Plan} plan @param {string} part @returns {number[] | undefined} */
function edgesOf(plan, part) {
  const { bins, exponent = 0 } = stated(plan, part);
  return bins?.map((/** @type {number} */ edge) => Number(`${edge}e${exponent}`));
}
