/**
 * An invitation: a field for its code, where the collector wants one, and what is said when it sends
 * no report.
 *
 * @typedef {import("./session.js").Plan} Plan
 */

import { el, errorPlace, newId, showError, step } from "./elements.js";
import { texts } from "./language.js";
import { surveyText, worded } from "./wording.js";
import { joined } from "./words.js";

/**
 * @param {Plan} plan
 * @param {string} state used, revoked or unknown
 * @param {Node | null} more what stands at the end
 */
export function uninvited(plan, state, more) {
  const say = texts.invitation;
  const [title, why] = say.states[/** @type {keyof typeof say.states} */ (state)] ?? say.states.unknown;
  const contact = surveyText(plan, "contact");
  return step(
    title,
    null,
    el("p", { class: "notice", role: "status" }, why),
    el("p", {}, say.nothing),
    contact ? el("p", {}, say.ask) : null,
    contact ? worded(plan, "p", { class: "words card" }, contact) : null,
    more,
  );
}

/** @param {string} [more] what is to be said about it */
export function invitationField(more = "") {
  const [id, error] = [newId("token"), errorPlace()];
  const hint = `${id}-note`;
  const input = el("input", {
    id,
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    "aria-describedby": hint,
  });
  const fail = (/** @type {string} */ text) => showError(error, text, { control: input, hint });
  return {
    element: el(
      "div",
      { class: "field", hidden: true },
      el("label", { for: id }, texts.invitation.code),
      input,
      error,
      el(
        "p",
        { class: "note", id: hint },
        joined(texts.invitation.note, more),
      ),
    ),
    code: () => input.value.trim() || undefined,
    focus: () => input.getAttribute("aria-invalid") && input.focus(),
    fail,
  };
}
