/**
 * What stands above every step: the survey's title, and the languages to choose from.
 *
 * @typedef {import("./session.js").Plan} Plan
 */

import { el, fill, newId, say, set } from "./elements.js";
import { bestOf, choose, language, offered, texts } from "./language.js";
import { languagesOf, titleOf } from "./wording.js";

/** @type {Plan | undefined} */
let shown;
const id = newId("language");
const select = el("select", { id });
const label = el("label", { for: id });

/**
 * A menu of languages, each by its own name.
 * @param {() => Promise<void>} changed when there is another language
 */
export function switcher(changed) {
  select.addEventListener("change", async () => {
    await choose(select.value);
    refresh();
    await changed();
  });
  document.querySelector("header")?.prepend(el("p", { class: "language" }, label, select));
  refresh();
}

/** Show what the survey is called, and its languages. @param {Plan} plan */
export function heading(plan) {
  shown = plan;
  refresh();
}

function refresh() {
  const own = shown ? languagesOf(shown) : [];
  const tags = offered(own);
  const at = bestOf(tags);
  say(label, texts.page.language);
  fill(select, ...tags.map((tag) => el("option", { value: tag, lang: tag, selected: tag === at }, nameOf(tag))));
  const [title, lead] = ["h1", ".lead"].map((place) => document.querySelector(`header ${place}`));
  if (lead) say(lead, texts.page.lead);
  if (!title || !shown) return;
  const said = bestOf(own);
  say(title, titleOf(shown));
  set(title, "dir", "auto");
  set(title, "lang", said !== language && said);
}

/** @param {string} tag */
const nameOf = (tag) => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
