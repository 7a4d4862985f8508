/**
 * How often an owner answers a plan that rotates: chosen once, before anything else; and what the page
 * says in a round that is not hers.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {import("../device/rounds.js").Rhythm} Rhythm
 */

import { dueFrom, menuOf, rhythmIn, rotate } from "../device/rounds.js";
import { button, el, newId, step } from "./elements.js";
import { texts } from "./language.js";
import { number } from "./words.js";

/**
 * What is shown in place of the survey: how often to answer, or that it is another owner's round; nothing
 * where it is hers.
 * @param {Session} session
 * @param {() => void} chosen when she has chosen
 * @returns {Promise<((early: Node | null) => HTMLElement) | undefined>}
 */
export async function outOfTurn({ store, plan, survey: { round } }, chosen) {
  if (round === null || !menuOf(plan).length) return undefined;
  const rhythm = await store((tx) => rhythmIn(tx, plan));
  if (!rhythm) return (early) => choosing(store, plan, chosen, early);
  const due = dueFrom(rhythm, round);
  return due === round ? undefined : (early) => resting(rhythm, due, early);
}

/** @param {Session["store"]} store @param {Session["plan"]} plan @param {() => void} chosen @param {Node | null} early */
function choosing(store, plan, chosen, early) {
  const say = texts.rhythm;
  const name = newId("every");
  const menu = menuOf(plan);
  const inputs = menu.map((every, i) =>
    el("input", { id: `${name}-${i}`, type: "radio", name, value: every, checked: i === menu.length - 1 }),
  );
  const press = async () => {
    const every = Number(inputs.find((input) => input.checked)?.value);
    await rotate(plan, store, every);
    chosen();
  };
  return step(
    say.title,
    null,
    el("p", {}, say.why),
    el(
      "fieldset",
      { class: "card" },
      el("legend", {}, say.choose),
      ...inputs.map((input, i) =>
        el("p", {}, input, " ", el("label", { for: input.id }, say.every(number(menu[i])))),
      ),
    ),
    el("p", { class: "note" }, say.once),
    el("p", { class: "actions" }, button(say.take, () => void press(), "main")),
    early,
  );
}

/** It is not the owner's round. @param {Rhythm} rhythm @param {number} due @param {Node | null} more */
const resting = ({ every }, due, more) =>
  step(
    texts.rhythm.notNow,
    null,
    el("p", { class: "notice", role: "status" }, texts.rhythm.next(number(every), number(due))),
    el("p", {}, texts.rhythm.missed),
    more,
  );
