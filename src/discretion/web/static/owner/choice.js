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
 *   fail: (text: string) => void,
 *   focus: () => void,
 * }} Card ``refresh``: for so many attributes shared
 */

import { meaning } from "../device/meaning.js";
import { dots, draw } from "./dots.js";
import { el, errorPlace, fill, newId, say, set, showError } from "./elements.js";
import { asked } from "./fields.js";
import { spoken } from "./problems.js";
import {
  between,
  called,
  isOpen,
  listed,
  pictured,
  protection,
  rangesOf,
  sensitiveOf,
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
 * @returns {Card}
 */
export function card({ plan, survey }, name, choice, earlier, changed) {
  const { parts, variant, menu, gridded } = plan.question(name);
  const title = called(plan, name);
  const stops = (survey.stops[name] ?? []).filter(({ level }) => menu.includes(level));
  const mean = parts.length === 1 && gridded;
  let levels = stops.map((stop) => stop.level);
  let bound = 0;

  const named = newId("strength");
  const slider = el("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": `How much ${listed(parts)} may reveal`,
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
  const ranges = rangeMenu();
  const consent = isOpen(plan, name) ? consentBox() : null;
  const more = el(
    "div",
    { class: "level", hidden: true },
    el("div", { class: "dial" }, strong, slider, ticks, ranges),
    el("div", { class: "means" }, picture, el("div", {}, sentence, sure, effect)),
    consent && el("label", { class: "consent" }, consent, consentText()),
  );
  const [leave, share] = [radio("Leave out", false), radio("Share", true)];
  const element = el(
    "fieldset",
    { class: "choice card" },
    el("legend", {}, title),
    ...parts.map((part) =>
      el("p", { class: "note" }, (parts.length > 1 ? `${part}: ` : "") + asked(plan, part)),
    ),
    ...parts.map((part) => {
      const before = earlier(part);
      return before !== undefined && el("p", { class: "notice" }, again(part, before));
    }),
    el("div", { class: "pair" }, leave, share),
    more,
    error,
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
      fill(strong, el("strong", {}, how), rest);
      draw(picture, picturing);
      say(sentence, picturing.text);
      say(sure, worst(meant));
      say(effect, worth(stops.find((stop) => stop.level === at)?.people ?? null, mean));
    },
    fail(text) {
      for (const control of [slider, consent])
        if (control) showError(error, control === faulty() ? text : "", { control });
      showError(error, text);
      set(element, "aria-describedby", text ? error.id : null);
    },
    focus: () => (more.hidden ? leave.querySelector("input") : faulty())?.focus(),
  };

  /** What an error belongs to. */
  function faulty() {
    if (consent && !consent.checked) return consent;
    return slider.hidden ? leave.querySelector("input") : slider;
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
    return `I allow open reports here. A report that names an answer other than ${sensitiveOf(plan, name)} is open: it is true, whoever reads it knows that answer, and no level or limit bounds that.`;
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
    const pairs = rangesOf(plan, only);
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
      ...pairs.map((ends, place) =>
        el("option", { value: place, selected: place === choice.place }, between(ends)),
      ),
    );
    return el(
      "div",
      { class: "field" },
      el("label", { for: id }, `Range for ${title}`),
      select,
      el(
        "p",
        { class: "note", id: `${id}-note` },
        "A narrower one reveals more with the same protection. Numbers outside of it are moved to its nearer end. The report names it: choose it whatever your answer is.",
      ),
    );
  }
}

/** @param {string} part @param {string} before */
const again = (part, before) =>
  part === before
    ? `You have answered “${part}” here before, in another survey or before this one changed. Chance is drawn anew for this survey, so both reports together reveal more than one.`
    : `You have answered “${before}” here before, with the same list of answers. If “${part}” asks the same, both reports together reveal more than one.`;

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
 * What stands below the slider: names, and the levels where names do not tell them apart.
 * @param {number[]} levels
 */
function labels(levels) {
  const names = levels.map(strength);
  return new Set(names).size === names.length
    ? names
    : names.map((name, i) => `${name} ${sum(levels[i])}`);
}
