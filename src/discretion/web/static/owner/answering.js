/**
 * Step 3: the answers to what is shared. They stay on this device; what was answered is kept with the draw, so that it is not drawn again.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("../device/budget.js").Budget} Budget
 * @typedef {Record<string, string>} Answers by attribute
 * @typedef {import("./fields.js").Field} Field
 */

import { refuse } from "../device/errors.js";
import { button, el, say, step } from "./elements.js";
import { fieldOf } from "./fields.js";
import { invitationField } from "./invitation.js";
import { messageFor } from "./problems.js";
import { called, counted, linked } from "./words.js";

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
