/**
 * One question: leave it out, or share it, and then how much it may reveal.
 *
 * @typedef {import("./session.js").Session} Session
 * @typedef {{shared: boolean, level: number | null, place: number, open: boolean}} Choice ``level``: null
 *   until the slider is moved, which means the strongest protection that the survey takes; ``place``:
 *   of the range; ``open``: whether answers that are not protected may be sent as they are
 * @typedef {{
 *   name: string,
 *   element: HTMLElement,
 *   level: () => number,
 *   refresh: (shared: number) => void,
 *   fail: (text: string, mends: boolean) => void,
 *   focus: () => void,
 * }} Card ``refresh``: for so many attributes shared; ``fail``: with a button for lower
 *   levels where that mends it
 */

import { meaning } from "../device/meaning.js";
import { dots, draw } from "./dots.js";
import { button, el, errorPlace, fill, newId, say, set, showError } from "./elements.js";
import { asked } from "./fields.js";
import { texts } from "./language.js";
import { helpOf, questionOf, stated, worded } from "./wording.js";
import {
  between,
  called,
  isOpen,
  joined,
  mentioned,
  number,
  pictured,
  protection,
  quoted,
  rangesOf,
  sensitiveOf,
  spoken,
  strength,
  sum,
  worst,
  worth,
} from "./words.js";

/**
 * @param {Session} session
 * @param {string} name
 * @param {Choice} choice what was chosen, which is changed here
 * @param {import("./account.js").Earlier} earlier
 * @param {() => void} changed
 * @param {(focus: () => void) => void} lower take levels that fit
 * @returns {Card}
 */
