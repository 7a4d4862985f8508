/**
 * Step 2: what to share and how much it may reveal, before any answer is asked for.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./choice.js").Choice} Choice
 * @typedef {import("./choice.js").Card} Card
 * @typedef {import("./presets.js").Levels} Levels
 * @typedef {import("../device/budget.js").Budget} Budget
 */

import { budgetOf, DiscretionError } from "../device/index.js";
import { together } from "../device/meaning.js";
import { card } from "./choice.js";
import { button, el, say, step } from "./elements.js";
import { texts } from "./language.js";
import { balanced, even, lowered } from "./presets.js";
import { messageFor } from "./problems.js";
import { total } from "./total.js";
import { sectionsOf, worded } from "./wording.js";
import { choiceAt, isOpen, joined, percent, sum } from "./words.js";

const HASTY = ["too_few_attributes", "open_outputs"]; // what is no mistake before the button is pressed
const OVER = ["over_budget", "over_limit"]; // what lower levels mend
const EXAMPLES = [500, 1000, 2000]; // levels

/** @type {Choice} */
const LEFT_OUT = { shared: false, level: null, place: 0, open: false };

/**
 * Nothing is shared before somebody says so.
 * @param {Session} session
 * @returns {Map<string, Choice>}
 */
export const nothing = ({ names }) => new Map(names.map((name) => [name, { ...LEFT_OUT }]));

/**
 * Share these at these levels, and nothing else.
 * @param {Map<string, Choice>} choices which are changed
 * @param {Levels} levels
 */
export function preset(choices, levels) {
  for (const [name, choice] of choices)
    Object.assign(choice, { shared: levels.has(name), level: levels.get(name) ?? null });
}

/**
 * @param {Session} session @param {Map<string, Choice>} choices which are changed here
 * @param {import("./account.js").Account} account @param {import("./account.js").Earlier} earlier
 * @param {{back: () => void, next: (budget: Budget) => void}} go
 */
