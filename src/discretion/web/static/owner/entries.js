/**
 * Questions with any number of answers: items that are ticked, or written line by line where none are listed, and
 * keys that each get a number.
 *
 * A long list has a search above it, which hides what does not match and never what is ticked. Nothing
 * ticked, or rated, is an answer too.
 *
 * @typedef {import("./session.js").Plan} Plan
 * @typedef {import("./fields.js").Field} Field
 * @typedef {import("./fields.js").Kind} Kind
 * @typedef {{element: HTMLElement, code: string, label: string, entered: () => string, entry: () => any}} Row
 *   ``entered``: as it stands there, nothing if it is not chosen; ``entry``: as a device takes it
 */

import { refuse } from "../device/errors.js";
import { codesOf } from "../device/fits.js";
import { el, errorPlace, newId, say, showError } from "./elements.js";
import { isolated, texts } from "./language.js";
import { helpOf, labelsOf, questionOf, stated, worded } from "./wording.js";
import { between, joined, measured, number, rangesOf, written } from "./words.js";

const MOST_NAMED = 12; // entries in a sentence
const MOST_SHOWN = 12; // entries without a search
const MOST_POINTS = 11; // of a number that is chosen and not typed
const LONGEST = 20_000; // characters of all lines

/** @type {Kind} any items of a list */
export const items = {
  asked: (plan, part) => joined(texts.entries.items(...namedIn(plan, part)), reportedOf(plan, part)),
  field: (plan, part, place, entered) => {
    return entriesField(plan, part, place, rowsOf(plan, part, ticked, entered));
  },
  label: (plan, part, code) => {
    const [{ items: listed, sets }, labels] = [stated(plan, part), labelsOf(plan, part).map(isolated)];
    const own = sets?.[code].map((/** @type {string} */ item) => labels[listed.indexOf(item)]);
    return own ? texts.inWords.cell(own) : labels[code];
  },
};

/** @type {Kind} any texts, of which there is no list */
export const lines = {
  asked: () => texts.entries.anyTexts,
  field: linesField,
  label: () => "",
};

/** @type {Kind} a number for any keys of a list */
export const keys = {
  asked: (plan, part) => {
    const [all, labels, rest] = namedIn(plan, part);
    return texts.entries.keys(between(plan, part, rangesOf(plan, part)[0]), all, labels, rest);
  },
  field: (plan, part, place, entered) => {
    const row = pointsOf(plan, part).length <= MOST_POINTS ? rated : typed;
    const rows = rowsOf(plan, part, row, entered);
    const range = between(plan, part, rangesOf(plan, part)[0]);
    return { ...entriesField(plan, part, place, rows, range), check: () => check(rows) };
  },
  label: (plan, part, code) => {
    const key = isolated(labelsOf(plan, part)[code >> 1]);
    return texts.entries.side(key, measured(plan, part, rangesOf(plan, part)[0][code & 1]));
  },
};

/** What is said of itemsets, where these are reported in place of items. @param {Plan} plan @param {string} part */
function reportedOf(plan, part) {
  const { sets } = stated(plan, part);
  return sets && texts.entries.together(number(sets.length));
}

/**
 * How many there are, the first ones, and how many more.
 * @param {Plan} plan @param {string} part
 * @returns {[string, string[], string]}
 */
function namedIn(plan, part) {
  const labels = labelsOf(plan, part).map(isolated);
  const rest = labels.length - MOST_NAMED;
  return [number(labels.length), labels.slice(0, MOST_NAMED), rest > 0 ? number(rest) : ""];
}

/** The numbers that can be chosen, from the lowest; none where they are too many. @param {Plan} plan @param {string} part */
function pointsOf(plan, part) {
  const { range, step, exponent } = stated(plan, part);
  const many = (range[1] - range[0]) / step + 1;
  const point = (/** @type {number} */ i) => Number(`${range[0] + i * step}e${exponent}`);
  return Array.from({ length: Math.min(many, MOST_POINTS + 1) }, (_, i) => point(i));
}

/**
 * A row for each item or key, with what was entered before.
 * @param {Plan} plan @param {string} part
 * @param {(plan: Plan, part: string, code: string, label: string, before: string) => Row} row
 * @param {string} entered
 */
function rowsOf(plan, part, row, entered) {
  const before = /** @type {Map<string, string>} */ (new Map(entered ? JSON.parse(entered) : []));
  const labels = labelsOf(plan, part);
  return codesOf(stated(plan, part)).map((code, i) => row(plan, part, code, labels[i], before.get(code) ?? ""));
}

/** @param {Plan} plan @param {string} _ @param {string} code @param {string} label @param {string} before @returns {Row} */
function ticked(plan, _, code, label, before) {
  const box = el("input", { type: "checkbox", checked: !!before });
  const element = el("label", {}, box, worded(plan, "span", {}, label));
  return { element, code, label, entered: () => (box.checked ? code : ""), entry: () => code };
}

/**
 * A number for a key, of a few: as radio buttons, of which the first one is for none.
 * @param {Plan} plan @param {string} part @param {string} code @param {string} label @param {string} before
 * @returns {Row}
 */