export function card({ plan, survey }, name, choice, earlier, changed, lower) {
  const { parts, variant, menu, gridded } = plan.question(name);
  const stops = (survey.stops[name] ?? []).filter(({ level }) => menu.includes(level));
  const mean = parts.length === 1 && gridded;
  let levels = stops.map((stop) => stop.level);
  let bound = 0;

  const named = newId("strength");
  const slider = el("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": texts.choice.slider(mentioned(plan, parts)),
    oninput: () => {
      choice.level = levels[Number(slider.value)];
      changed();
    },
  });
  const ticks = el("div", { class: "ticks", "aria-hidden": true });
  const strong = el("p", { class: "strength", id: named });
  const picture = dots();
  const [sentence, sure, effect] = [
    el("p"),
    el("p", { class: "worst" }),
    el("p", { class: "note" }),
  ];
  const error = errorPlace();
  const mend = el("p", { class: "actions", hidden: true }, button(texts.choosing.scale, () => lower(focus)));
  const ranges = rangeMenu();
  const consent = isOpen(plan, name) ? consentBox() : null;
  const more = el(
    "div",
    { class: "level", hidden: true },
    el("div", { class: "dial" }, strong, slider, ticks, ranges),
    el("div", { class: "means" }, picture, el("div", {}, sentence, sure, effect)),
    consent && el("label", { class: "consent" }, consent, consentText()),
  );
  const known = parts.map((part) => ({ part, before: earlier(part), notice: el("p", { class: "notice" }) }));
  const [leave, share] = [radio(texts.choice.leave, false), radio(texts.choice.share, true)];
  const element = el(
    "fieldset",
    { class: "choice card" },
    worded(plan, "legend", {}, called(plan, name)),
    ...parts.map((part) => helpOf(plan, part) && worded(plan, "p", { class: "help" }, helpOf(plan, part))),
    ...asked(plan, name).map((kind) => el("p", { class: "note" }, kind)),
    ...known.map(({ before, notice }) => before && notice),
    el("div", { class: "pair" }, leave, share),
    more,
    error,
    mend,
  );

  /** The level that counts: the chosen one, or the strongest that may be. */
  const level = () =>
    choice.level ?? levels.find((each) => each >= bound) ?? levels[levels.length - 1];

  return {
    name,
    element,
    level,
    refresh(shared) {
      bound = parts.length * plan.policy.least(Math.max(shared, plan.least, parts.length));
      levels = stopsFrom(stops, menu, bound, choice.level);
      more.hidden = !choice.shared;
      for (const { part, before, notice } of known) if (before) say(notice, again(part, before));
      radioIn(leave).checked = !choice.shared;
      radioIn(share).checked = choice.shared;
      if (!choice.shared) return;
      const at = level();
      const meant = meaning(plan, name, at, choice.place);
      const picturing = pictured(meant);
      slider.max = `${levels.length - 1}`;
      slider.value = `${levels.indexOf(at)}`;
      slider.hidden = ticks.hidden = levels.length < 2;
      set(slider, "aria-valuetext", spoken(meant, at));
      fill(
        ticks,
        ...(variant ? levels.map(sum) : labels(levels)).map((label, i) =>
          el("span", {}, el("span", { class: levels[i] === at && "here" }, label)),
        ),
      );
      const [how, rest] = protection(meant, at);
      fill(strong, el("strong", {}, how), ` ${rest}`);
      draw(picture, picturing);
      say(sentence, picturing.text);
      say(sure, worst(plan, name, meant));
      say(effect, worth(stops.find((stop) => stop.level === at)?.people ?? null, mean));
    },
    fail(text, mends) {
      for (const control of [slider, consent])
        if (control) showError(error, control === faulty() ? text : "", { control });
      showError(error, text);
      set(element, "aria-describedby", text ? error.id : null);
      mend.hidden = !(text && mends);
    },
    focus,
  };

  function focus() {
    (more.hidden ? radioIn(leave) : faulty()).focus();
  }

  /**
   * What was answered before, and what this report adds.
   * @param {string} part @param {{name: string, level: number}} before
   */
  function again(part, { name: before, level: charged }) {
    const question = quoted(questionOf(plan, part));
    const adds = plan.question(name).cost(level());
    return joined(
      part === before ? texts.choice.again(question) : texts.choice.alike(question, quoted(before)),
      choice.shared && texts.choice.adds(sum(charged), sum(adds), sum(charged + adds)),
    );
  }

  /** What an error belongs to. */
  function faulty() {
    if (consent && !consent.checked) return consent;
    return slider.hidden ? radioIn(leave) : slider;
  }

  function consentBox() {
    const box = el("input", {
      type: "checkbox",
      checked: choice.open,
      onchange: () => {
        choice.open = box.checked;
        changed();
      },
    });
    return box;
  }

  function consentText() {
    return texts.choice.consent(texts.list(sensitiveOf(plan, name)));
  }

  /** @param {string} label @param {boolean} shared */
  function radio(label, shared) {
    const input = el("input", {
      type: "radio",
      name: `share-${named}`,
      checked: choice.shared === shared,
      onchange: () => {
        choice.shared = shared;
        changed();
      },
    });
    return el("label", {}, input, label);
  }

  /** A menu of ranges, where there is more than one. */
  function rangeMenu() {
    const [only, more] = parts;
    if (more || plan.question(name).ranges.length < 2) return null;
    const { ranges } = plan.question(name);
    const long = stated(plan, only).length;
    const say = long ? texts.entries : texts.choice;
    const named = (/** @type {number} */ at) =>
      long ? number(long[at]) : between(plan, only, rangesOf(plan, only)[at]);
    const id = newId("range");
    const select = el(
      "select",
      {
        id,
        "aria-describedby": `${id}-note`,
        onchange: () => {
          choice.place = Number(select.value);
          changed();
        },
      },
      ...ranges.map((_, place) => el("option", { value: place, selected: place === choice.place }, named(place))),
    );
    return el(
      "div",
      { class: "field" },
      el("label", { for: id }, say.range(mentioned(plan, [only])[0])),
      select,
      el(
        "p",
        { class: "note", id: `${id}-note` },
        say.rangeNote,
      ),
    );
  }
}

/** @param {HTMLElement} label @returns {HTMLInputElement} */
const radioIn = (label) => /** @type {HTMLInputElement} */ (label.querySelector("input"));

/**
 * The stops that may be chosen from: those of the survey that are not too low, the lowest that may
 * be, and the one that was chosen.
 * @param {import("./session.js").Stop[]} stops @param {number[]} menu @param {number} bound
 * @param {number | null} chosen
 */
function stopsFrom(stops, menu, bound, chosen) {
  const enough = stops.map((stop) => stop.level).filter((level) => level >= bound);
  const first = menu.find((level) => level >= bound) ?? menu[menu.length - 1];
  if (!enough.length || bound > stops[0].level) enough.push(first);
  if (chosen !== null) enough.push(chosen);
  return [...new Set(enough)].sort((a, b) => a - b);
}

/**
 * What stands below the slider: names, and the levels where names do not tell them apart. A name
 * stands once: again beside itself, it would run into itself on a phone.
 * @param {number[]} levels
 */
function labels(levels) {
  const names = levels.map(strength);
  return new Set(names).size === names.length
    ? names
    : names.map((name, i) => joined(name === names[i - 1] ? "\u00a0" : name, sum(levels[i])));
}