export function choosing(session, choices, account, earlier, { back, next }) {
  const { plan, names } = session;
  let pressed = false;
  /** @type {string | undefined} the question that was changed last */
  let last;
  /** @type {Levels | null} lower ones that fit, where these do not */
  let fitting = null;
  const all = total(session, account, () => refresh(), lower);
  const sections = sectionsOf(plan, names).map(({ title, names }) => ({
    title,
    cards: names.map((name) => card(session, name, choiceOf(name), earlier, () => changed(name), lower)),
  }));
  const cards = sections.flatMap((section) => section.cards);
  const wrong = el("p", { class: "error", role: "alert" });
  const done = el("p", { role: "status" });
  const evenly = button("", () => divide());
  const evened = balanced(plan, names);

  const press = () => {
    pressed = true;
    const budget = refresh();
    if (budget) return next(budget);
    say(wrong, texts.choosing.wrong);
    return (cards.find(({ element }) => element.hasAttribute("aria-describedby")) ?? all).focus();
  };
  const section = step(
    texts.choosing.title,
    2,
    el("p", {}, texts.choosing.first),
    el("p", {}, texts.choosing.level(EXAMPLES.map((level) => [sum(level), percent(together([level]).sure)]))),
    el("p", {}, rules(plan)),
    el(
      "div",
      { class: "presets", role: "group", "aria-label": texts.choosing.presets },
      evened && button(texts.choosing.balanced, () => take(evened, texts.choosing.done.balanced)),
      evenly,
      done,
    ),
    ...sections.flatMap(({ title, cards }) => [
      title ? worded(plan, "h3", {}, title) : null,
      ...cards.map(({ element }) => element),
    ]),
    all.element,
    wrong,
    el(
      "p",
      { class: "actions" },
      button(texts.choosing.next, press, "main"),
      button(texts.choosing.back, back),
    ),
  );
  refresh();
  return section;

  /** @param {string} name @returns {Choice} */
  function choiceOf(name) {
    return choices.get(name) ?? LEFT_OUT;
  }

  /** @param {string} name */
  function changed(name) {
    last = name;
    say(done, "");
    refresh();
  }

  /** @param {Levels} levels @param {string} what happened */
  function take(levels, what) {
    last = undefined;
    preset(choices, levels);
    refresh();
    say(done, what);
  }

  function divide() {
    const levels = even(plan, sharedNames());
    if (levels) take(levels, texts.choosing.done.evenly);
  }

  /** Levels that fit, and the focus where it was: the button is gone then. @param {() => void} focus */
  function lower(focus) {
    if (!fitting) return;
    take(fitting, texts.choosing.done.scaled);
    focus();
  }

  /** What is shared; all of it where nothing is yet. */
  function sharedNames() {
    const shared = names.filter((name) => choiceOf(name).shared);
    return shared.length ? shared : names;
  }

  /** Show what the choices mean, and what is wrong with them. @returns {Budget | null} */
  function refresh() {
    const shared = cards.filter(({ name }) => choiceOf(name).shared);
    const count = shared.reduce((sum, { name }) => sum + plan.question(name).parts.length, 0);
    for (const each of cards) each.refresh(count);
    const [budget, error] = tried(shared);
    const early = !pressed && error && HASTY.includes(error.reason);
    const message = error && !early ? messageFor(error) : "";
    const over = error && OVER.includes(error.reason);
    fitting = over ? fits(shared, error) : null;
    const owner = over ? shared.find(({ name }) => name === last) : culprit(shared, error);
    for (const each of cards) each.fail(each === owner ? message : "", Boolean(fitting));
    all.fail(owner && !over ? "" : message, Boolean(fitting));
    all.refresh(shared.map((each) => [each.name, each.level()]));
    say(evenly, shared.length ? texts.choosing.evenly : texts.choosing.evenlyAll);
    evenly.hidden = !even(plan, sharedNames());
    if (!error) say(wrong, "");
    return budget;
  }

  /** @param {Card[]} shared @param {DiscretionError} error */
  function fits(shared, { value, bound }) {
    const levels = new Map(shared.map((each) => [each.name, each.level()]));
    const sums = [...levels.values()].reduce((all, level) => all + level, 0);
    return lowered(plan, levels, sums - (Number(value) - Number(bound)));
  }

  /**
   * @param {Card[]} shared
   * @returns {[Budget | null, DiscretionError | null]}
   */
  function tried(shared) {
    const epsilons = new Map(shared.map((each) => [each.name, each.level() / 1000]));
    const ranges = new Map(
      shared
        .filter(({ name }) => choiceOf(name).place)
        .map(({ name }) => [name, choiceAt(plan, name, choiceOf(name).place)]),
    );
    try {
      const budget = budgetOf(plan, epsilons, ranges);
      const closed = shared.find(({ name }) => isOpen(plan, name) && !choiceOf(name).open);
      if (closed) throw new DiscretionError("open_outputs", closed.name);
      all.check([...budget.levels]);
      return [budget, null];
    } catch (error) {
      if (error instanceof DiscretionError) return [null, error];
      throw error;
    }
  }

  /**
   * The last question that an error belongs to.
   * @param {Card[]} shared
   * @param {DiscretionError | null} error
   */
  function culprit(shared, error) {
    const field = error?.field ?? "";
    return shared
      .filter(({ name }) => name === field || plan.question(name).parts.includes(field))
      .at(-1);
  }
}

/** What a survey asks of the whole. @param {import("./session.js").Plan} plan */
function rules({ least, policy, secret }) {
  const [one, two] = [policy.allowance(1), policy.allowance(2)];
  const { choosing } = texts;
  const sums = one === two ? choosing.sums : choosing.sumsEach;
  return joined(
    choosing.least(least),
    one < Infinity && sums(sum(one)),
    !secret && choosing.disclosed,
  );
}
