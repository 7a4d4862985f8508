/**
 * The language of the page: what the browser prefers, or what its owner chooses here.
 *
 * The choice stays in this browser. Which languages a browser prefers is in the headers of all its
 * requests anyway, so the page fetches those texts alone; for any other choice it fetches the texts of
 * every language, so that no request depends on which one was chosen.
 *
 * @typedef {import("./texts/en.js").Texts} Texts
 */

const OWN = ["en", "de", "fr", "ar"]; // languages with a file of texts
const KEPT = "discretion-language"; // in the browser
const FOREIGN = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** @type {Texts} what the page says */
export let texts;
/** The language that it is in. */
export let language = OWN[0];
let chosen = remembered();

/** Whether two tags have the same language, wherever it is spoken. @param {string} one @param {string} other */
const alike = (one, other) => one.split("-")[0] === other.split("-")[0];

/**
 * The language that its reader likes best; the first one if she knows none of them.
 * @param {readonly string[]} tags
 * @param {readonly string[]} [liked]
 */
export function bestOf(tags, liked = [chosen, ...navigator.languages]) {
  for (const tag of liked) {
    const near = tags.filter((own) => alike(own, tag));
    if (near.length) return near.includes(tag) ? tag : near[0];
  }
  return tags[0];
}

/** The languages that can be chosen. @param {readonly string[]} more those of a plan */
export const offered = (more) => [...more, ...OWN.filter((tag) => !more.some((own) => alike(own, tag)))];

/** Load what the page says, and say in which language that is. */
export async function load() {
  const [own, usual] = [bestOf(OWN), bestOf(OWN, navigator.languages)];
  const all = await Promise.all((own === usual ? [own] : OWN).map(loaded));
  [texts, language] = [all[own === usual ? 0 : OWN.indexOf(own)], own];
  document.documentElement.lang = own;
  document.documentElement.dir = texts.direction;
}

/** @param {string} tag */
export async function choose(tag) {
  chosen = tag;
  try {
    localStorage.setItem(KEPT, tag);
  } catch {
    // it is asked for again next time
  }
  await load();
}

/**
 * Words of another's within a sentence: neither changes the direction of the other.
 * @param {string} words
 */
export function isolated(words) {
  const line = words.replace(/\s+/g, " ");
  return texts.direction === "rtl" || FOREIGN.test(line) ? `\u2068${line}\u2069` : line;
}

/** @param {string} tag @returns {Promise<Texts>} */
const loaded = async (tag) => (await import(`./texts/${tag}.js`)).default;

function remembered() {
  try {
    return localStorage.getItem(KEPT) ?? "";
  } catch {
    return "";
  }
}