function rated(plan, part, code, label, before) {
  const [name, named] = [newId("rating"), newId("key")];
  const choices = ["", ...pointsOf(plan, part).map(String)];
  const inputs = choices.map((value) => el("input", { type: "radio", name, value, checked: value === before }));
  const value = () => inputs.find(({ checked }) => checked)?.value ?? "";
  const element = el(
    "div",
    { class: "rated", role: "radiogroup", "aria-labelledby": named },
    worded(plan, "span", { id: named }, label),
    el(
      "div",
      {},
      ...inputs.map((input, i) =>
        el("label", {}, input, el("span", {}, choices[i] ? written(plan, part, Number(choices[i])) : texts.entries.none)),
      ),
    ),
  );
  return { element, code, label, entered: value, entry: () => [code, value()] };
}

/**
 * A number for a key, as it is typed.
 * @param {Plan} plan @param {string} _ @param {string} code @param {string} label @param {string} before
 * @returns {Row}
 */
function typed(plan, _, code, label, before) {
  const id = newId("rating");
  const input = el("input", { id, type: "text", inputmode: "decimal", dir: "ltr", autocomplete: "off" });
  input.value = before;
  const element = el("div", { class: "field" }, worded(plan, "label", { for: id }, label), input);
  return { element, code, label, entered: () => input.value.trim(), entry: () => [code, texts.typed(input.value)] };
}

/** Refuse what is typed and no number. @param {Row[]} rows */
function check(rows) {
  for (const { entered, entry, label } of rows)
    if (entered() && Number.isNaN(Number(entry()[1]))) refuse("not_a_number", label, entered());
}

/**
 * All rows of a question, with a search where there are many, and how many are reported.
 * @param {Plan} plan @param {string} part @param {number} place of the length on its menu @param {Row[]} rows
 * @param {string} [range] of the numbers
 * @returns {Field}
 */
function entriesField(plan, part, place, rows, range) {
  const [error, note, help] = [errorPlace(), newId("entries"), helpOf(plan, part)];
  const { length: lengths, sets = rows } = stated(plan, part);
  const length = lengths[place];
  const how = range ? texts.entries.rate(range) : texts.entries.tick;
  const found = rows.length > MOST_SHOWN && search(rows);
  const chosen = () => rows.filter((row) => row.entered());
  const element = el(
    "fieldset",
    { class: "card answer", "aria-describedby": note },
    worded(plan, "legend", {}, questionOf(plan, part)),
    help ? worded(plan, "p", { class: "help" }, help) : null,
    el(
      "p",
      { class: "note", id: note },
      joined(how, reportedOf(plan, part), length < sets.length && texts.entries.length(number(length))),
    ),
    found,
    el("div", { class: joined(range ? "ratings" : "options", !!found && "many") }, ...rows.map((row) => row.element)),
    error,
  );
  return {
    part,
    element,
    entered: () => JSON.stringify(chosen().map(({ code, entered }) => [code, entered()])),
    value: () => chosen().map(({ entry }) => entry()),
    fail: (text) => showError(error, text, { control: element, hint: note }),
    focus: () => element.querySelector("input")?.focus(),
  };
}

/**
 * Items of which there is no list, one on each line.
 * @param {Plan} plan @param {string} part @param {number} place of the length on its menu @param {string} entered
 * @returns {Field}
 */
function linesField(plan, part, place, entered) {
  const [error, id, noted, help] = [errorPlace(), newId("lines"), newId("entries"), helpOf(plan, part)];
  const length = number(stated(plan, part).length[place]);
  const off = { autocapitalize: "off", autocorrect: "off", spellcheck: "false", autocomplete: "off" };
  const input = el("textarea", { id, rows: "5", maxlength: LONGEST, dir: "auto", ...off, "aria-describedby": noted });
  input.value = entered;
  const element = el(
    "div",
    { class: "card field answer" },
    worded(plan, "label", { for: id }, questionOf(plan, part)),
    help ? worded(plan, "p", { class: "help" }, help) : null,
    input,
    error,
    el("p", { class: "note", id: noted }, joined(texts.entries.lines, texts.entries.length(length))),
  );
  const written = () => input.value.split("\n").map((line) => line.trim());
  return {
    part,
    element,
    entered: () => input.value,
    value: () => written().filter(Boolean),
    fail: (text) => showError(error, text, { control: input, hint: noted }),
    focus: () => input.focus(),
  };
}

/** A field that shows the rows whose label has what is typed, and those that are chosen. @param {Row[]} rows */
function search(rows) {
  const id = newId("search");
  const state = el("p", { role: "status", class: "note" });
  const plain = (/** @type {string} */ text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const input = el("input", {
    id,
    type: "search",
    autocomplete: "off",
    oninput: (/** @type {Event} */ event) => {
      event.stopPropagation(); // what is looked for is no answer
      const wanted = plain(input.value.trim());
      for (const row of rows) row.element.hidden = !row.entered() && !plain(row.label).includes(wanted);
      const shown = rows.filter((row) => !row.element.hidden).length;
      say(state, wanted ? texts.entries.found(number(shown), number(rows.length)) : "");
    },
  });
  return el("div", { class: "field" }, el("label", { for: id }, texts.entries.search), input, state);
}
