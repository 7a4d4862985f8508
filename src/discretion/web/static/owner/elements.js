/** Elements of the page: made, filled, marked as wrong, and brought into focus. */

import { texts } from "./language.js";

/** @typedef {Node | string | null | undefined | false} Child */

const STEPS = 4;
const SVG = "http://www.w3.org/2000/svg";
let made = 0;

/** An id that no other element of the page has. @param {string} stem */
export const newId = (stem) => `${stem}-${++made}`;

/**
 * An element with attributes, listeners (``onclick: ...``) and children. An attribute that is false,
 * null or undefined is left out; one that is true is empty.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} name @param {Record<string, any>} [attributes] @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function el(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else set(element, key, value);
  }
  element.append(...shown(children));
  return element;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 * @param {Node[]} children
 */
export function drawn(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, `${value}`);
  element.append(...children);
  return element;
}

/** @param {Element} element @param {string} key @param {any} value */
export function set(element, key, value) {
  if (value === false || value === null || value === undefined) element.removeAttribute(key);
  else element.setAttribute(key, value === true ? "" : `${value}`);
}

/** @param {Element} element @param {Child[]} children */
export const fill = (element, ...children) => element.replaceChildren(...shown(children));

/**
 * Change text only where it differs, so that nothing is read out twice.
 * @param {Element} element
 * @param {string} text
 */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {string} label @param {() => void} press @param {string} [kind] a class */
export const button = (label, press, kind) =>
  el("button", { type: "button", class: kind, onclick: press }, label);

/**
 * Have the browser save a file.
 * @param {string} name @param {string | Uint8Array} content @param {string} type
 */
export function download(name, content, type) {
  const part = /** @type {string | Uint8Array<ArrayBuffer>} */ (content);
  const href = URL.createObjectURL(new Blob([part], { type })); // needed until it is written
  el("a", { href, download: name }).click();
}

/** Where an error is shown, beside what it belongs to. */
export const errorPlace = () => el("p", { class: "error", id: newId("error"), hidden: true });

/**
 * Show an error at a control and beside it; an empty one takes it away.
 * @param {HTMLElement} place @param {string} text
 * @param {{control?: Element, hint?: string}} [of] ``control``: what is wrong; ``hint``: the id of what
 *   describes it anyway
 */
export function showError(place, text, { control, hint } = {}) {
  say(place, text);
  place.hidden = !text;
  if (!control) return;
  set(control, "aria-invalid", text ? "true" : null);
  set(control, "aria-describedby", [text && place.id, hint].filter(Boolean).join(" ") || null);
}

/**
 * A step of the page: a section whose heading gets the focus.
 * @param {string} title
 * @param {number | null} number
 * @param {Child[]} children
 */
export function step(title, number, ...children) {
  const id = newId("step");
  return el(
    "section",
    { "aria-labelledby": id },
    number !== null && el("p", { class: "step" }, texts.page.step(texts.number(number), texts.number(STEPS))),
    el("h2", { id, tabindex: -1 }, title),
    ...children,
  );
}

/**
 * Put a step in the place of the one before, and the focus on its heading.
 * @param {Element} section
 * @param {boolean} [focus]
 */
export function show(section, focus = true) {
  const main = document.querySelector("main");
  const heading = section.querySelector("h2");
  if (!main) return;
  fill(main, section);
  document.title = [heading?.textContent, document.querySelector("h1")?.textContent]
    .filter(Boolean)
    .join(" – ");
  if (!focus) return;
  scrollTo(0, 0);
  heading?.focus();
}

/** @param {Child[]} children @returns {(Node | string)[]} */
const shown = (children) =>
  /** @type {(Node | string)[]} */ (
    children.filter((child) => child !== null && child !== undefined && child !== false)
  );
