/**
 * How an answer is asked for: for each kind of attribute, a sentence and a field.
 *
 * @typedef {import("./session.js").Plan} Plan
 * @typedef {{part: string, element: HTMLElement, value: () => string, fail: (text: string) => void,
 *   focus: () => void}} Field
 * @typedef {{
 *   asked: (plan: Plan, part: string) => string,
 *   field: (plan: Plan, part: string, place: number) => Field,
 * }} Kind ``asked``: what kind of answer it takes; ``field``: for an answer in a range, by its place
 */

import { el, errorPlace, newId, showError } from "./elements.js";
import { between, listed, number, rangesOf, stated } from "./words.js";

const MOST_LISTED = 12; // answers of a question
const MOST_RADIOS = 7; // answers that are shown side by side
const LONGEST = 500; // characters of a text

/** @type {Record<string, Kind>} */
const KINDS = {
  categorical: {
    asked: (plan, part) => {
      const { values } = stated(plan, part);
      const rest = values.length - MOST_LISTED;
      return rest > 1
        ? `One of ${values.length}: ${values.slice(0, MOST_LISTED).join(", ")} and ${rest} more.`
        : `One of ${values.length}: ${values.join(", ")}.`;
    },
    field: (plan, part) => {
      const { values } = stated(plan, part);
      return values.length > MOST_RADIOS ? menuField(part, values) : radioField(part, values);
    },
  },
  numeric: {
    asked: (plan, part) => {
      const { bins, exponent } = stated(plan, part);
      const whole = `A number from ${between(rangesOf(plan, part)[0])}`;
      if (!bins) return `${whole}.`;
      const edges = bins.map((/** @type {number} */ edge) => number(Number(`${edge}e${exponent}`)));
      return `${whole}, reported as one of ${bins.length - 1} groups that begin at ${listed(edges.slice(0, -1))}.`;
    },
    field: numberField,
  },
  text: { asked: () => "Any text.", field: (_, part) => textField(part) },
};

/** What kind of answer is asked for. @param {Plan} plan @param {string} part */
export const asked = (plan, part) => KINDS[stated(plan, part).kind].asked(plan, part);

/**
 * The field for an answer.
 * @param {Plan} plan
 * @param {string} part
 * @param {number} place of the range on its menu
 */
export const fieldOf = (plan, part, place) => KINDS[stated(plan, part).kind].field(plan, part, place);

/** @param {string} part @param {string[]} values @returns {Field} */
function radioField(part, values) {
  const [name, error] = [newId("answer"), errorPlace()];
  const inputs = values.map((value) => el("input", { type: "radio", name, value }));
  const element = el(
    "fieldset",
    { class: "card answer", role: "radiogroup", "aria-required": "true" },
    el("legend", {}, part),
    el("div", { class: "options" }, ...inputs.map((input) => el("label", {}, input, input.value))),
    error,
  );
  return {
    part,
    element,
    value: () => inputs.find(({ checked }) => checked)?.value ?? "",
    fail: (text) => showError(error, text, { control: element }),
    focus: () => inputs[0].focus(),
  };
}

/** @param {string} part @param {string[]} values @returns {Field} */
function menuField(part, values) {
  const [id, error] = [newId("answer"), errorPlace()];
  const select = el(
    "select",
    { id, "aria-required": "true", autocomplete: "off" },
    el("option", { value: "" }, "Choose…"),
    ...values.map((value) => el("option", { value }, value)),
  );
  return {
    part,
    element: el(
      "div",
      { class: "card field answer" },
      el("label", { for: id }, part),
      select,
      error,
    ),
    value: () => select.value,
    fail: (text) => showError(error, text, { control: select }),
    focus: () => select.focus(),
  };
}

/**
 * The browser is to change nothing that is typed, and to ask no service of its own how it is spelled.
 * @param {string} part
 * @returns {Field}
 */
function textField(part) {
  const field = typedField(
    part,
    { maxlength: LONGEST, autocapitalize: "off", autocorrect: "off", spellcheck: "false" },
    "Any text. Write it as others would: only what is spelled alike counts as the same.",
  );
  return { ...field, value: () => field.value().trim() };
}

/**
 * @param {Plan} plan
 * @param {string} part
 * @param {number} place
 * @returns {Field}
 */
function numberField(plan, part, place) {
  const { step: stride, exponent, bins } = stated(plan, part);
  const steps = number(Number(`${stride}e${exponent}`));
  return typedField(
    part,
    { inputmode: "decimal" },
    `A number from ${between(rangesOf(plan, part)[place])}. One outside is moved to the nearer end${bins ? "; only its group is reported" : `, one between steps of ${steps} to a step beside it`}.`,
  );
}

/**
 * @param {string} part
 * @param {Record<string, string | number>} attributes
 * @param {string} note
 * @returns {Field}
 */
function typedField(part, attributes, note) {
  const [id, error] = [newId("answer"), errorPlace()];
  const hint = `${id}-hint`;
  const input = el("input", {
    id,
    type: "text",
    autocomplete: "off",
    ...attributes,
    "aria-required": "true",
    "aria-describedby": hint,
  });
  const element = el(
    "div",
    { class: "card field answer" },
    el("label", { for: id }, part),
    input,
    error,
    el("p", { class: "note", id: hint }, note),
  );
  return {
    part,
    element,
    value: () => input.value,
    fail: (text) => showError(error, text, { control: input, hint }),
    focus: () => input.focus(),
  };
}
