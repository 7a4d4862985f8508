/**
 * Answers that do not fit, and what they count as: shown before a report is sealed, which is asked for
 * once more. Nothing is drawn, charged or sent as long as it is not.
 *
 * The page offers listed answers only, so these are numbers, dates and times of day outside their range.
 *
 * @typedef {import("./session.js").Plan} Plan
 * @typedef {import("../device/budget.js").Budget} Budget
 * @typedef {import("./fields.js").Field} Field
 */

import { changesOf } from "../device/index.js";
import { MOMENTS } from "../device/moments.js";
import { button, el, fill } from "./elements.js";
import { isolated, texts } from "./language.js";
import { stated } from "./wording.js";
import { measured, mentioned, rangesOf, written } from "./words.js";

/**
 * Where changed answers are shown.
 * @param {Plan} plan @param {Budget} budget @param {Field[]} fields
 * @param {() => void} go on with what was shown
 */
export function changedAnswers(plan, budget, fields, go) {
  const element = el("div", { class: "notice", tabindex: "-1", role: "group", hidden: true });
  const hide = () => {
    element.hidden = true;
    fill(element);
  };
  return {
    element,
    hide,
    /**
     * Show what changes in these answers; whether anything does.
     * @param {Record<string, string>} answers
     */
    show(answers) {
      const changes = changesOf(plan, answers, budget);
      if (!changes.length) return false;
      const [first] = changes;
      const say = texts.changed;
      const change = () => {
        hide();
        fields.find(({ part }) => part === first.attribute)?.focus();
      };
      fill(
        element,
        el("h3", {}, say.title),
        el("ul", {}, ...changes.map((each) => el("li", {}, described(each)))),
        el("p", {}, say.nothing),
        el("p", { class: "actions" }, button(say.change, change, "main"), button(say.go, go)),
      );
      element.hidden = false;
      element.focus();
      return true;
    },
  };

  /** @param {ReturnType<typeof changesOf>[number]} change */
  function described({ attribute, value, misfit }) {
    if (misfit === "entries") return texts.entries.nearer(mentioned(plan, [attribute])[0]);
    const [low, high] = rangesOf(plan, attribute)[budget.ranges.get(attribute) ?? 0];
    const [question] = mentioned(plan, [attribute]);
    const counts = measured(plan, attribute, misfit === "below" ? low : high);
    return texts.changed.counts(question, said(attribute, `${value}`), counts);
  }

  /** What was answered, as people write it. @param {string} attribute @param {string} value */
  function said(attribute, value) {
    const [over, under] = MOMENTS[stated(plan, attribute).kind]?.read(value) ?? [Number(value), 1];
    const found = Number(over) / Number(under);
    return Number.isFinite(found) ? written(plan, attribute, found) : isolated(value);
  }
}
