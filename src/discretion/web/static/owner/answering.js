/**
 * Step 3: the answers to what is shared. They stay on this device; what was answered is kept with the draw, so that it is not drawn again.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./session.js").Plan} Plan
 * @typedef {import("../device/budget.js").Budget} Budget
 * @typedef {Record<string, string>} Answers by attribute
 * @typedef {import("./fields.js").Field} Field
 */

import { refuse } from "../device/errors.js";
import { placeOf, undisclosed } from "./applying.js";
import { changedAnswers } from "./changed.js";
import { button, el, say, step } from "./elements.js";
import { fieldOf } from "./fields.js";
import { invitationField } from "./invitation.js";
import { texts } from "./language.js";
import { messageFor } from "./problems.js";
import { sectionsOf, worded } from "./wording.js";
import { called, joined, linked } from "./words.js";

/**
 * @param {Session} session
 * @param {Budget} budget
 * @param {Answers} given so far, which is changed here
 * @param {{back: () => void, seal: (answers: Answers) => Promise<unknown>}} go ``seal`` gives what went
 *   wrong, if anything did
 */
export function answering(session, budget, given, { back, seal }) {
  const { plan } = session;
  const names = [...budget.levels.keys()];
  const apart = undisclosed(plan, names);
  const fields = [...names, ...apart].flatMap((name) =>
    plan
      .question(name)
      .parts.map((part) => fieldOf(plan, part, budget.ranges.get(name) ?? 0, given[part] ?? "")),
  );
  const places = new Map(fields.map((field) => [field.part, placeOf(plan, field)]));
  const changes = el("p", { role: "status", class: "unseen" });
  const wrong = el("p", { class: "error", role: "alert" });
  const state = el("p", { role: "status" });
  const invite = invitationField(texts.invitation.linked);
  const odd = changedAnswers(plan, budget, fields, () => void draw());
  let busy = false;
  let pressed = false;

  const press = () => {
    pressed = true;
    odd.hide();
    const failed = fields.filter((field) => isAsked(field) && !fits(field));
    say(wrong, failed.length ? texts.answering.wrong(failed.length) : "");
    failed[0]?.focus();
    if (!failed.length && !busy && !odd.show(values())) void draw();
  };
  const draw = async () => {
    if (busy) return;
    busy = true;
    odd.hide();
    session.token ||= invite.code();
    say(state, texts.answering.busy);
    const problem = await seal(values());
    say(wrong, problem ? messageFor(problem) : "");
    say(state, "");
    askForCode();
    busy = false;
  };
  for (const field of fields) {
    field.element.addEventListener("input", () => {
      given[field.part] = field.entered();
      if (pressed) fits(field);
      say(wrong, ""); // it counted what was wrong when the button was pressed
      odd.hide();
      adapt();
    });
  }
  adapt();
  say(changes, ""); // nothing has changed yet
  askForCode();
  return step(
    texts.answering.title,
    3,
    el("p", {}, texts.answering.first),
    ...sectionsOf(plan, [...plan.questions.keys()].filter((name) => names.includes(name) || apart.includes(name))).flatMap(({ title, names }) => [
      title ? worded(plan, "h3", {}, title) : null,
      ...names.map(group),
    ]),
    changes,
    el("p", {}, texts.answering.sealing),
    invite.element,
    wrong,
    odd.element,
    state,
    el(
      "p",
      { class: "actions" },
      button(texts.answering.seal, press, "main"),
      button(texts.answering.back, back),
    ),
    el("p", { class: "note" }, texts.answering.backNote),
  );

  /** What is answered so far, as a device takes it. */
  function values() {
    return Object.fromEntries(fields.map(({ part, value }) => [part, value()]));
  }

  /** Show the field for an invitation where the report is made with one, and there is none. */
  function askForCode() {
    const needed = names.some((name) => linked(plan, name));
    invite.element.hidden = !needed || Boolean(session.token);
  }

  /** Whether a field is shown: its question applies. @param {Field} field */
  function isAsked({ part }) {
    return places.get(part)?.applies() === "yes";
  }

  /** Show what applies by what is answered so far, and say what has changed. */
  function adapt() {
    const answers = values();
    const changed = [...places.values()].map((place) => place.adapt(answers)).filter(Boolean);
    if (changed.length) say(changes, joined(...changed));
  }

  /** @param {string} name */
  function group(name) {
    const { parts } = plan.question(name);
    const own = parts.map((part) => places.get(part)?.element);
    if (apart.includes(name)) return el("div", {}, ...own, el("p", { class: "note" }, texts.answering.decides));
    return parts.length < 2
      ? own[0]
      : el("fieldset", { class: "card" }, el("legend", {}, called(plan, name)), ...own);
  }

  /** @param {Field} field */
  function fits({ part, value, fail, check }) {
    try {
      const said = value();
      if (typeof said === "string" && !said.trim()) refuse("missing_value", part);
      check?.();
      plan
        .question(part)
        .within(budget.ranges.get(part) ?? 0)
        .answer(said);
      fail("");
      return true;
    } catch (error) {
      fail(messageFor(error));
      return false;
    }
  }
}
