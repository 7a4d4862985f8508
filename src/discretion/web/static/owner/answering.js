/**
 * Step 3: the answers to what is shared. They stay on this device; what was answered is kept with the draw, so that it is not drawn again.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("../device/budget.js").Budget} Budget
 * @typedef {Record<string, string>} Answers by attribute
 * @typedef {{part: string, element: HTMLElement, value: () => string, fail: (text: string) => void,
 *   focus: () => void}} Field
 */

import { refuse } from "../device/errors.js";
import { button, el, errorPlace, newId, say, showError, step } from "./elements.js";
import { invitationField } from "./invitation.js";
import { messageFor } from "./problems.js";
import { between, called, counted, linked, number, rangesOf, stated } from "./words.js";

const MOST_RADIOS = 7; // answers that are shown side by side
const LONGEST = 500; // characters of a text
const LINKED = " But your report is made with it: whoever knows the code can identify your report.";

/**
 * @param {Session} session
 * @param {Budget} budget
 * @param {{back: () => void, seal: (answers: Answers) => Promise<string>}} go ``seal`` says what went
 *   wrong, if anything did
 */
export function answering(session, budget, { back, seal }) {
  const { plan } = session;
  const fields = [...budget.levels.keys()].flatMap((name) =>
    plan.question(name).parts.map((part) => fieldOf(plan, part, budget.ranges.get(name) ?? 0)),
  );
  const wrong = el("p", { class: "error", role: "alert" });
  const state = el("p", { role: "status" });
  const invite = invitationField(LINKED);
  let busy = false;
  let pressed = false;

  const press = async () => {
    pressed = true;
    const failed = fields.filter((field) => !fits(field, budget));
    say(
      wrong,
      failed.length
        ? `${counted(failed.length, "answer needs", "answers need")} another look.`
        : "",
    );
    failed[0]?.focus();
    if (failed.length || busy) return;
    busy = true;
    session.token ||= invite.code();
    say(state, "Your report is being drawn and sealed…");
    say(wrong, await seal(Object.fromEntries(fields.map(({ part, value }) => [part, value()]))));
    say(state, "");
    askForCode();
    busy = false;
  };
  for (const field of fields) {
    field.element.addEventListener("input", () => pressed && fits(field, budget));
  }
  askForCode();
  return step(
    "Your answers",
    3,
    el(
      "p",
      {},
      "Your answers stay on this device. What leaves it later is drawn from them by chance.",
    ),
    ...[...budget.levels.keys()].map((name) => group(name)),
    el(
      "p",
      {},
      "Sealing draws your report and keeps it on this device. You will see all of it before you send it. It is drawn once: a second draw would reveal more than the first.",
    ),
    invite.element,
    wrong,
    state,
    el(
      "p",
      { class: "actions" },
      button("Seal my report", () => void press(), "main"),
      button("Back to what I share", back),
    ),
    el(
      "p",
      { class: "note" },
      "Going back clears what is answered here: what you share must not depend on it.",
    ),
  );

  /** Show the field for an invitation where the report is made with one, and there is none. */
  function askForCode() {
    const needed = [...budget.levels.keys()].some((name) => linked(plan, name));
    invite.element.hidden = !needed || Boolean(session.token);
  }

  /** @param {string} name */
  function group(name) {
    const { parts } = plan.question(name);
    const own = fields.filter(({ part }) => parts.includes(part)).map(({ element }) => element);
    return parts.length < 2
      ? own[0]
      : el("fieldset", { class: "card" }, el("legend", {}, called(plan, name)), ...own);
  }

  /** @param {Field} field @param {Budget} budget */
  function fits({ part, value, fail }, budget) {
    try {
      if (!value().trim()) refuse("missing_value", part);
      plan
        .question(part)
        .within(budget.ranges.get(part) ?? 0)
        .answer(value());
      fail("");
      return true;
    } catch (error) {
      fail(messageFor(error));
      return false;
    }
  }
}

/**
 * @param {import("./session.js").Plan} plan
 * @param {string} part
 * @param {number} place
 * @returns {Field}
 */
function fieldOf(plan, part, place) {
  const { kind, values } = stated(plan, part);
  if (kind === "text") return textField(part);
  if (!values) return numberField(plan, part, place);
  return values.length > MOST_RADIOS ? menuField(part, values) : radioField(part, values);
}

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
 * @param {import("./session.js").Plan} plan
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
