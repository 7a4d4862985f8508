/**
 * What this browser remembers of this site, below every step: what was spent over all surveys, whether
 * the browser promises to keep it, and how it moves elsewhere.
 *
 * @typedef {import("./session.js").Store} Store
 * @typedef {{
 *   refresh: () => Promise<void>,
 *   ask: () => Promise<void>,
 *   reword: () => Promise<void>,
 *   hide: () => void,
 * }} Memory ``ask``: have the browser keep it, as far as it can be asked; ``reword``: in another language;
 *   ``hide``: until it is refreshed
 */

import { accountIn } from "./account.js";
import { el, fill, say, set } from "./elements.js";
import { texts } from "./language.js";
import { joined, sum } from "./words.js";

/**
 * @param {Store} store
 * @param {() => void} changed when it was moved
 * @returns {Memory}
 */
export function memory(store, changed) {
  const spent = el("p", { class: "spent" });
  const warning = el("p", { class: "notice", role: "status" });
  const footer = el("footer");
  let asked = false;
  document.body.append(footer);
  fillIn();
  return { refresh, ask, reword, hide };

  function fillIn() {
    const details = el("details", {}, el("summary", {}, texts.moving.title));
    details.addEventListener("toggle", () => void opened(details), { once: true });
    set(footer, "aria-label", texts.memory.label);
    fill(footer, spent, warning, details);
  }

  async function refresh() {
    const account = await accountIn(store);
    footer.hidden = false;
    say(spent, spentOf(account));
    const may = (asked || account.granted) && !(await isKept());
    say(warning, may ? texts.memory.volatile : "");
  }

  async function ask() {
    asked = true;
    await navigator.storage?.persist?.().catch(() => false);
    await refresh();
  }

  async function reword() {
    fillIn();
    if (!footer.hidden) await refresh();
  }

  function hide() {
    footer.hidden = true;
    fillIn(); // and forget what was typed
  }

  /** @param {HTMLElement} details */
  async function opened(details) {
    const { moving } = await import("./moving.js");
    details.append(moving(store, changed));
  }
}

/** Whether the browser keeps this site's data until its owner clears it. */
async function isKept() {
  return (await navigator.storage?.persisted?.().catch(() => false)) ?? false;
}

/** @param {import("./account.js").Account} account */
const spentOf = ({ spent, limit }) =>
  joined(
    spent ? texts.memory.spent(sum(spent)) : texts.memory.unspent,
    limit !== undefined && texts.total.limit(sum(limit)),
  );
