/**
 * Step 2: what to share and how much it may reveal, before any answer is asked for.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("./choice.js").Choice} Choice
 * @typedef {import("../device/budget.js").Budget} Budget
 */

import { budgetOf, DiscretionError } from "../device/index.js";
import { card } from "./choice.js";
import { button, el, say, step } from "./elements.js";
import { messageFor } from "./problems.js";
import { rules, total } from "./total.js";
import { isOpen, rangesOf } from "./words.js";

const HASTY = ["too_few_attributes", "open_outputs"]; // what is no mistake before the button is pressed

/** @type {Choice} */
const LEFT_OUT = { shared: false, level: null, place: 0, open: false };

/**
 * Nothing is shared before somebody says so.
 * @param {Session} session
 * @returns {Map<string, Choice>}
 */
export const nothing = ({ names }) =>
  new Map(names.map((name) => [name, { ...LEFT_OUT }]));

/**
 * @param {Session} session @param {Map<string, Choice>} choices which are changed here
 * @param {import("./account.js").Account} account @param {import("./account.js").Earlier} earlier
 * @param {{back: () => void, next: (budget: Budget) => void}} go
 */
export function choosing(session, choices, account, earlier, { back, next }) {
  const { plan, names } = session;
  let pressed = false;
  const all = total(session, account, () => refresh());
  const cards = names.map((name) => 
    card(session, name, choiceOf(name), earlier, () => refresh()),
  );
  const wrong = el("p", { class: "error", role: "alert" });

  const press = () => {
    pressed = true;
    const budget = refresh();
    if (budget) return next(budget);
    say(wrong, "Something has to be changed first: see the message above.");
    return (cards.find(({ element }) => element.hasAttribute("aria-describedby")) ?? all).focus();
  };
  const section = step(
    "Choose what to share",
    2,
    el(
      "p",
      {},
      "You will be asked for your answers after this, and only for those that you share.",
    ),
    el("p", {}, rules(plan)),
    ...cards.map(({ element }) => element),
    all.element,
    wrong,
    el(
      "p",
      { class: "actions" },
      button("Go on to the questions", press, "main"),
      button("Back to what is asked", back),
    ),
  );
  refresh();
  return section;

  /** @param {string} name @returns {Choice} */
  function choiceOf(name) {
    return choices.get(name) ?? LEFT_OUT;
  }

  /** Show what the choices mean, and what is wrong with them. @returns {Budget | null} */
  function refresh() {
    const shared = cards.filter(({ name }) => choiceOf(name).shared);
    const count = shared.reduce((sum, { name }) => sum + plan.question(name).parts.length, 0);
    for (const each of cards) each.refresh(count);
    const [budget, error] = tried(shared);
    const owner = error?.field ? culprit(shared, error.field) : undefined;
    const early = !pressed && error && HASTY.includes(error.reason);
    for (const each of cards) each.fail(error && each === owner && !early ? messageFor(error) : "");
    all.fail(error && !owner && !early ? messageFor(error) : "");
    all.refresh(shared.map((each) => [each.name, each.level()]));
    if (!error) say(wrong, "");
    return budget;
  }

  /**
   * @param {import("./choice.js").Card[]} shared
   * @returns {[Budget | null, DiscretionError | null]}
   */
  function tried(shared) {
    const epsilons = new Map(shared.map((each) => [each.name, each.level() / 1000]));
    const ranges = new Map(
      shared
        .filter(({ name }) => choiceOf(name).place)
        .map(({ name }) => [name, rangesOf(plan, name)[choiceOf(name).place]]),
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
   * The last question that the field of an error belongs to.
   * @param {import("./choice.js").Card[]} shared
   * @param {string} field
   */
  function culprit(shared, field) {
    const whose = shared.filter(
      ({ name }) => name === field || plan.question(name).parts.includes(field),
    );
    return whose[whose.length - 1];
  }
}
