/**
 * What this browser remembers of this site, below every step: what was spent over all surveys, whether
 * the browser promises to keep it, and a copy of it.
 *
 * @typedef {import("./session.js").Store} Store
 * @typedef {{
 *   refresh: () => Promise<void>,
 *   ask: () => Promise<void>,
 * }} Memory ``ask``: have the browser keep it, as far as it can be asked
 */

import { accountIn } from "./account.js";
import { el, say } from "./elements.js";
import { sum } from "./words.js";

const VOLATILE =
  "This browser does not promise to keep what this page remembers here. It may remove it, for instance if space runs out or if you do not visit this site for some days. Chance would then be drawn anew for answers that you have given, which tells more about you, and the count of what you have spent would start again at nothing. You can save a copy.";

/**
 * @param {Store} store
 * @param {() => void} restored when a copy was joined
 * @returns {Memory}
 */
export function memory(store, restored) {
  const spent = el("p", { class: "spent" });
  const warning = el("p", { class: "notice", role: "status" });
  const details = el("details", {}, el("summary", {}, "Save or restore what this browser remembers"));
  const footer = el(
    "footer",
    { "aria-label": "What this browser remembers" },
    spent,
    warning,
    details,
  );
  let asked = false;
  details.addEventListener("toggle", () => void opened(), { once: true });
  document.body.append(footer);
  return { refresh, ask };

  async function refresh() {
    const account = await accountIn(store);
    say(spent, spentOf(account));
    say(warning, (asked || account.granted) && !(await isKept()) ? VOLATILE : "");
  }

  async function ask() {
    asked = true;
    await navigator.storage?.persist?.().catch(() => false);
    await refresh();
  }

  async function opened() {
    const { copying } = await import("./copying.js");
    details.append(copying(store, restored));
  }
}

/** Whether the browser keeps this site's data until its owner clears it. */
async function isKept() {
  return (await navigator.storage?.persisted?.().catch(() => false)) ?? false;
}

/** @param {import("./account.js").Account} account */
function spentOf({ spent, limit }) {
  const most = limit === undefined ? "" : ` Your limit is ${sum(limit)}.`;
  return `All surveys of this site together: this browser has spent ${spent ? sum(spent) : "nothing"} so far.${most}`;
}
