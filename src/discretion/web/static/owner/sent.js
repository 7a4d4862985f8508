/**
 * What a report says, in words: shown after it was sent, when nobody can choose by it any more.
 *
 * @typedef {import("./session.js").Plan} Plan
 * @typedef {{y: Uint8Array, level: number, range: number}} Answer
 */

import { bit, decoded, whole } from "../device/bytes.js";
import { lineOf } from "../device/laws/window.js";
import { meaning } from "../device/meaning.js";
import { el } from "./elements.js";
import { labelAt } from "./fields.js";
import { isolated, texts } from "./language.js";
import { worded } from "./wording.js";
import { between, called, isOpen, joined, measured, pointAt } from "./words.js";

/**
 * @param {Plan} plan
 * @param {Uint8Array} report
 */
export function inWords(plan, report) {
  const said = Object.entries(JSON.parse(decoded(report)).answers).map(([name, answer]) => {
    const { level = plan.question(name).menu[0], range = 0, y } = /** @type {any} */ (answer);
    return { name, text: answerOf(plan, name, { level, range, y: unwritten(y) }) };
  });
  const open = said.some(({ name }) => isOpen(plan, name));
  return el(
    "section",
    { class: "card" },
    el("h3", {}, texts.inWords.title),
    el(
      "dl",
      { class: "words" },
      ...said.flatMap(({ name, text }) => [
        worded(plan, "dt", {}, called(plan, name)),
        el("dd", {}, text),
      ]),
    ),
    el("p", { class: "note" }, open ? texts.inWords.noteOpen : texts.inWords.note),
  );
}

/** @param {Plan} plan @param {string} name @param {Answer} answer */
function answerOf(plan, name, { y, level, range }) {
  const say = texts.inWords;
  const { parts, mechanism, within, law } = plan.question(name);
  const { size } = within(range);
  if (parts.length > 1 && parts.some((part) => plan.question(part).gridded)) return say.code;
  const code = whole(y);
  const label = (/** @type {number} */ each) => cellAt(plan, name, each, range);
  switch (meaning(plan, name, level, range).form) {
    case "one":
    case "parts":
    case "open":
    case "places":
      return say.one(label(code));
    case "set": {
      const codes = codesIn(y, size);
      return codes.length > 1 ? say.set(texts.either(codes.map(label))) : say.one(label(codes[0]));
    }
    case "bits": {
      const yes = codesIn(y, size);
      return yes.length ? say.bits(texts.list(yes.map(label))) : say.none;
    }
    case "cover": {
      const held = codesIn(y, size).map(label);
      const blank = Number(law(level, range).form.ones) - held.length;
      return joined(held.length > 0 && say.entries(texts.list(held)), blank > 0 && say.blanks(blank));
    }
    case "near":
      return stretch(plan, name, { y, level, range });
    default:
      if (mechanism === "laplace") return say.number(label(code));
      if (!["duchi", "onebit"].includes(mechanism)) return say.code;
      return code ? say.high : say.low;
  }
}

/** The codes whose bits are set. @param {Uint8Array} y @param {number} size */
const codesIn = (y, size) => Array.from({ length: size }, (_, i) => i).filter((i) => bit(y, i));

/**
 * The numbers whose window has the cell that was sent; at an end of the range it may be one.
 * @param {Plan} plan
 * @param {string} name
 * @param {Answer} answer
 */
function stretch(plan, name, { y, level, range }) {
  const { within, law } = plan.question(name);
  const { size } = within(range);
  const cells = lineOf(size) / (size - 1);
  const span = Number(law(level, range).form.nOutputs) - lineOf(size);
  const first = Math.max(Math.ceil((whole(y) - span + 1) / cells), 0);
  const last = Math.min(Math.floor(whole(y) / cells), size - 1);
  const at = (/** @type {number} */ code) => pointAt(plan, name, code, range);
  const { number, stretch: from } = texts.inWords;
  return first < last
    ? from(between(plan, name, [at(first), at(last)]))
    : number(measured(plan, name, at(first)));
}

/**
 * What people call a code: of a bundle, one for each of its attributes.
 * @param {Plan} plan @param {string} name @param {number} code @param {number} range
 */
function cellAt(plan, name, code, range) {
  const { parts } = plan.question(name);
  let rest = code;
  const labels = [...parts].reverse().map((part) => {
    const { size } = plan.question(part).within(range);
    const own = rest % size;
    rest = Math.floor(rest / size);
    return labelAt(plan, part, own, range);
  });
  return labels.length > 1 ? isolated(texts.inWords.cell(labels.reverse())) : labels[0];
}

/** @param {string} text base64url */
const unwritten = (text) =>
  Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (c) => c.charCodeAt(0));
