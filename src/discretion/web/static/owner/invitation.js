/** A field for the code of an invitation, where the collector wants one. */

import { el, errorPlace, newId, showError } from "./elements.js";
import { texts } from "./language.js";
import { joined } from "./words.js";

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
